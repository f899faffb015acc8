/** The import's thread: the file, its rows and the parts never leave it. */
import { expose, releaseProxy, type Remote } from 'comlink';
import { openImportJobs } from '../../db/import-jobs.ts';
import { tryOnDevice } from '../../db/open.ts';
import { uploader } from '../../remote/upload.ts';
import { openImporter } from './importer.ts';
import type { ImportWorker, Page } from '../protocol.ts';

const importer = openImporter({
  upload: uploader(globalThis.location.origin, (...request) => globalThis.fetch(...request)),
  now: Date.now,
  random: Math.random,
  newId: () => crypto.randomUUID(),
  pause,
  withCatalogue: tryOnDevice,
  jobs: openImportJobs,
  hasRoomFor,
});

/** The page's callbacks come as proxies: each holds a channel open until it is released. */
const exposed: ImportWorker = {
  ...importer,
  check: (file, choice, onProgress) =>
    releasing(onProgress, () => importer.check(file, choice, onProgress)),
  send: (uid, page) => releasing(page, () => importer.send(uid, page)),
  resume: (uid, importId, file, page) =>
    releasing(page, () => importer.resume(uid, importId, file, page)),
};

expose(exposed);

async function releasing<T>(proxy: unknown, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    (proxy as Remote<Page>)[releaseProxy](); // `client.ts` wraps both in Comlink's `proxy`
  }
}

/** A line that is back ends the wait. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener('online', done);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}

/** Half of what is free: carts and the catalogue come first. */
async function hasRoomFor(bytes: number): Promise<boolean> {
  try {
    const { quota = 0, usage = 0 } = await navigator.storage.estimate();
    return bytes <= (quota - usage) / 2;
  } catch {
    return false;
  }
}
