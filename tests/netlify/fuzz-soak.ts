/** Spreads random requests over processes, each with a shop of its own. */
import { deal, runElsewhere, tell } from '../model/kit/cores.ts';
import type { SoakOptions } from '../model/kit/soak.ts';
import { fuzz, type Fuzzed, fuzzLines, type FuzzShare, sumOf } from './fuzz.ts';

/** Returns whether no request found a fault. */
export async function fuzzOverCores(
  count: number,
  { seed = 0, from, cores }: SoakOptions,
): Promise<boolean> {
  const shares = deal(from, count, cores).map((numbers): FuzzShare => ({ seed, ...numbers }));
  const results = await Promise.all(shares.map((share) => runElsewhere<Fuzzed>('fuzz', share)));
  const sum = sumOf(results.flat());
  console.log(fuzzLines(sum).join('\n'));
  return sum.faults.length === 0;
}

/** Sends a share of the requests in this process, and the result to the process that started it. */
export async function runFuzzShare(share: FuzzShare): Promise<void> {
  await tell(await fuzz(share));
}
