/**
 * Updates the shop. The browser downloads a new version, which waits in a worker of its own, and a
 * notice offers it. When the user agrees in one tab, all tabs reload. A tab that is in use keeps its
 * version, whose scripts the new worker caches for it, and reloads once it is no longer in use.
 */
import { Workbox } from 'workbox-window';
import { CONSENT } from '../domain/worker-messages.ts';
import { onWakeUp } from '../browser/page-events.ts';
import { notify } from '../ui/notices.ts';
import { isInUse } from './in-use.ts';
import { whenNoNotice } from './when-no-notice.ts';

/** A page that stays open asks for a new version at most once an hour. */
const ASK_EVERY_MS = 3_600_000;
/** How often a tab that waits for a reload checks whether it is in use. */
const LOOK_EVERY_MS = 500;

/** Registers the service worker, which opens the shop offline, and looks for new versions. */
export async function followVersions(isFirstVisit: boolean): Promise<void> {
  const { serviceWorker } = navigator;
  // A worker replaces another only after the user has agreed, maybe in another tab. Workbox listens to this
  // event only after it has registered, which may be too late.
  serviceWorker.addEventListener('controllerchange', reloadWhenFree);
  const workbox = new Workbox('/sw.js');
  // Listens before it registers, because `register` reports a waiting worker only once.
  workbox.addEventListener('waiting', ({ sw }) => sw && offerVersion(sw));
  const registration = await workbox.register({ immediate: true });
  if (!registration) return;
  watch(registration);
  askForUpdates(workbox);
  const { active } = await serviceWorker.ready;
  // The worker (`sw/pictures.ts`) caches what the page loaded before it started.
  if (isFirstVisit) active?.postMessage({ pictures: picturesOnScreen() });
}

function picturesOnScreen(): string[] {
  return [...document.images].filter((image) => image.complete).map((image) => image.currentSrc);
}

function askForUpdates(workbox: Workbox): void {
  let lastMs = Date.now();
  onWakeUp(() => {
    if (Date.now() - lastMs < ASK_EVERY_MS) return;
    lastMs = Date.now();
    void workbox.update().catch(() => undefined);
  });
}

/**
 * Listens for new versions as long as the page is open. Workbox itself stops after the first new version.
 * Source: github.com/GoogleChrome/workbox/issues/3285.
 */
function watch(registration: ServiceWorkerRegistration): void {
  const follow = () => {
    const { installing: next } = registration;
    next?.addEventListener('statechange', () => {
      // The very first worker replaces no other, so there is nothing to offer.
      if (next.state === 'installed' && registration.active) offerVersion(next);
    });
  };
  registration.addEventListener('updatefound', follow);
  follow();
}

let offered: ServiceWorker | null = null;

/** Offers a waiting version once. The offer replaces that of an older version. */
function offerVersion(next: ServiceWorker): void {
  if (next === offered) return;
  offered = next;
  whenNoNotice(() => {
    if (next !== offered) return;
    notify('status', 'A new version is ready.', { label: 'Update', run: () => void agree() });
  });
}

async function agree(): Promise<void> {
  if (isInUse()) {
    notify('status', 'We’ll update as soon as you’ve finished typing or submitting.');
  }
  // A newer version than the offered one may have arrived meanwhile.
  const { waiting: next } = await navigator.serviceWorker.ready;
  const follow = () => {
    // A page without a worker, as on a first visit, gets no `controllerchange`.
    if (!next || next.state === 'activated') reloadWhenFree();
  };
  next?.addEventListener('statechange', follow);
  follow();
  next?.postMessage(CONSENT);
}

let isReloading = false;

function reloadWhenFree(): void {
  if (isReloading) return;
  isReloading = true;
  let wasFree = false;
  const look = () => {
    // Reloads when the tab was not in use at two checks in a row: by then the last tap is stored.
    const isFree = !isInUse();
    if (isFree && wasFree) location.reload();
    else setTimeout(look, LOOK_EVERY_MS);
    wasFree = isFree;
  };
  look();
}
