/**
 * New versions of the shop. The browser brings one, which waits in a worker of its own; a quiet
 * notice offers it, and when the shopper agrees in one tab, all tabs are loaded anew. A tab that is
 * in use goes on with the version it has, whose scripts the new worker keeps for it, and follows
 * when it is free.
 */
import { Workbox } from 'workbox-window';
import { CONSENT } from '../domain/worker-messages.ts';
import { onWakeUp } from '../browser/page-events.ts';
import { notify } from '../ui/notices.ts';
import { isInUse } from './in-use.ts';
import { offer } from './offers.ts';

/** A page that stays open for days asks for news no more often than this. */
const ASK_EVERY_MS = 3_600_000;
const LOOK_EVERY_MS = 1000;

/** Installs the worker, which makes the shop open without a signal, and looks for new ones. */
export async function followVersions(): Promise<void> {
  const { serviceWorker } = navigator;
  const isFirstVisit = serviceWorker.controller === null;
  // A worker only takes over from another when somebody has agreed. Workbox listens to this after
  // it has registered, when another tab may have agreed already.
  serviceWorker.addEventListener('controllerchange', reloadWhenFree);
  const workbox = new Workbox('/sw.js');
  // Before registering: Workbox tells at once of a worker that waits already, and only once.
  workbox.addEventListener('waiting', ({ sw }) => sw && offerVersion(sw));
  const registration = await workbox.register({ immediate: true });
  if (!registration) return;
  watch(registration);
  askNowAndThen(workbox);
  const { active } = await serviceWorker.ready;
  // Pictures that came before the worker did have not passed through its cache.
  if (isFirstVisit) active?.postMessage({ pictures: picturesOnScreen() });
}

function picturesOnScreen(): string[] {
  return [...document.images].filter((image) => image.complete).map((image) => image.currentSrc);
}

function askNowAndThen(workbox: Workbox): void {
  let lastMs = Date.now();
  onWakeUp(() => {
    if (Date.now() - lastMs < ASK_EVERY_MS) return;
    lastMs = Date.now();
    void workbox.update().catch(() => undefined);
  });
}

/**
 * Workbox no longer listens for new versions after the first that comes while a page is open.
 * Source: github.com/GoogleChrome/workbox/issues/3285. This does, for as long as the page lives.
 */
function watch(registration: ServiceWorkerRegistration): void {
  const follow = () => {
    const { installing: next } = registration;
    next?.addEventListener('statechange', () => {
      // The very first worker does not wait for anybody.
      if (next.state === 'installed' && registration.active) offerVersion(next);
    });
  };
  registration.addEventListener('updatefound', follow);
  follow();
}

let offered: ServiceWorker | null = null;
let takeBack: () => void = () => undefined;

/** Offers a version that waits, once, and in place of an older one that nobody has looked at. */
function offerVersion(next: ServiceWorker): void {
  if (next === offered) return;
  offered = next;
  takeBack();
  takeBack = offer({
    text: 'A new version is ready.',
    action: { label: 'Update', run: () => void agree() },
  });
}

async function agree(): Promise<void> {
  if (isInUse()) {
    notify('status', 'The new version opens when what is being typed or sent here is done.');
  }
  // Not necessarily the one that was offered: while that stood there, another may have come.
  const { waiting: next } = await navigator.serviceWorker.ready;
  const follow = () => {
    // A page without a worker, as on a first visit, hears of no other change.
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
    // Free twice in a row: what was tapped last is stored by then.
    const isFree = !isInUse();
    if (isFree && wasFree) location.reload();
    else setTimeout(look, LOOK_EVERY_MS / 2);
    wasFree = isFree;
  };
  look();
}
