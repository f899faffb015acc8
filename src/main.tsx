import { startTransition } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { handleAuthRedirect } from './account/auth-redirect.ts';
import { catalogueStore } from './db/catalogue-store.ts';
import { fillStores } from './db/first-read.ts';
import { showFirstPage } from './first-visit/first-page.ts';
import { App } from './shell/app.tsx';
import { keepFirstScreen, takeOverFirstScreen } from './first-visit/first-screen.ts';
import { registerServiceWorker } from './pwa/service-worker.ts';
import { onWakeUp } from './browser/page-events.ts';
import { notify } from './ui/notices.ts';

/** Draws the shell over what this device holds, then starts what keeps that and renews it. */
async function start(root: HTMLElement): Promise<void> {
  const href = handleAuthRedirect();
  void showFirstPage();
  if (!(await fillStores())) {
    // Where the device does not answer, the services goes on without it: then with what the network has.
    await runServices(href);
    if (root.querySelector('main')) await catalogueShown();
  }
  if (root.querySelector('main')) {
    // A screen kept from the last visit, or a stranger's first, is standing there: it is replaced by
    // the same in one step. Nothing may happen between looking at the one and drawing the other.
    const giveBackFocus = takeOverFirstScreen();
    flushSync(() => createRoot(root).render(<App />));
    giveBackFocus();
  } else {
    // Nothing waits to be touched: in steps, so that a slow phone is not held up by any of them.
    startTransition(() => createRoot(root).render(<App />));
  }

  keepFirstScreen(root);
  onWakeUp(() => void runServices(href));
  // On a first visit the worker asks for everything there is: the services goes before.
  void runServices(href).finally(registerServiceWorker);
}

/** A kept screen gives way to products, but not for ever to a network that has none either. */
const KEPT_SCREEN_MS = 2000;

function catalogueShown(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, KEPT_SCREEN_MS);
    const look = () => {
      if (catalogueStore.snapshot()?.index.size) resolve();
    };
    catalogueStore.subscribe(look);
    look();
  });
}

let services: Promise<void> | null = null;
let isTold = false;
const RETRY_MS = 10_000;

/** Asks for the services, unless it runs; again, when it did not arrive the last time. */
function runServices(href: string): Promise<void> {
  services ??= import('./services.ts').then(
    ({ startServices }) => startServices(href),
    () => {
      services = null;
      setTimeout(() => void runServices(href), RETRY_MS);
      if (isTold) return;
      isTold = true;
      notify('alert', 'The shop did not arrive whole. The signal may have been lost.', {
        label: 'Try again',
        run: () => location.reload(),
      });
    },
  );
  return services;
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has lost its #root');
void start(root);
