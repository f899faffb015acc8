/**
 * The invitation to keep the shop on the home screen: once somebody has come back, or has put
 * something into the cart or among the favourites; never in the installed app, never where it
 * cannot be done, and never again once it was closed. A browser that keeps nothing is not asked,
 * for it could not keep the answer either.
 */
import { piecesIn } from '../cart/queries.ts';
import { shopperStore } from '../db/shopper-store.ts';
import { installPrompt, onInstallPrompt } from './install-prompt.ts';
import { offer } from './offers.ts';

const CLOSED = 'invitation-closed';
const VISITED = 'visited';

const NAME = import.meta.env.VITE_STORE_NAME;
const TEXT = `Keep ${NAME} on this device? It opens without a signal.`;
/** Safari on iOS has no question of its own to ask. Its share sheet names the entry so. */
const IOS_TEXT = `Keep ${NAME} on this device? Tap Share, then “Add to Home Screen”.`;

export function inviteToInstall(): void {
  window.addEventListener('appinstalled', neverAgain);
  if (isInstalled() || localStore(() => localStorage.getItem(CLOSED)) !== null) return;
  let isInterested = isReturn();
  let known = shownOf();
  let isDone = false;

  function look(): void {
    const ask = installPrompt();
    if (isDone || !isInterested || !isCalm() || (!ask && !isIos())) return;
    isDone = true;
    offer({
      text: ask ? TEXT : IOS_TEXT,
      action: ask ? { label: 'Install', run: ask } : { label: 'Got it', run: () => undefined },
      onClosed: neverAgain,
    });
  }

  onInstallPrompt(look);
  shopperStore.subscribe(() => {
    const next = shownOf();
    // Another shopper's data are not a sign of anybody's interest.
    const isTap = next !== null && next.uid === known?.uid && next.size !== known.size;
    if (isTap && next.unsaved > 0) isInterested = true;
    known = next;
    look();
  });
  look();
}

function shownOf() {
  const view = shopperStore.snapshot();
  if (!view) return null;
  const size = piecesIn(view) + view.data.favourites.length;
  return { uid: view.shopper.uid, unsaved: view.unsaved, size };
}

/** Whoever pays, signs in or imports is not to be asked something else. */
function isCalm(): boolean {
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

/** Whether this is not the first time that the shop was opened here. A tab is one visit. */
function isReturn(): boolean {
  return (
    localStore(() => {
      const visited = localStorage.getItem(VISITED);
      if (sessionStorage.getItem(VISITED) === null) {
        sessionStorage.setItem(VISITED, visited === null ? 'first' : 'again');
        localStorage.setItem(VISITED, '1');
      }
      return sessionStorage.getItem(VISITED);
    }) === 'again'
  );
}

function neverAgain(): void {
  localStore(() => {
    localStorage.setItem(CLOSED, '1');
    return null;
  });
}

/** A store that is blocked or full: as if the invitation had been closed. */
function localStore(use: () => string | null): string | null {
  try {
    return use();
  } catch {
    return 'blocked';
  }
}
