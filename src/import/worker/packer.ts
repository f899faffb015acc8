import { wrap } from 'comlink';
import { withTimeout } from '../../db/open.ts';
import type { Pack } from '../../remote/upload.ts';

/**
 * Packs parts in a worker of its own, which starts with the first part. Packing takes about as long as
 * reading, and the import's worker reads the next part meanwhile. Null where the browser cannot pack.
 */
export function openPacker(): Pack | null {
  if (!('CompressionStream' in globalThis && 'Worker' in globalThis)) return null;
  let pack: Pack | null = null;
  return (csv) => (pack ??= startWorker())(csv);
}

/** Limit for a part. A slow phone needs a small share of it, even with the download of the worker's script. */
const PATIENCE_MS = 30_000;

/** The returned function rejects when the worker's script did not arrive, or the worker does not answer in time. */
function startWorker(): Pack {
  const worker = new Worker(new URL('./pack-worker.ts', import.meta.url), { type: 'module' });
  const pack = wrap<Pack>(worker);
  const failure = new Promise<never>((_, reject) => {
    worker.addEventListener('error', ({ error, message }) => {
      reject(new Error('the packer stopped', { cause: error ?? message }));
    });
  });
  // Without this the browser would report an unhandled rejection between two calls. Each call rejects by itself.
  failure.catch(() => undefined);
  return (csv) => withTimeout(Promise.race([pack(csv), failure]), PATIENCE_MS);
}
