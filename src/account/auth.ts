import { connection } from '../db/connection.ts';
import { showNoOther } from '../db/feed-stores.ts';
import { sessionStore } from '../db/identity.ts';
import { tabs } from '../db/tab-channel.ts';
import { createAuth } from '../remote/auth/auth.ts';
import { BACKEND_URL, PUBLISHABLE_KEY } from '../remote/config.ts';
import { announcingToTabs, fetchUnlessRenewedElsewhere, followTabs } from './other-tabs.ts';
import { forgetInTab } from './tab-storage.ts';

const stored = sessionStore(
  () => connection.db,
  (work) => connection.failover.keep(work),
);

/** The auth client of this page, over the database that is open: the device's or the one in memory. */
export const auth = createAuth({
  url: BACKEND_URL,
  key: PUBLISHABLE_KEY,
  siteUrl: globalThis.location.origin,
  store: announcingToTabs(stored, connection, tabs),
  fetch: fetchUnlessRenewedElsewhere(stored, connection, tabs),
});

/** Keeps the sessions of this tab and of the other tabs the same. */
export function agreeWithTabs(): void {
  followTabs(stored, connection, tabs, (uid) => {
    if (uid === null) forgetInTab();
    showNoOther(uid);
  });
}
