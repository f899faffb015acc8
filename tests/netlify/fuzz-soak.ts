/** Spreads random requests over processes, each with a shop of its own. */
import { runInTurns, sendResult, shareOut } from '../model/kit/cores.ts';
import type { SoakOptions } from '../model/kit/soak.ts';
import { fuzz, type Fuzzed, fuzzLines, type FuzzShare, sumOf } from './fuzz.ts';

/** The embedded database of a process that served requests for half an hour failed for good. */
const MOST_PER_PROCESS = 5000;

/** Returns whether no request found a fault. */
export async function fuzzOverCores(
  count: number,
  { seed = 0, from, cores }: SoakOptions,
): Promise<boolean> {
  const shares = shareOut(from, count, cores).map((numbers): FuzzShare => ({ seed, ...numbers }));
  let sent = 0;
  const printProgress = ({ requests, faults }: Fuzzed) => {
    sent += requests;
    console.log(`${sent} requests sent, ${faults.length} faults among the last ${requests}`);
  };
  const results = await Promise.all(
    shares.map((share) => runInTurns('fuzz', share, MOST_PER_PROCESS, printProgress)),
  );
  const sum = sumOf(results.flat());
  console.log(fuzzLines(sum).join('\n'));
  return sum.faults.length === 0;
}

/** Runs a share in this process and sends the result to the process that started this one. */
export async function runFuzzShare(share: FuzzShare): Promise<void> {
  await sendResult(await fuzz(share));
}
