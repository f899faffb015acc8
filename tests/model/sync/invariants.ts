/**
 * Checks what must hold at the end of a schedule. Other checks run during it: invariants 1 to 3 whenever the
 * server has written (oracle.ts), the time limit of 4 and 9 after the last fault (recovery.ts), 5 and 10 at
 * every state of a phone (phone-checks.ts), 6 at every request and screen (signed-in-shopper.ts), 7 at every
 * tap (taps.ts), 8 at every failing request (failed-requests.ts), 11 at every answer (resends.ts), 12 when a
 * tap of a visitor is stored, and after its login (deferred-taps.ts, before-login.ts).
 */
import type { World } from './world.ts';

export async function checkEnd(world: World): Promise<void> {
  const { oracle, verdicts, server, clock } = world;
  for (const { id, uid, phone, isGoneFromPhone } of oracle.changes) {
    if (isGoneFromPhone || oracle.applied(uid, id) || oracle.isLost(uid, id)) continue;
    verdicts.break(1, `${id} was stored on ${phone} and never reached the server`);
  }
  for (const uid of world.users) {
    oracle.checkFinal(uid, await clock.inRealTime(() => server.rowsOf(uid)));
  }
  for (const phone of world.phones) {
    for (const id of phone.everInLocalStorage) {
      if (oracle.changeWithId(id)) continue;
      verdicts.break(1, `${id} was in localStorage of ${phone.name} and never in its outbox`);
    }
    const { bases, outbox } = phone.storage.rows;
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
