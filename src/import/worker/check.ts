import { type Layout, positionOf, readLayout } from '../../csv/layout.ts';
import { isCurrencyHeading } from '../../csv/aliases.ts';
import {
  type DecimalMark,
  isForeignCurrency,
  namesForeignCurrency,
  type PriceReader,
} from '../../csv/price.ts';
import {
  READING_RULES,
  type RuleApplier,
  type RuleName,
  withRules,
} from '../../csv/reading-rules.ts';
import { IMPORT_COLUMNS } from '../../csv/columns.ts';
import { keyIn, type RowKey, type RowValues, type ValidatedRow } from '../../csv/row-validator.ts';
import { Comparison, type ReplacedRow, type StoredProducts } from './compare.ts';
import { type Extent, keyTextOf, valuesOf } from './device-catalogue.ts';
import { fileKindOf } from './file-kind.ts';
import { guessEncoding, surveyBytes } from './encoding-guess.ts';
import { MalformedText, readStart, sha256, SLICE_BYTES } from './file-text.ts';
import { type Part, type PartLimits, partsOf } from './parts.ts';
import { type ReadingPlan, readRows, type TakeRow } from './read-rows.ts';
import { ProblemCounts } from './problem-counts.ts';
import type { FileCheck, CheckOutcome, Choice, Encoding, Fault } from '../protocol.ts';
import { mendedUnder } from './rejected-rows.ts';
import type { KeysAside } from '../../remote/import-calls.ts';

/** Products that the page shows as they will be stored. */
const PREVIEW_PRODUCTS = 20;

export interface CheckOptions {
  /** The catalogue on this device, and how much of the shop's it is. */
  readonly stored: StoredProducts;
  readonly extent: Extent;
  readonly signal: AbortSignal;
  readonly onProgress: (rows: number, bytes: number) => void;
  readonly sliceBytes?: number | undefined;
  readonly limits?: PartLimits | undefined;
}

/** The outcome of a check, with what it has read where that can be sent. */
export type Checked =
  | {
      readonly kind: 'checked';
      readonly check: FileCheck;
      readonly plan: ReadingPlan;
      readonly replacedRows: readonly ReplacedRow[];
      readonly parts: readonly Part[];
      readonly aside: KeysAside;
      /** Of the file and how it was read: equal digests mean equal parts. */
      readonly fileDigest: string;
    }
  | Exclude<CheckOutcome, { readonly kind: 'checked' | 'cancelled' }>;

/**
 * Reads a whole file and reports what it holds and what it would change.
 *
 * It reads the file as UTF-8 unless the user has chosen an encoding or the file begins like UTF-16. When the
 * bytes are not UTF-8, it surveys the whole file, guesses the encoding and reads again. It also reads again when
 * clear prices say which decimal mark the ambiguous ones have.
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
  const { stored, signal, sliceBytes } = options;
  const start = await readStart(file, SLICE_BYTES, { encoding, isFatal, signal, sliceBytes });
  const outcome = readLayout(start, choice);
  if (outcome.kind === 'fault') return faultOf(outcome.fault);
  if (outcome.kind === 'ask-columns') return outcome;
  const { table } = outcome;
  const { layout, rules } = withRules(outcome.layout);
  const { blankCellsClear } = choice;

  async function readWith(decimalMark: DecimalMark | null) {
    const unmended = { encoding, layout, decimalMark, blankCellsClear, rules };
    // Cells that the user has mended count only under the reading in which the user saw them.
    const plan: ReadingPlan = { ...unmended, ...mendedUnder(unmended, choice) };
    const pass = new CheckPass(layout, stored, plan.onlyLines);
    const digests: Promise<string>[] = [];
    const read = await readRows(file, plan, {
      isFatal,
      signal,
      sliceBytes,
      take: pass.take,
      skip: pass.skip,
      afterSlice({ slice, bytes }) {
        digests.push(sha256(slice));
        options.onProgress(pass.rows, bytes);
      },
    });
    return { pass, plan, digests, ...read };
  }

  let reading = await readWith(choice.decimalMark);
  const clearMark = reading.fault ? null : reading.price.markForRereading;
  if (clearMark) reading = await readWith(clearMark);
  const { pass, plan, fault, price } = reading;
  if (fault) return faultOf(fault);
  const skipped = plan.onlyLines ? 0 : reading.rules.skipped;
  const { comparison } = pass;
  const replacedRows = comparison.replacedRows();
  // A product that another row of the file sells stays on sale.
  const hidden = [...pass.hidden.values()].filter(
    (key) => !comparison.products.has(keyTextOf(key)),
  );
  return {
    kind: 'checked',
    check: {
      encoding,
      guess: null,
      decimalMark: price.mark,
      catalogueSize: stored.size,
      isCatalogueWhole: options.extent === 'whole',
      table,
      rules: appliedRules(reading.rules),
      skipped,
      foreignPrices: foreignIn(layout, price, pass),
      delimiter: layout.delimiter,
      headerLine: layout.headerLine,
      columns: IMPORT_COLUMNS.flatMap((column, i) => {
        const header = layout.headers[positionOf(layout, i)];
        return header === undefined ? [] : [{ column, header }];
      }),
      accepted: pass.accepted,
      rejected: pass.rows - pass.accepted,
      ...comparison.figures(),
      problems: pass.problems.list(replacedRows),
      rows: pass.rows + skipped,
      keyless: pass.keyless,
      hidden: hidden.length,
      leaving: hidden.filter((key) => stored.has(keyTextOf(key))).length,
      preview: [...pass.preview.values()].map((values) => withStored(values, stored)),
    },
    plan,
    replacedRows,
    aside: { kept: pass.kept, hidden },
    parts: partsOf(comparison.header, comparison.products, options.limits),
    fileDigest: await digestOfReading(await Promise.all(reading.digests), plan),
  };
}

/** One pass over the file, with the findings so far. */
class CheckPass {
  /** How many rows the pass has read. */
  rows = 0;
  /** How many of them are valid. */
  accepted = 0;
  /** How many accepted rows have a price. */
  priced = 0;
  /** Prices beside which the column of currencies names a foreign one. */
  foreign = { count: 0, example: '' };
  /** The position of the column of currencies; -1 for none. */
  readonly #currency: number;
  /** The keys of rows that are not sent, and keep their products on sale. */
  readonly kept: RowKey[] = [];
  /** The keys of unpublished products, by `keyTextOf`. */
  readonly hidden = new Map<string, readonly [skc: string, size: string]>();
  /** How many rejected rows do not say which product they are about. */
  keyless = 0;
  readonly comparison: Comparison;
  readonly #layout: Layout;
  readonly #onlyLines: ReadingPlan['onlyLines'];
  readonly problems: ProblemCounts;
  /** By product, the values that it will have. */
  readonly preview = new Map<string, RowValues>();

