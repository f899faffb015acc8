/** The entry of the import's worker, which keeps the page's thread free of reading, checking and sending. */
import '../../browser/blocked-channel.ts'; // before `db/open.ts`, which loads Dexie
import { expose, releaseProxy, type Remote } from 'comlink';
import { pause } from '../../browser/pause.ts';
import { tryOnDevice } from '../../db/open.ts';
import { importCalls } from '../../remote/import-calls.ts';
import { openImporter } from './importer.ts';
import type { ImportWorker, PageCallbacks } from '../protocol.ts';

const { origin } = globalThis.location;

const importer = openImporter({
  ...importCalls(origin, fetch),
  random: Math.random,
  newId: () => crypto.randomUUID(),
  pause,
  withCatalogue: tryOnDevice,
});

/** The page's callbacks come as Comlink proxies, each of which holds a channel open until released. */
const exposed: ImportWorker = {
  ...importer,
  check: (file, choice, onProgress) =>
    releasing(onProgress, () => importer.check(file, choice, onProgress)),
  send: (page, isRange) => releasing(page, () => importer.send(page, isRange)),
};

expose(exposed);

/** Runs a task and then releases the proxy. */
async function releasing<T>(proxy: unknown, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } finally {
    (proxy as Remote<PageCallbacks>)[releaseProxy](); // `client.ts` wraps `onProgress` and `page` in Comlink's `proxy`
  }
}
