import { connection } from '../db/connection.ts';
import { showNoOther } from '../db/feed-stores.ts';
import { sessionStore } from '../db/identity.ts';
import { tabs } from '../db/tab-channel.ts';
import { createAuth } from '../remote/auth/auth.ts';
import { BACKEND_URL, PUBLISHABLE_KEY } from '../remote/config.ts';
import { forgetInTab } from './tab-storage.ts';

/** The auth client of this page, over the database that is open: the device's or the one in memory. */
export const auth = createAuth({
  url: BACKEND_URL,
  key: PUBLISHABLE_KEY,
  siteUrl: globalThis.location.origin,
  store: sessionStore(
    () => connection.db,
    (work) => connection.failover.keep(work),
  ),
});

/** Follows a logout in another tab at once: a frozen tab may keep this tab from reading it in the database. */
export function agreeWithTabs(): void {
  tabs.open();
  tabs.listen((message) => {
    if (message.kind !== 'shopper') return;
    if (message.uid === null) forgetInTab();
    void connection.failover.forgetAllBut(message.uid);
    showNoOther(message.uid);
  });
}
