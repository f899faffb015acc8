/**
 * A limit on failing requests: however many tabs are open and whatever wakes them, a shop that is
 * unwell hears at most 20 a minute from one device.
 *
 * It is a leaky bucket as one number, the time until which all that has failed is paid for (GCRA, as
 * in ITU-T I.371). The number lies in the database, where all tabs find it. While something is owed,
 * a request is paid for before it is sent, so several tabs do not use the same room, and gets its
 * price back when it succeeds: once the shop answers, nobody waits for another.
 */
import type { FailureBudget } from '../domain/failure.ts';
import type { WeftDatabase } from './database.ts';

/** Each failure is paid for by so much time. */
const EACH_MS = 5000;
/** So many may follow one another without a pause. */
const AT_ONCE = 6;
/** Of these, so many only when a person or the network has just come back. */
const FOR_WAKING = 2;
/** A clock that was set back must not keep the shop away. */
const MOST_MS = 60_000;

export function failureBudget(open: () => WeftDatabase, now: () => number): FailureBudget {
  /** Whether the request under way is paid for. */
  let isPaid = false;

  async function debtMs(db: WeftDatabase): Promise<number> {
    const row = await db.meta.get('failure-debt');
    const paidAtMs = row?.key === 'failure-debt' ? row.paidAtMs : 0;
    return Math.min(Math.max(paidAtMs - now(), 0), MOST_MS);
  }

  /**
   * `next` answers what is owed from now on, from what is owed so far; null leaves it so. A database
   * that fails limits nothing: whoever reads and writes more than this tells of it.
   */
  async function change(next: (debt: number) => number | null): Promise<void> {
    const db = open();
    await db
      .transaction('rw', db.meta, async () => {
        const debt = next(await debtMs(db));
        if (debt !== null) await db.meta.put({ key: 'failure-debt', paidAtMs: now() + debt });
      })
      .catch(() => undefined);
  }

  const owe = () => change((debt) => debt + EACH_MS);

  return {
    async take(isWoken) {
      isPaid = false;
      // Nothing is owed: nothing is written either.
      if ((await debtMs(open()).catch(() => 0)) === 0) return 0;
      const room = (AT_ONCE - 1 - (isWoken ? 0 : FOR_WAKING)) * EACH_MS;
      let waitMs = 0;
      await change((debt) => {
        waitMs = Math.max(0, debt - room);
        isPaid = waitMs === 0;
        return isPaid ? debt + EACH_MS : null;
      });
      return waitMs;
    },

    async settle(hasFailed) {
      if (isPaid && !hasFailed) await change((debt) => Math.max(0, debt - EACH_MS));
      if (!isPaid && hasFailed) await owe();
      isPaid = false;
    },

    spend: owe,
  };
}
