/**
 * What must hold once all is settled. The rest is checked as it happens: invariants 1 to 3 whenever
 * the server has written (oracle.ts), 5 at every state of a phone (phone.ts), 6 at every request and
 * whatever is shown (world.ts, person.ts), 7 at every tap (taps.ts), 8 at every failing request
 * (failures.ts), the budget of 4 while healing (healing.ts).
 */
import type { World } from './world.ts';

export async function checkEnd(world: World): Promise<void> {
  const { oracle, verdicts, server, clock } = world;
  for (const { id, uid, phone, isTakenAway } of oracle.made) {
    if (isTakenAway || oracle.applied(uid, id) || oracle.isLost(uid, id)) continue;
    verdicts.break(1, `${id} was made durable on ${phone} and never came to the server`);
  }
  for (const uid of world.users) {
    oracle.checkFinal(uid, await clock.outside(() => server.seen(uid)));
  }
  for (const phone of world.phones) {
    for (const id of phone.late) {
      if (!oracle.madeBy(id)) verdicts.break(1, `${id} was kept by ${phone.name} and never stored`);
    }
    const { bases, outbox } = phone.storage.durable;
    if (outbox.length > 0) verdicts.break(4, `the outbox of ${phone.name} is not empty`);
    for (const base of bases) {
      if (base.uid !== phone.shopper?.uid) {
        verdicts.break(4, `${phone.name} holds data of a shopper who is not signed in there`);
      } else if (base.ver !== oracle.versionOf(base.uid)) {
        verdicts.break(4, `the base of ${phone.name} is not the server’s`);
      }
      phone.checkShown(base.uid, base, phone.pendingOf(base.uid));
    }
  }
}
