import { showNoOther } from '../db/feed-stores.ts';
import { pageSession } from '../db/session-store.ts';
import { tabs } from '../db/tab-channel.ts';
import { createAuth } from '../remote/auth/auth.ts';
import { BACKEND_URL, PUBLISHABLE_KEY } from '../remote/config.ts';
import { forgetInTab } from './tab-storage.ts';

/** The auth client of this page. */
export const auth = createAuth({
  url: BACKEND_URL,
  key: PUBLISHABLE_KEY,
  siteUrl: globalThis.location.origin,
  store: pageSession,
});

/** Follows a logout in another tab at once: a frozen tab may keep this tab from reading it in the database. */
export function agreeWithTabs(): void {
  tabs.open((news) => {
    if (news.kind === 'logout') {
      forgetInTab();
      showNoOther(null);
    }
    pageSession.hear(news);
  });
}
