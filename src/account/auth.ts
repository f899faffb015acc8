import { hideShopperExcept } from '../db/feed-stores.ts';
import { hearTabs, pageSession } from '../db/session-store.ts';
import { createAuth } from '../remote/auth/auth.ts';
import { BACKEND_URL, PUBLISHABLE_KEY } from '../remote/config.ts';
import { forgetAnyDeferred } from '../ui/deferred-change.ts';

/** The auth client of this page. */
export const auth = createAuth({
  url: BACKEND_URL,
  key: PUBLISHABLE_KEY,
  siteUrl: globalThis.location.origin,
  store: pageSession,
  fetch: (...request) => globalThis.fetch(...request),
  now: Date.now,
  locks: globalThis.navigator?.locks,
});

/** Applies what other tabs tell of the session at once: a frozen tab may keep this tab from reading the database. */
export function followOtherTabs(): void {
  hearTabs((news) => {
    if (news.kind === 'logout') {
      forgetInTab();
      hideShopperExcept(null);
    }
    pageSession.hear(news);
  });
}

/**
 * Deletes what this tab has stored in `sessionStorage`, such as the order whose payment page it has opened: the
 * next shopper of a shared computer may use the same tab.
 */
export function forgetInTab(): void {
  forgetAnyDeferred();
  try {
    sessionStorage.clear();
  } catch {
    // A blocked storage holds nothing.
  }
}
