import { Verdicts } from '../kit/verdicts.ts';

/**
 * What must hold, for every phone and every change.
 *
 * 1. Each change reaches the server once, as what it was made as.
 * 2. The changes of one phone are applied in their order.
 * 3. The server's rows are the fold of what was applied, and each state has a version of its own.
 * 4. Outboxes become empty, and phones become equal to the server.
 * 5. A phone shows the server's rows with exactly those own changes that are not yet in them.
 * 6. Nothing is shown to, or sent as, another person.
 * 7. The shop opens, and each tap is answered within a second by its effect or by words.
 * 8. One phone makes at most 20 failing requests a minute.
 * 9. What is kept in memory goes back to the device once that is well.
 * 10. Only the auth service ends a session.
 * 11. A batch that was answered is not sent again.
 */
export type Invariant = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;

/** Of a schedule of phones, told with the simulated time. */
export class SyncVerdicts extends Verdicts<Invariant> {
  constructor(now: () => number, log?: (line: string) => void) {
    super(log && ((line) => log(`${(now() / 1000).toFixed(3).padStart(9)} s  ${line}`)));
  }
}
