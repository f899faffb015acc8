import type { ImportPlan, ReadingPlan } from './plan.ts';
import type { FileTable } from '../../csv/file-table.ts';
import { type Layout, positionOf, readLayout } from '../../csv/layout.ts';
import { type DecimalMark, namesForeignCurrency, type PriceReader } from '../../csv/price.ts';
import { READING_RULES, type RowRules, withRules } from '../../csv/reading-rules.ts';
import type { RuleApplier } from '../../csv/rule-applier.ts';
import type { RuleName } from '../../csv/remembered.ts';
import { IMPORT_COLUMNS } from '../../csv/columns.ts';
import { isTotal } from '../../csv/fields.ts';
import type { RowValues } from '../../csv/rows.ts';
import { type Extent, type StoredValues, withKeptValues } from './device-catalogue.ts';
import { fileKindOf } from './file-kind.ts';
import { FileProducts } from './file-products.ts';
import { guessEncoding, surveyBytes } from './encoding-guess.ts';
import { MalformedText, SLICE_BYTES, readStart } from './file-text.ts';
import { ProblemCounts } from './problem-counts.ts';
import type { FileCheck, CheckOutcome, Choice, Encoding, Fault } from '../protocol.ts';
import { mendedUnder } from './refused-rows.ts';
import { ReplacedRows } from './replaced-rows.ts';
import { readRows, type TakeRow } from './rows.ts';
import type { StoredProducts } from './stored-products.ts';

/** Products that the page shows as they will be stored. */
const PREVIEW_PRODUCTS = 20;

export interface CheckOptions {
  /** The catalogue on this device, and how much of the shop's it is. */
  readonly stored: StoredProducts;
  readonly extent: Extent;
  /** Reads these products from the catalogue on this device. */
  readonly valuesOf: (keys: ReadonlySet<string>) => Promise<StoredValues>;
  readonly signal: AbortSignal;
  readonly onProgress: (rows: number, bytes: number) => void;
  readonly sliceBytes?: number | undefined;
}

/** The outcome of a check, with the plan for sending where the file can be sent. */
export type Checked =
  | { readonly kind: 'checked'; readonly check: FileCheck; readonly plan: ImportPlan }
  | Exclude<CheckOutcome, { readonly kind: 'checked' | 'cancelled' }>;

/**
 * Reads a whole file and reports what it holds and what it would change.
 *
 * It reads the file as UTF-8 unless the user has chosen an encoding or the file begins like UTF-16. When the
 * bytes are not UTF-8, it surveys the whole file, guesses the encoding and reads again. It reads once more
 * when clear prices say which decimal mark the ambiguous ones have, and when rows replace others.
 *
 * @throws UnreadableFile, and the signal's reason
 */
export async function checkFile(
  file: Blob,
  choice: Choice,
  options: CheckOptions,
): Promise<Checked> {
  const kind = await fileKindOf(file, choice.encoding);
  if (kind.kind === 'not-csv') return faultOf({ sentence: kind.sentence, line: null });
  const encoding = choice.encoding ?? kind.encoding;
  if (encoding) return checkAs({ encoding, isFatal: false }, file, choice, options);
  try {
    return await checkAs({ encoding: 'utf-8', isFatal: true }, file, choice, options);
  } catch (thrown) {
    if (!(thrown instanceof MalformedText)) throw thrown;
  }
  const { isMostlyUtf8, words } = await surveyBytes(file, options);
  const guess = isMostlyUtf8 ? null : guessEncoding(words);
  const guessed = guess?.encoding ?? 'utf-8';
  const checked = await checkAs({ encoding: guessed, isFatal: false }, file, choice, options);
  if (guess === null || checked.kind !== 'checked') return checked;
  const { isDoubtful, words: shown, others } = guess;
  return { ...checked, check: { ...checked.check, guess: { isDoubtful, words: shown, others } } };
}

