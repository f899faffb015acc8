import { proxy, wrap } from 'comlink';
import type { ImportWorker } from './protocol.ts';

export interface ImportClient extends ImportWorker {
  /** Ends the worker, even in the middle of its work. */
  close(): void;
}

/** Opens the import's worker for a page. */
export function openImportWorker(): ImportClient {
  const worker = new Worker(new URL('./worker/worker.ts', import.meta.url), { type: 'module' });
  const remote = wrap<ImportWorker>(worker);
  /** Rejects when the worker's script did not arrive or ran out of memory: then no call is answered. */
  const failure = new Promise<never>((_, reject) => {
    worker.addEventListener('error', (event) => {
      const message = 'The file reader didn’t start. Reload the page.';
      reject(new Error(message, { cause: event.error ?? event.message }));
    });
  });
  failure.catch(() => undefined); // `orFailure` reports it
  const orFailure = <T>(answer: T): Promise<Awaited<T>> => Promise.race([answer, failure]);

  return {
    check: (file, choice, onProgress) => orFailure(remote.check(file, choice, proxy(onProgress))),
    send: (page, isRange) => orFailure(remote.send(proxy(page), isRange)),
    cancel: () => void remote.cancel(),
    report: () => orFailure(remote.report()),
    rejectedRows: () => orFailure(remote.rejectedRows()),
    judge: (cells) => orFailure(remote.judge(cells)),
    exportCatalogue: () => orFailure(remote.exportCatalogue()),
    close: () => worker.terminate(),
  };
}