  constructor(layout: Layout, stored: StoredProducts, onlyLines: ReadingPlan['onlyLines']) {
    this.#layout = layout;
    this.#onlyLines = onlyLines;
    this.#currency = layout.headers.findIndex(isCurrencyHeading);
    this.problems = new ProblemCounts(layout);
    this.comparison = new Comparison(stored, layout);
  }

  take: TakeRow = (validated, cells, line) => {
    if (this.#isImported(validated, line)) {
      this.#keep(keyIn(cells, this.#layout));
      return;
    }
    this.rows += 1;
    const problems = validated.ok ? validated.warnings : validated.problems;
    for (const problem of problems) this.problems.add(problem, cells, line);
    if (!validated.ok) {
      const key = keyIn(cells, this.#layout);
      if (!key) this.keyless += 1;
      this.#keep(key);
      return;
    }
    this.accepted += 1;
    if (validated.values[PRICE]) {
      this.priced += 1;
      if (this.#currency >= 0) this.#noteCurrency(cells[this.#currency] ?? '');
    }
    const key = keyTextOf(validated.values);
    const values = this.comparison.add(key, validated.values, cells, line);
    if (this.preview.size < PREVIEW_PRODUCTS || this.preview.has(key))
      this.preview.set(key, values);
  };

  /** A rule has left the row out. An unpublished product is hidden; any other stays on sale. */
  readonly skip = (cells: readonly string[], rule: RuleName): void => {
    const key = keyIn(cells, this.#layout);
    const [skc, size] = key ?? [];
    const isUnpublished = rule === 'unpublished' && !this.#onlyLines;
    if (isUnpublished && skc !== undefined && typeof size === 'string') {
      const copy = structuredClone([skc, size] as const);
      this.hidden.set(keyTextOf(copy), copy);
    } else this.#keep(key);
  };

  /** Whether an earlier import has taken the row. A row that replaces a mended one is imported once more. */
  #isImported(validated: ValidatedRow, line: number): boolean {
    if (!this.#onlyLines || this.#onlyLines.has(line)) return false;
    return !validated.ok || !this.comparison.products.has(keyTextOf(validated.values));
  }

  #keep(key: RowKey | null): void {
    if (!key) return;
    // A copy, because a substring keeps the whole slice of the file in memory.
    this.kept.push(structuredClone(key));
  }

  #noteCurrency(currency: string): void {
    if (!isForeignCurrency(currency)) return;
    const { count, example } = this.foreign;
    this.foreign = { count: count + 1, example: example || currency };
  }
}

const PRICE = IMPORT_COLUMNS.indexOf('Retail Price');

/** The values that will be stored, with those that the row leaves as they are. */
function withStored(values: RowValues, products: StoredProducts): readonly string[] {
  const row = products.get(keyTextOf(values));
  const stored = row && valuesOf(row);
  return values.map((value, i) => value ?? stored?.[i] ?? '');
}

/** @param digests of the slices of the file, because `subtle.digest` takes whole buffers only */
function digestOfReading(
  digests: readonly string[],
  { mended, onlyLines, ...plan }: ReadingPlan,
): Promise<string> {
  const reading = JSON.stringify([digests, plan, [...(mended ?? [])], [...(onlyLines ?? [])]]);
  return sha256(new TextEncoder().encode(reading));
}

/** The rules that have read a row, as a user reads them. */
function appliedRules({ counts }: Pick<RuleApplier, 'counts'>): FileCheck['rules'] {
  return Object.entries(READING_RULES).flatMap(([name, { title }]) => {
    const rows = counts[name as RuleName] ?? 0; // the keys of the table
    return rows > 0 ? [{ title, rows }] : [];
  });
}

/** The prices in another currency: by the heading, else by a column of currencies, else by the prices themselves. */
function foreignIn(layout: Layout, { foreign }: PriceReader, pass: CheckPass) {
  const heading = layout.headers[positionOf(layout, PRICE)] ?? '';
  if (namesForeignCurrency(heading)) return { count: pass.priced, example: heading };
  return pass.foreign.count > 0 ? pass.foreign : foreign;
}

function faultOf(fault: Fault): Checked {
  return { kind: 'fault', fault };
}
