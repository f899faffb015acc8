/** Runs the steps of a scheduled function: one that fails is logged and told, and the others still run. */
import type { Ports } from './ports.ts';
import { withoutStripeMessage } from './provider.ts';

export interface Steps {
  readonly run: (step: string, work: () => Promise<unknown>) => Promise<void>;
  /** How many steps have failed; the next run of the function repeats them. */
  readonly failed: () => number;
}

/** @param job the name of the function, for its log and the operator */
export function openSteps(ports: Ports, job: string): Steps {
  let failed = 0;
  return {
    failed: () => failed,
    async run(step, work) {
      try {
        await work();
      } catch (thrown) {
        failed += 1;
        ports.log(`${job}, ${step}: ${String(withoutStripeMessage(thrown))}`);
        await tellOnceADay(ports, job, step);
      }
    },
  };
}

/** Tells the operator of a failed step, once a day: it may fail every five minutes. */
async function tellOnceADay(ports: Ports, job: string, step: string): Promise<void> {
  const day = ports.now().toISOString().slice(0, 10);
  const message = { p_kind: 'step_failed', p_key: `${job}:${step}:${day}` };
  await ports
    .call('queue_message', { ...message, p_detail: { job, step, day } })
    .catch((thrown: unknown) => ports.log(`${job}, queue_message: ${String(thrown)}`));
}
