import { Verdicts } from '../kit/verdicts.ts';

/**
 * The invariants: what must hold for every phone and every change, and the file that checks it, besides
 * `final-checks.ts`.
 *
 * 1. Each change reaches the server once, with the contents that its phone stored (taps, phone, oracle).
 * 2. The changes of one phone are applied in their order (oracle).
 * 3. The server's rows are what the applied changes make of them, and each state has its own version (oracle).
 * 4. Outboxes become empty, and phones become equal to the server (recovery).
 * 5. A phone shows the server's rows with exactly the phone's changes that are not yet in these rows (phone-checks).
 * 6. Nothing is shown to, or sent as, another person (signed-in-shopper).
 * 7. The shop opens, and each tap takes effect or the page shows a sentence within a second (taps).
 * 8. One phone makes no storm of failing requests, not counting logins (failed-requests).
 * 9. A renewed session outlives a storage that fails (network). In memory only what the server has acknowledged is
 *    confirmed (taps).
 * 10. Only the auth service ends a session (phone-checks).
 * 11. A batch of changes whose push was answered is not sent again (resends).
 * 12. A visitor's tap is stored only for a shopper who has logged in from the tap's alert (deferred-taps).
 * 13. A phone's catalogue goes back only after the database was restored (phone-checks).
 */
export type Invariant = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13;

/** The verdicts of a schedule of phones. Its log begins each line with the simulated time in seconds. */
export class SyncVerdicts extends Verdicts<Invariant> {
  constructor(now: () => number, log?: (line: string) => void) {
    super(log && ((line) => log(`${(now() / 1000).toFixed(3).padStart(9)} s  ${line}`)));
  }
}
