/** Checks at the end of a schedule that all changes are on the server, and that phones keep no data of others. */
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
