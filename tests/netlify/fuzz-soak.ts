/** Spreads random requests over processes, each with a shop of its own. */
import { runInTurns, sendResult, shareOut } from '../model/kit/cores.ts';
import type { SoakOptions } from '../model/kit/soak.ts';
import { fuzz, fuzzLines, type FuzzResult, type FuzzShare, sumOf } from './fuzz.ts';

/** A process ends after so many requests, because the embedded database has failed for good after half an hour. */
const MAX_REQUESTS_PER_PROCESS = 5000;

/** Sends `count` requests, prints the result and returns whether no request found a fault. */
export async function fuzzOverCores(
  count: number,
  { seed = 0, from, cores }: SoakOptions,
): Promise<boolean> {
  const shares = shareOut(from, count, cores).map((numbers): FuzzShare => ({ seed, ...numbers }));
  let sent = 0;
  const printProgress = ({ requests, faults }: FuzzResult) => {
    sent += requests;
    console.log(`${sent} requests sent, ${faults.length} faults among the last ${requests}`);
  };
  const results = await Promise.all(
    shares.map((share) => runInTurns('fuzz', share, MAX_REQUESTS_PER_PROCESS, printProgress)),
  );
  const sum = sumOf(results.flat());
  console.log(fuzzLines(sum).join('\n'));
  return sum.faults.length === 0;
}

/** Runs a share in this process and sends the result to the process that started this one. */
export async function runFuzzShare(share: FuzzShare): Promise<void> {
  await sendResult(await fuzz(share));
}
