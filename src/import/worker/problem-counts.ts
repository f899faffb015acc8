import { type Layout, positionOf } from '../../csv/layout.ts';
import { describeProblem, type RowProblem } from '../../csv/problems.ts';
import type { ReplacedRow } from './compare.ts';
import type { ProblemCount } from '../protocol.ts';

/** The most characters that the page shows of a faulty value. */
const SHOWN_CHARS = 200;

/** Counts problems by kind and column, and keeps the first of each. */
export class ProblemCounts {
  #counts = new Map<string, ProblemCount & { count: number }>();
  #layout: Layout;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  add({ code, column }: RowProblem, cells: readonly string[], line: number): void {
    const key = `${code} ${column}`;
    const counted = this.#counts.get(key);
    if (counted) {
      counted.count += 1;
      return;
    }
    const position = positionOf(this.#layout, column);
    // A problem of no single cell of the file shows the whole row.
    const value = position < 0 ? cells.join(' | ') : (cells[position] ?? '');
    const header = this.#layout.headers[position] ?? null;
    const first = { line, header, value: shortCopy(value) };
    const { reason, advice, rejects } = describeProblem(code);
    const fate = rejects ? 'rejected' : 'warned';
    this.#counts.set(key, { reason, advice, fate, count: 1, first });
  }

  /** Lists rejections first, then the most frequent. */
  list(replaced: readonly ReplacedRow[]): ProblemCount[] {
    const all: ProblemCount[] = [
      ...this.#counts.values(),
      ...([null, 'read', 'all'] as const).flatMap((isSameIn) =>
        replacedCount(replaced.filter((row) => row.isSameIn === isSameIn)),
      ),
    ];
    const rank = ({ fate }: ProblemCount) => (fate === 'rejected' ? 0 : 1);
    return all.sort((a, b) => rank(a) - rank(b) || b.count - a.count);
  }
}

const REPEATED = {
  reason: 'The same row appears again further down the file.',
  advice: 'We’ll import it once, so nothing is lost.',
};
const SAME_AS_READ = {
  reason:
    'The same stock code and size appear again further down the file. The rows only differ in columns we left out.',
  advice:
    'We’ll import the last row. If they’re different products, go to “Columns” and choose what tells them apart.',
};
const DIFFERING = {
  reason: 'The same stock code and size appear again further down the file with different values.',
  advice:
    'We’ll import the last row. If they’re different products, give each its own size. The report lists them all.',
};

/** @param rows with one `isSameIn` */
function replacedCount(rows: readonly ReplacedRow[]): ProblemCount[] {
  const [first] = rows;
  if (!first) return [];
  const { line, byLine, isSameIn } = first;
  const words = isSameIn === 'all' ? REPEATED : isSameIn === 'read' ? SAME_AS_READ : DIFFERING;
  const shown = { line, header: null, value: `replaced by line ${byLine}` };
  return [{ ...words, fate: 'replaced', count: rows.length, first: shown }];
}

/** Shortens and copies a value, because a substring keeps the whole slice of the file in memory. */
function shortCopy(value: string): string {
  const text = value.length > SHOWN_CHARS ? `${value.slice(0, SHOWN_CHARS)}…` : value;
  return structuredClone(text);
}
