/**
 * Invites the user to put the shop on the home screen, once they have come back or have changed the
 * cart or the favourites. It never shows in the installed app, on a platform that cannot install
 * the shop, or after the user has closed it.
 */
import { localKey, sessionKey } from '../browser/storage-key.ts';
import { piecesIn } from '../cart/queries.ts';
import { shopperStore } from '../db/shopper-store.ts';
import { dismissNotice, noticeStore, notify } from '../ui/notices.ts';
import { installPrompt, onInstallPrompt } from './install-prompt.ts';
import { whenNoNotice } from './when-no-notice.ts';

const closedKey = localKey('invitation-closed');
/** Stored once this browser has opened the shop. */
const visitedKey = localKey('visited');
/** `again` if `visitedKey` was stored when this tab opened the shop, otherwise `first`. */
const tabVisitKey = sessionKey('visited');

const NAME = import.meta.env.VITE_STORE_NAME;
const TEXT = `Add ${NAME} to this device? It opens even when you’re offline.`;
/** Safari on iOS offers no install dialog. Its share sheet names the entry like this. */
const IOS_TEXT = `Add ${NAME} to this device? Tap Share, then “Add to Home Screen”.`;

export function inviteToInstall(): void {
  window.addEventListener('appinstalled', neverAgain);
  if (isInstalled() || closedKey.read() !== null) return;
  let isInterested = isReturnVisit();
  let last = shopperSize();
  let isDone = false;

  function inviteOnce(): void {
    const mayInstall = installPrompt() !== null || isIos();
    if (isDone || !isInterested || !mayInstall || !isOnBrowsingScreen()) return;
    isDone = true;
    whenNoNotice(invite);
  }

  onInstallPrompt(inviteOnce);
  shopperStore.subscribe(() => {
    const next = shopperSize();
    // The size also changes when another shopper signs in, which is no sign of interest.
    const isOwnChange = next !== null && next.uid === last?.uid && next.size !== last.size;
    // A change by another phone leaves nothing unsaved here.
    if (isOwnChange && next.unsaved > 0) isInterested = true;
    last = next;
    inviteOnce();
  });
  inviteOnce();
}

function invite(): void {
  const ask = installPrompt();
  // The user has installed the shop from the browser's own menu meanwhile.
  if (!ask && !isIos()) return;
  const action = ask ? { label: 'Install', run: ask } : { label: 'Got it' };
  notify('status', ask ? TEXT : IOS_TEXT, { ...action, onClosed: neverAgain });
  // After an installation from that menu this button would do nothing.
  window.addEventListener('appinstalled', () => {
    if (noticeStore.snapshot()?.text === TEXT) dismissNotice();
  });
}

/** How much is in the signed-in shopper's cart and favourites together; null when signed out. */
function shopperSize() {
  const view = shopperStore.snapshot();
  if (!view) return null;
  const size = piecesIn(view) + view.data.favourites.length;
  return { uid: view.shopper.uid, unsaved: view.unsaved, size };
}

/** Whether the user is on a screen where they do not pay, sign in or import. */
function isOnBrowsingScreen(): boolean {
  return ['/', '/cart', '/orders'].includes(location.pathname);
}

function isInstalled(): boolean {
  // Safari's own property, older than the media query there.
  const isStandalone = 'standalone' in navigator && navigator.standalone === true;
  return isStandalone || matchMedia('not (display-mode: browser)').matches;
}

/** An iPad calls itself a Mac, but no Mac has a touch screen. */
function isIos(): boolean {
  return (
    'standalone' in navigator &&
    (/iPhone|iPad/.test(navigator.userAgent) || navigator.maxTouchPoints > 1)
  );
}

/** Whether the user has opened the shop in this browser before. One tab is one visit. */
function isReturnVisit(): boolean {
  if (tabVisitKey.read() === null) {
    tabVisitKey.write(visitedKey.read() === null ? 'first' : 'again');
    visitedKey.write('1');
  }
  return tabVisitKey.read() === 'again';
}

function neverAgain(): void {
  closedKey.write('1');
}
