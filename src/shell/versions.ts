/**
 * New versions of the shop. The browser brings one, which waits in a worker of its own; a quiet
 * notice offers it, and when the shopper agrees in one tab, all tabs are loaded anew. A tab that is
 * in use goes on with the version it has, whose scripts the new worker keeps for it, and follows
 * when it is free.
 */
import { CONSENT } from '../domain/worker-messages.ts';
import { onWakeUp } from '../sync/page-events.ts';
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
  // A worker only takes over from another when somebody has agreed.
  serviceWorker.addEventListener('controllerchange', reloadWhenFree);
  const registration = await serviceWorker.register('/sw.js');
  watch(registration);
  askNowAndThen(registration);
  const { active } = await serviceWorker.ready;
  // Pictures that came before the worker did have not passed through its cache.
  if (isFirstVisit) active?.postMessage({ pictures: picturesOnScreen() });
}

function picturesOnScreen(): string[] {
  return [...document.images].filter((image) => image.complete).map((image) => image.currentSrc);
}

function askNowAndThen(registration: ServiceWorkerRegistration): void {
  let lastMs = Date.now();
  onWakeUp(() => {
    if (Date.now() - lastMs < ASK_EVERY_MS) return;
    lastMs = Date.now();
    void registration.update().catch(() => undefined);
  });
}

function watch(registration: ServiceWorkerRegistration): void {
  let offered: ServiceWorker | null = null;
  const look = () => {
    const next = registration.waiting;
    // The very first worker does not wait for anybody.
    if (!next || next === offered || !registration.active) return;
    offered = next;
    offer({
      text: 'A new version is ready.',
      action: { label: 'Update', run: () => agree(next) },
    });
  };
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', look);
  });
  look();
}

function agree(next: ServiceWorker): void {
  if (isInUse()) {
    notify('status', 'The new version opens when what is being typed or sent here is done.');
  }
  const follow = () => {
    // A page without a worker, as on a first visit, hears of no other change.
    if (next.state === 'activated') reloadWhenFree();
  };
  next.addEventListener('statechange', follow);
  follow();
  next.postMessage(CONSENT);
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
