/** Spreads schedules over processes of their own: what libraries keep in memory is then theirs too. */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { Server } from './server.ts';
import { loadEngine } from './engine.ts';
import { runSchedule } from './schedule.ts';
import { type Told, Totals } from './totals.ts';

/** Which seeds a process runs. */
export interface Share {
  readonly from: number;
  readonly count: number;
  readonly step: number;
  /** A copy of the project with a bug in it; the project itself when absent. */
  readonly project?: string;
  readonly stopsAtViolation?: boolean;
}

export interface Plan {
  readonly from: number;
  readonly count: number;
  readonly cores: number;
  readonly project?: string;
  readonly onOutcome?: (totals: Totals) => void;
}

const CHILD = join(import.meta.dirname, 'soak.ts');

/** Runs schedules on several cores. */
export async function runOverCores(plan: Plan): Promise<Totals> {
  const { from, count, cores, project, onOutcome } = plan;
  const totals = new Totals();
  const shares = Array.from({ length: cores }, (_, core): Share => ({
    from: from + core,
    count: Math.ceil((count - core) / cores),
    step: cores,
    ...(project === undefined ? {} : { project }),
  }));
  const add = (message: unknown) => {
    const told = message as Told; // as `runShare` tells it
    totals.add(told);
    onOutcome?.(totals);
  };
  await Promise.all(shares.map((share) => runInTurn(share, add)));
  return totals;
}

/** A process keeps some 0.7 MB of each schedule, so it runs a thousand and makes way for the next. */
const MOST_IN_A_PROCESS = 1000;

async function runInTurn(share: Share, onTold: (told: unknown) => void): Promise<void> {
  const { from, count, step } = share;
  for (let done = 0; done < count; done += MOST_IN_A_PROCESS) {
    const part = { from: from + done * step, count: Math.min(MOST_IN_A_PROCESS, count - done) };
    await runElsewhere('share', { ...share, ...part }, onTold);
  }
}

/**
 * Runs a share in another process.
 *
 * @param task of `npm run soak`
 * @throws when that process fails
 */
export function runElsewhere(
  task: string,
  share: object,
  onTold: (told: unknown) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(CHILD, [task, JSON.stringify(share)], { execArgv: [] });
    child.on('message', onTold);
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the process of ${JSON.stringify(share)} ended with ${code}`));
    });
  });
}

/** Runs a share in this process and tells the one that asked for it. */
export async function runShare({ from, count, step, project, stopsAtViolation }: Share) {
  const server = await Server.open(project);
  const engine = await loadEngine(project);
  for (let i = 0; i < count; i++) {
    const outcome = await runSchedule(from + i * step, { server, engine });
    await tell({ ...outcome, faults: [...outcome.faults] } satisfies Told);
    if (stopsAtViolation && outcome.violations.length > 0) break;
  }
  await server.close();
}

/** To the process that asked for a share. */
export function tell(told: object): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!process.send) throw new Error('nobody asked for this share');
    process.send(told, (error: Error | null) => (error ? reject(error) : resolve()));
  });
}