/** @throws MalformedText when `isFatal` and the bytes are not in this encoding */
async function checkAs(
  { encoding, isFatal }: { readonly encoding: Encoding; readonly isFatal: boolean },
  file: Blob,
  choice: Choice,
  options: CheckOptions,
): Promise<Checked> {
  const { signal, sliceBytes } = options;
  const start = await readStart(file, SLICE_BYTES, { encoding, isFatal, signal, sliceBytes });
  const outcome = readLayout(start, choice);
  if (outcome.kind === 'fault') return faultOf(outcome.fault);
  if (outcome.kind === 'ask-columns') return outcome;
  const { table } = outcome;
  const { layout, rules, offered } = withRules(outcome.layout, rulesOffFor(table, choice));
  const { blankCellsClear } = choice;

  async function readWith(decimalMark: DecimalMark | null) {
    const unmended = { encoding, layout, decimalMark, blankCellsClear, rules };
    const plan: ReadingPlan = { ...unmended, mended: mendedUnder(unmended, choice.mended) };
    const pass = new CheckPass(layout, options.stored, rules);
    const read = await readRows(file, plan, {
      isFatal,
      signal,
      sliceBytes,
      take: pass.take,
      needsCells: false,
      afterSlice: (bytes) => options.onProgress(pass.rows, bytes),
    });
    return { pass, plan, ...read };
  }

  let reading = await readWith(choice.decimalMark);
  const clearMark = reading.fault ? null : reading.price.markForRereading;
  if (clearMark) reading = await readWith(clearMark);
  const { pass, plan, fault, price } = reading;
  if (fault) return faultOf(fault);
  const skipped = reading.rules.skipped;
  const fullPlan: ImportPlan = {
    ...plan,
    replaced: pass.products.replacedRows.toBytes(),
    rowsTotal: pass.accepted - pass.products.replaced,
    leftOut: {
      replaced: pass.products.replaced,
      rejected: pass.rows - pass.accepted,
      skipped,
    },
  };
  const replacedRows = new ReplacedRows(fullPlan);
  if (pass.products.replaced > 0) {
    await readRows(file, plan, { signal, sliceBytes, take: replacedRows.take, needsCells: false });
  }
  options.onProgress(pass.rows, file.size);
  return {
    kind: 'checked',
    check: {
      encoding,
      guess: null,
      decimalMark: price.mark,
      catalogueSize: options.stored.size,
      isCatalogueWhole: options.extent === 'whole',
      table,
      rules: appliedRules(offered, rules.names, reading.rules),
      skipped,
      foreignPrices: foreignIn(layout, price, pass.priced),
      ...pass.findings(replacedRows),
      rows: pass.rows + skipped,
      preview: await withKeptValues([...pass.preview.values()], options.valuesOf),
    },
    plan: fullPlan,
  };
}

/** One pass over the file, with the findings so far. */
class CheckPass {
  /** How many rows the pass has read. */
  rows = 0;
  /** How many of them are valid. */
  accepted = 0;
  readonly products: FileProducts;
  /** How many accepted rows have a price. */
  priced = 0;
  /** How many accepted rows look like totals. */
  #totals = 0;
  /** By the product's number in the file: the values of its last row. */
  readonly preview = new Map<number, RowValues>();
  readonly #problems: ProblemCounts;
  readonly #layout: Layout;
  /** Whether rows with a total are read as products. */
  readonly #takesTotals: boolean;

  constructor(layout: Layout, stored: StoredProducts, { names }: RowRules) {
    this.#layout = layout;
    this.#takesTotals = !names.includes('totals');
    this.#problems = new ProblemCounts(layout);
    this.products = new FileProducts(stored);
  }

  take: TakeRow = (validated, cells, line, row) => {
    this.rows += 1;
    const problems = validated.ok ? validated.warnings : validated.problems;
    for (const problem of problems) this.#problems.add(problem, cells, line);
    if (!validated.ok) return;
    const { values } = validated;
    this.accepted += 1;
    if (values[PRICE]) this.priced += 1;
    if (this.#takesTotals && isTotal(values[SKC] ?? '')) this.#totals += 1;
    const product = this.products.add(values, row);
    if (this.preview.size < PREVIEW_PRODUCTS || this.preview.has(product)) {
      // A copy, because a substring keeps the whole slice of the file in memory.
      this.preview.set(product, structuredClone(values));
    }
  };

  findings(replacedRows: ReplacedRows) {
    const { delimiter, headerLine, headers } = this.#layout;
    const { replaced, added, changed, unchanged, cleared, lacking } = this.products;
    const columns = IMPORT_COLUMNS.flatMap((column, i) => {
      const header = headers[positionOf(this.#layout, i)];
      return header === undefined ? [] : [{ column, header }];
    });
    return {
      delimiter,
      headerLine,
      columns,
      accepted: this.accepted,
      rejected: this.rows - this.accepted,
      replaced,
      added,
      changed,
      unchanged,
      cleared,
      lacking,
      totals: this.#totals,
      prices: this.products.prices.summary(),
      problems: this.#problems.list(replacedRows),
    };
  }
}

const SKC = IMPORT_COLUMNS.indexOf('SKC');
const PRICE = IMPORT_COLUMNS.indexOf('Retail Price');

/** What the user has switched off for this file, else what was off when its match was remembered. */
function rulesOffFor({ origin }: FileTable, { rulesOff }: Choice): readonly RuleName[] {
  return rulesOff ?? (typeof origin === 'object' ? origin.rulesOff : []);
}

/** The offered rules that have read a row, and those that the user has switched off. */
function appliedRules(
  offered: readonly RuleName[],
  on: readonly RuleName[],
  read: Pick<RuleApplier, 'counts'>,
): FileCheck['rules'] {
  return offered
    .map((name) => ({
      name,
      title: READING_RULES[name].title,
      rows: read.counts[name] ?? 0,
      isOn: on.includes(name),
    }))
    .filter(({ rows, isOn }) => rows > 0 || !isOn);
}

/** The prices in another currency. A currency in the heading counts for all prices under it. */
function foreignIn(layout: Layout, { foreign }: PriceReader, priced: number) {
  const heading = layout.headers[positionOf(layout, PRICE)] ?? '';
  return namesForeignCurrency(heading) ? { count: priced, example: heading } : foreign;
}

function faultOf(fault: Fault): Checked {
  return { kind: 'fault', fault };
}
