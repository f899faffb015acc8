/** What the import bench runs in the browser: a page with a file field, as the import's own is. */
import { proxy, type Remote, wrap } from 'comlink';
import type { CheckOutcome, Choice, ImportWorker, SendOutcome } from '../../src/import/protocol.ts';
import type { DecodeWorker } from './import-decode-worker.ts';

const DETECT_ALL: Choice = {
  encoding: null,
  delimiter: null,
  decimalMark: null,
  columns: {},
  blankCellsClear: false,
};

export interface Timed<T> {
  readonly ms: number;
  /** The longest time between two frames of the page meanwhile. */
  readonly frameGapMs: number;
  readonly outcome: T;
}

let importer: Remote<ImportWorker> | null = null;

/** A second in which nothing is done: what the machine itself makes of the frames. */
export function idle(): Promise<Timed<void>> {
  return measured(() => new Promise<void>((resolve) => setTimeout(resolve, 1000)));
}

export async function decode(): Promise<Timed<number>> {
  const worker = new Worker('/decode.js', { type: 'module' });
  const remote = wrap<DecodeWorker>(worker);
  const timed = await measured(() => remote.decode(chosenFile()));
  worker.terminate();
  return timed;
}

/** In a worker of its own, as a person's first check is. */
export async function check(): Promise<Timed<CheckOutcome>> {
  const worker = new Worker('/worker.js', { type: 'module' });
  const remote = wrap<ImportWorker>(worker);
  importer = remote;
  return measured(() =>
    remote.check(
      chosenFile(),
      DETECT_ALL,
      proxy(() => undefined),
    ),
  );
}

/** What the last check has found. */
export async function send(): Promise<Timed<SendOutcome>> {
  const remote = importer;
  if (!remote) throw new Error('nothing has been checked');
  const token = async () => ({ ok: true, value: 'bench' }) as const;
  const page = { token, freshToken: token, progress: () => undefined, waiting: () => undefined };
  return measured(() => remote.send('bench', proxy(page)));
}

function chosenFile(): File {
  const file = document.querySelector('input')?.files?.[0];
  if (!file) throw new Error('no file is chosen');
  return file;
}

async function measured<T>(work: () => T): Promise<Timed<Awaited<T>>> {
  let isOver = false;
  let frameGapMs = 0;
  let last = performance.now();
  const onFrame = () => {
    const now = performance.now();
    frameGapMs = Math.max(frameGapMs, now - last);
    last = now;
    if (!isOver) requestAnimationFrame(onFrame);
  };
  await new Promise((resolve) => requestAnimationFrame(resolve));
  last = performance.now();
  requestAnimationFrame(onFrame);
  const start = performance.now();
  const outcome = await work();
  const ms = performance.now() - start;
  isOver = true;
  return { ms, frameGapMs, outcome };
}
