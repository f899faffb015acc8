import type { ImportPlan, ReadingPlan } from '../../db/import-jobs.ts';
import { type Layout, readLayout } from '../../csv/layout.ts';
import type { DecimalMark } from '../../csv/price.ts';
import { IMPORT_COLUMNS } from '../../csv/columns.ts';
import type { Extent } from './device-catalogue.ts';
import { fileKindOf } from './file-kind.ts';
import { FileProducts } from './file-products.ts';
import { guessEncoding } from './encoding-guess.ts';
import { surveyBytes } from './encoding-survey.ts';
import { NotUtf8, SLICE_BYTES, readStart } from './file-text.ts';
import { positionOf, ProblemCounts } from './problem-counts.ts';
import type { Check, CheckOutcome, Choice, Encoding, Fault } from '../protocol.ts';
import { mendedUnder } from './refused-rows.ts';
import { ReplacedRows } from './replaced-rows.ts';
import { readRows, type TakeRow } from './rows.ts';
import type { StoredProducts } from './stored-products.ts';

/** Rows that the page shows as they will be stored. */
const PREVIEW_ROWS = 20;
/** The share of rejections among so many first rows tells whether the file as a whole is wrong. */
const EARLY_ROWS = 5000;

export interface CheckOptions {
  /** The catalogue on this device, and how much of the shop's it is. */
  readonly stored: StoredProducts;
  readonly extent: Extent;
  readonly signal: AbortSignal;
  readonly onProgress: (rows: number, bytes: number) => void;
  readonly sliceBytes?: number | undefined;
}

/** The outcome of a check, with the plan for sending where the file can be sent. */
export type Checked =
  | { readonly kind: 'checked'; readonly check: Check; readonly plan: ImportPlan }
  | Exclude<CheckOutcome, { readonly kind: 'checked' | 'cancelled' }>;

/**
 * Reads a whole file and reports what it holds and what it would change.
 *
 * The first reading guesses the encoding and the decimal mark of the prices. When the file turns out to
 * contradict the guess, the worker reads it once more.
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
    if (!(thrown instanceof NotUtf8)) throw thrown;
  }
  const { isMostlyUtf8, words } = await surveyBytes(file, options);
  const guess = isMostlyUtf8 ? null : guessEncoding(words);
  const guessed = guess?.encoding ?? 'utf-8';
  const checked = await checkAs({ encoding: guessed, isFatal: false }, file, choice, options);
  if (guess === null || checked.kind !== 'checked') return checked;
  const { isDoubtful, words: shown, others } = guess;
  return { ...checked, check: { ...checked.check, guess: { isDoubtful, words: shown, others } } };
}

/** @throws NotUtf8 when `isFatal` */
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
  const { layout } = outcome;
  const { blankCellsClear } = choice;

  async function readWith(decimalMark: DecimalMark | null) {
    const reading = { encoding, layout, decimalMark, blankCellsClear };
    const plan: ReadingPlan = { ...reading, mended: mendedUnder(reading, choice.mended) };
    const pass = new CheckPass(layout, options.stored);
    const { fault, price } = await readRows(file, plan, {
      isFatal,
      signal,
      sliceBytes,
      take: pass.take,
      afterSlice: (bytes) => options.onProgress(pass.rows, bytes),
    });
    return { pass, plan, fault, price };
  }

  let reading = await readWith(choice.decimalMark);
  const otherMark = reading.fault ? null : reading.price.mustReadAgain;
  if (otherMark) reading = await readWith(otherMark);
  const { pass, plan, fault, price } = reading;
  if (fault) return faultOf(fault);
  const fullPlan: ImportPlan = {
    ...plan,
    replaced: pass.products.replacedRows.toBytes(),
    rowsTotal: pass.accepted - pass.products.replaced,
    rowsRefused: pass.rows - pass.accepted,
  };
  const replacedRows = new ReplacedRows(fullPlan);
  if (pass.products.replaced > 0) {
    await readRows(file, plan, { signal, sliceBytes, take: replacedRows.take });
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
      ...pass.findings(replacedRows),
    },
    plan: fullPlan,
  };
}

/** One pass over the file, with the findings so far. */
class CheckPass {
  rows = 0;
  accepted = 0;
  readonly products: FileProducts;
  #earlyRejected = 0;
  #preview: (readonly string[])[] = [];
  #problems: ProblemCounts;
  #layout: Layout;

  constructor(layout: Layout, stored: StoredProducts) {
    this.#layout = layout;
    this.#problems = new ProblemCounts(layout);
    this.products = new FileProducts(stored);
  }

  take: TakeRow = (validated, cells, line, row) => {
    this.rows += 1;
    const problems = validated.ok ? validated.warnings : validated.problems;
    for (const problem of problems) this.#problems.add(problem, cells, line);
    if (!validated.ok) {
      if (row < EARLY_ROWS) this.#earlyRejected += 1;
      return;
    }
    this.accepted += 1;
    this.products.add(validated.values, row);
    if (this.#preview.length < PREVIEW_ROWS) {
      // A copy, because a substring keeps the whole slice of the file in memory.
      this.#preview.push(structuredClone(validated.values.map((value) => value ?? '')));
    }
  };

  findings(
    replacedRows: ReplacedRows,
  ): Omit<Check, 'encoding' | 'guess' | 'decimalMark' | 'catalogueSize' | 'isCatalogueWhole'> {
    const { delimiter, headerLine, headers, ignored } = this.#layout;
    const { replaced, added, changed, unchanged, cleared } = this.products;
    const columns = IMPORT_COLUMNS.flatMap((column, i) => {
      const header = headers[positionOf(this.#layout, i)];
      return header === undefined ? [] : [{ column, header }];
    });
    return {
      delimiter,
      headerLine,
      columns,
      ignored,
      rows: this.rows,
      accepted: this.accepted,
      rejected: this.rows - this.accepted,
      replaced,
      skipped: 0,
      added,
      changed,
      unchanged,
      cleared,
      prices: this.products.prices.summary(),
      problems: this.#problems.list(replacedRows),
      preview: this.#preview,
      early: { rows: Math.min(this.rows, EARLY_ROWS), rejected: this.#earlyRejected },
    };
  }
}

function faultOf(fault: Fault): Checked {
  return { kind: 'fault', fault };
}
