/** The figures that a bench measures, and how they are printed. */

/** A measured value and its limit. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** The unit as printed, such as `ms` or `times`. */
  readonly unit: string;
  /** The largest or, for a score, the smallest allowed value; null for a figure without a limit. */
  readonly limit: number | null;
  readonly bound: 'at most' | 'at least';
  /** Whether the limit is kept; true without a limit. */
  readonly ok: boolean;
}

/** A figure of the kind where less is better. */
export function figure(
  name: string,
  value: number,
  unit: string,
  limit: number | null = null,
): Figure {
  const ok = limit === null || value <= limit;
  return { name, value: rounded(value), unit, limit, bound: 'at most', ok };
}

/** A figure of the kind where more is better. */
export function score(name: string, value: number, unit: string, limit: number): Figure {
  const ok = value >= limit;
  return { name, value: rounded(value), unit, limit, bound: 'at least', ok };
}

/** Prints the table and, as the last line, the same as JSON. Returns whether every limit is kept. */
export function report(bench: string, figures: readonly Figure[]): boolean {
  const lines = figures.map(({ name, value, unit, limit, bound, ok }) => [
    name,
    `${value.toLocaleString('en-US', { maximumFractionDigits: 4 })} ${unit}`,
    limit === null ? '' : `${bound} ${limit.toLocaleString('en-US')}`,
    limit === null ? '' : ok ? 'ok' : 'MISSED',
  ]);
  const widthOf = (column: number) => Math.max(...lines.map((line) => line[column]!.length)); // each line has 4 cells
  const widths = [widthOf(0), widthOf(1), widthOf(2)];
  console.log(`\n${bench}`);
  for (const [name = '', value = '', limit = '', verdict] of lines) {
    const cells = [name.padEnd(widths[0]!), value.padStart(widths[1]!), limit.padStart(widths[2]!)];
    console.log(`  ${cells.join('  ')}  ${verdict}`.trimEnd());
  }
  console.log(JSON.stringify({ bench, figures }));
  return figures.every(({ ok }) => ok);
}

/** @throws when there are no values */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error('the median of nothing');
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * The median, over all rounds, of a value divided by its baseline. Each round measures both one after the
 * other, so a temporarily slow machine slows down both.
 */
export function ratioOf(measured: readonly number[], baseline: readonly number[]): number {
  return median(measured.map((value, round) => value / baseline[round]!)); // both have every round
}

/** How often `inTurns` measures. */
interface Rounds {
  readonly rounds: number;
  /** How many rounds run first without being counted, because the machine's caches are still empty. */
  readonly warmUps: number;
}

/**
 * Runs all tasks once in each round, and returns the results of each task. Every round begins with another
 * task, because a task may warm caches for the next.
 */
export async function inTurns<Name extends string, Result>(
  { rounds, warmUps }: Rounds,
  tasks: Readonly<Record<Name, () => Promise<Result>>>,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(tasks) as Name[]; // the type of the keys is lost
  const results = Object.fromEntries(names.map((name) => [name, [] as Result[]]));
  for (let round = -warmUps; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round + warmUps) % names.length]!; // the index is below the length
      const result = await tasks[name]();
      if (round >= 0) results[name]!.push(result); // each name has a list
    }
  }
  return results as Record<Name, Result[]>;
}

/** Rounds to three significant digits, and from 100 on to a whole number. */
function rounded(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
