import { readPendingChanges } from '../src/db/pending-read.ts';
import { REPLAY, REPLAY_TAG } from '../src/domain/worker-messages.ts';
import { BACKEND_URL, PUBLISHABLE_KEY } from '../src/remote/config.ts';
import { shopperRemote } from '../src/remote/shopper.ts';
import { keptToken, replay } from '../src/sync/replay.ts';

/** TypeScript's libraries lack Background Sync. Source: wicg.github.io/background-sync/spec. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}

declare global {
  interface ServiceWorkerGlobalScopeEventMap {
    sync: SyncEvent;
  }
}

/** How long the worker waits for a hidden page to send the changes. A frozen page never does. */
const PAGE_MS = 4000;
const LOOK_EVERY_MS = 500;

/** Sends the pending changes when the platform reports the network. If that fails, the platform reports again. */
export function replayOnSync(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener('sync', (event) => {
    if (event.tag === REPLAY_TAG) event.waitUntil(run(worker.clients));
  });
}

async function run(clients: Clients): Promise<void> {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const page of pages) page.postMessage(REPLAY);
  // A visible page sends the changes itself, and can renew the session. The worker does not wait for
  // it, because an event under way would hold up a new version.
  if (pages.some(({ visibilityState }) => visibilityState === 'visible')) return;
  if (pages.length > 0 && (await isDoneByPage())) return;
  const pending = await readPendingChanges();
  if (!pending) return;
  const backend = { url: BACKEND_URL, key: PUBLISHABLE_KEY };
  const remote = shopperRemote(backend, keptToken(pending.session, Date.now));
  const outcome = await replay(pending, remote, new AbortController().signal);
  if (outcome === 'failed') throw new Error('the pending changes could not be sent');
}

async function isDoneByPage(): Promise<boolean> {
  for (let waited = 0; waited < PAGE_MS; waited += LOOK_EVERY_MS) {
    if ((await readPendingChanges()) === null) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return false;
}
