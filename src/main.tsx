import './browser/abort-when-kept.ts';
import './browser/blocked-channel.ts';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { handleAuthRedirect } from './account/link.ts';
import { catalogueStore } from './db/catalogue-store.ts';
import { fillStores } from './db/first-read.ts';
import { showFirstPage } from './first-visit/first-page.ts';
import { App } from './shell/app.tsx';
import { loadProductPage } from './shell/product-screen.tsx';
import { waitsForDatabase } from './shell/screens.tsx';
import { takeOverFirstScreen } from './first-visit/take-over-first-screen.ts';
import { onWakeUp } from './browser/page-events.ts';
import { whenIdle } from './browser/when-idle.ts';
import { notify } from './ui/notices.ts';

/** Renders the shop from this device's data, then starts the services that sync these data. */
async function start(root: HTMLElement): Promise<void> {
  const href = handleAuthRedirect();
  void showFirstPage();
  if (!(await fillStores())) {
    // Without this device's storage the services load the data from the network into memory.
    await runServices(href);
    if (showsScreen(root)) await waitForProducts();
  }
  // React waits until it can draw the product that the document of a first visit shows.
  if (showsScreen(root) && document.getElementById('product')) {
    await Promise.all([loadProductPage().catch(() => undefined), waitForProducts()]);
  }
  await draw(root);

  // Tries again where the script of the services could not be loaded.
  onWakeUp(() => void runServices(href));
  // What React has drawn is painted before the services take the main thread.
  await nextPaint();
  if (!waitsForDatabase(location.pathname)) await idle();
  // On a first visit the worker downloads every file of the shop, so the services go first.
  await runServices(href);
  await idle();
  // If this module cannot be loaded, the shop works without it until the next visit.
  void import('./pwa/after-first-paint.ts').then(
    ({ startAfterFirstPaint }) => startAfterFirstPaint(),
    () => undefined,
  );
  // If the product page's script cannot be loaded now, opening a product loads it.
  await loadProductPage().catch(() => undefined);
}

/**
 * Draws the shop and puts it in the place of `root`. React renders in small steps, so that a slow phone answers
 * between them. It renders outside the document, so that the screen before React stays usable meanwhile.
 */
async function draw(root: HTMLElement): Promise<void> {
  const drawn = root.cloneNode(false) as HTMLElement; // a clone has the type of its original
  const giveBack = await new Promise<() => void>((resolve) => {
    const show = () => resolve(takeOverFirstScreen(root, drawn));
    startTransition(() => createRoot(drawn).render(<App onDrawn={show} />));
  });
  // Still in the task in which React's screen was shown: no tap or letter comes in between.
  giveBack();
}

/** The pause in Safari, which cannot say when a page is idle. */
const SAFARI_PAUSE_MS = 200;
/** A page that is busy for longer starts its services all the same. */
const IDLE_TIMEOUT_MS = 2000;

/** A tap or a scroll comes first: a slow phone answers it between two parts of the start, not after all of them. */
function idle(): Promise<void> {
  return whenIdle(SAFARI_PAUSE_MS, { timeout: IDLE_TIMEOUT_MS });
}

/** A frame is painted within this time, except in a hidden tab. */
const PAINT_MS = 100;

function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, PAINT_MS);
    requestAnimationFrame(() => setTimeout(resolve));
  });
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}

/** Whether the document shows the stored screen of the last visit, or the markup of a first visit. */
function showsScreen(root: HTMLElement): boolean {
  return root.querySelector('main') !== null;
}

/** How long React waits for products before it replaces a screen that is shown already. */
const KEPT_SCREEN_MS = 2000;

function waitForProducts(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, KEPT_SCREEN_MS);
    const resolveIfThere = () => {
      if (catalogueStore.snapshot()?.index.size) resolve();
    };
    catalogueStore.subscribe(resolveIfThere);
    resolveIfThere();
  });
}

let services: Promise<void> | null = null;
let isAnnounced = false;
const RETRY_MS = 10_000;

/** Loads and starts the services once; tries again later if their script could not be loaded. */
function runServices(href: string): Promise<void> {
  services ??= import('./services.ts').then(
    async ({ startServices }) => {
      // The module has been evaluated: a task of its own, so that a tap may come between.
      await nextTask();
      return startServices(href);
    },
    () => {
      services = null;
      setTimeout(() => void runServices(href), RETRY_MS);
      if (isAnnounced) return;
      isAnnounced = true;
      notify('alert', 'The page didn’t load completely. Check your connection.', {
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
