/**
 * Checks at the end of a schedule that all changes are on the server, and that phones keep no data of others.
 * Other files check the invariants earlier. By their numbers in verdicts.ts:
 *
 * - 1, what a tap stores: at the tap (taps.ts), and at each new row of an outbox (phone.ts)
 * - 1 to 3, what the server applies: whenever it has written (oracle.ts)
 * - 4, that outboxes become empty and phones equal to the server: after the last fault (recovery.ts)
 * - 5 and 10, what a phone stores: after each of its transactions (phone-checks.ts)
 * - 6, whose data are shown and sent: at every screen and request (signed-in-shopper.ts)
 * - 7, that taps are answered (taps.ts); 8, how many requests fail (failed-requests.ts)
 * - 9, sessions and memory: at renewals (network.ts), taps (taps.ts) and the end of all faults (recovery.ts)
 * - 11, what is sent again: at every answer (resends.ts)
 * - 12, taps before a login: when one is stored (deferred-taps.ts)
 */
import type { World } from './world.ts';

export async function checkEnd(world: World): Promise<void> {
  const { oracle, verdicts, server, clock } = world;
  for (const { id, uid, phone, isGoneFromPhone } of oracle.changes) {
    // A change that has left its phone was judged when it left (phone-checks.ts).
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
    for (const { uid } of phone.storage.rows.bases) {
      if (uid === phone.shopper?.uid) continue;
      verdicts.break(6, `${phone.name} holds data of a shopper who is not signed in there`);
    }
  }
}
