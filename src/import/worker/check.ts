import type { ImportPlan, ReadingPlan } from '../../db/import-jobs.ts';
import { type Layout, readLayout } from '../../csv/layout.ts';
import type { DecimalMark } from '../../csv/price.ts';
import { IMPORT_COLUMNS } from '../../csv/columns.ts';
import type { Extent } from './device-catalogue.ts';
import { kindOf } from './file-kind.ts';
import { FileProducts } from './file-products.ts';
import { encodingDespite, NotUtf8, SLICE_BYTES, startOf } from './file-text.ts';
import { placeOf, ProblemCounts } from './problem-counts.ts';
import type { Check, CheckOutcome, Choice, Encoding, Fault } from '../protocol.ts';
import { readRows } from './rows.ts';
import type { StoredProducts } from './stored-products.ts';

/** Rows that the page shows as they will be stored. */
const PREVIEW_ROWS = 20;
/** Rows at the beginning whose share of rejections tells whether the file as a whole is wrong. */
const EARLY_ROWS = 5000;

export interface CheckOptions {
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
 * The encoding and the decimal mark of the prices are a guess until the last row. When the rest of the
 * file contradicts the guess, the worker reads the file once more with what it has learnt.
 *
 * @throws UnreadableFile, and the signal's reason
 */
export async function checkFile(
  file: Blob,
  choice: Choice,
  options: CheckOptions,
): Promise<Checked> {
  const kind = await kindOf(file, choice.encoding);
  if (kind.kind === 'other') return faultOf({ sentence: kind.sentence, line: null });
  const encoding = choice.encoding ?? kind.encoding;
  if (encoding) return checkAs(encoding, false, file, choice, options);
  try {
    return await checkAs('utf-8', true, file, choice, options);
  } catch (thrown) {
    if (!(thrown instanceof NotUtf8)) throw thrown;
    const other = await encodingDespite(thrown, file, options.signal);
    return checkAs(other, false, file, choice, options);
  }
}

async function checkAs(
  encoding: Encoding,
  isFatal: boolean,
  file: Blob,
  choice: Choice,
  options: CheckOptions,
): Promise<Checked> {
  const { signal, sliceBytes } = options;
  const text = { encoding, isFatal, signal, sliceBytes };
  const found = readLayout(await startOf(file, SLICE_BYTES, text), choice);
  if (found.kind === 'fault') return faultOf(found.fault);
  if (found.kind === 'ask-columns') return found;
  const { layout } = found;
  const { blankCellsClear } = choice;

  async function passWith(decimalMark: DecimalMark | null) {
    const plan: ReadingPlan = { encoding, layout, decimalMark, blankCellsClear };
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

  let last = await passWith(choice.decimalMark);
  const other = last.fault ? null : last.price.mustReadAgain;
  if (other) last = await passWith(other);
  const { pass, plan, fault, price } = last;
  if (fault) return faultOf(fault);
  options.onProgress(pass.rows, file.size);
  return {
    kind: 'checked',
    check: {
      encoding,
      decimalMark: price.mark,
      catalogueSize: options.stored.size,
      isCatalogueWhole: options.extent === 'whole',
      ...pass.findings(),
    },
    plan: {
      ...plan,
      replaced: pass.products.replacedRows.toBytes(),
      rowsTotal: pass.accepted - pass.products.replaced,
      rowsRefused: pass.rows - pass.accepted,
    },
  };
}

type Reading = 'encoding' | 'decimalMark' | 'catalogueSize' | 'isCatalogueWhole';

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

  take: Parameters<typeof readRows>[2]['take'] = (validated, cells, line, row) => {
    this.rows += 1;
    const problems = validated.ok ? validated.warnings : validated.problems;
    for (const problem of problems) this.#problems.add(problem, cells, line);
    if (!validated.ok) {
      if (row < EARLY_ROWS) this.#earlyRejected += 1;
      return;
    }
    this.accepted += 1;
    this.products.add(validated.values, row, line);
    if (this.#preview.length < PREVIEW_ROWS) {
      // A copy, because a substring keeps the whole slice of the file in memory.
      this.#preview.push(structuredClone(validated.values.map((value) => value ?? '')));
    }
  };

  findings(): Omit<Check, Reading> {
    const { delimiter, headerLine, headers, ignored } = this.#layout;
    const { replaced, firstReplaced, added, changed, unchanged, cleared } = this.products;
    const effects = { replaced, added, changed, unchanged, cleared };
    const columns = IMPORT_COLUMNS.flatMap((column, i) => {
      const header = headers[placeOf(this.#layout, i)];
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
      ...effects,
      prices: this.products.prices.all(),
      problems: this.#problems.list(replaced, firstReplaced),
      preview: this.#preview,
      early: { rows: Math.min(this.rows, EARLY_ROWS), rejected: this.#earlyRejected },
    };
  }
}

function faultOf(fault: Fault): Checked {
  return { kind: 'fault', fault };
}
