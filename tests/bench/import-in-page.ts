/** What the import bench runs in the browser, in a page with a file field. */
import { proxy, type Remote, wrap } from 'comlink';
import type { CheckOutcome, ImportWorker, SendOutcome } from '../../src/import/protocol.ts';
import { DETECT_ALL } from '../import/product-files.ts';
import type { DecodeWorker } from './import-decode-worker.ts';
import type { PostWorker } from './import-post-worker.ts';

/** How long a task took in the page, and its result. */
export interface Timed<T> {
  readonly ms: number;
  /** The longest time in milliseconds between two frames of the page meanwhile. */
  readonly frameGapMs: number;
  readonly outcome: T;
}

/** The worker of the last check. */
let importer: Remote<ImportWorker> | null = null;

/** Measures the frame gaps of an idle page for a second, for comparison. */
export function idle(): Promise<Timed<void>> {
  return timed(() => new Promise<void>((resolve) => setTimeout(resolve, 1000)));
}

/** Reads and decodes the chosen file in a worker. */
export async function decode(): Promise<Timed<number>> {
  const worker = new Worker('/decode.js', { type: 'module' });
  const remote = wrap<DecodeWorker>(worker);
  const result = await timed(() => remote.decode(chosenFile()));
  worker.terminate();
  return result;
}

/** Checks the chosen file in a new worker, as the shop's import page does. */
export async function check(): Promise<Timed<CheckOutcome>> {
  const worker = new Worker('/worker.js', { type: 'module' });
  const remote = wrap<ImportWorker>(worker);
  importer = remote;
  return timed(() =>
    remote.check(
      chosenFile(),
      DETECT_ALL,
      proxy(() => undefined),
    ),
  );
}

/** Sends the rows that the last check accepted. */
export async function send(): Promise<Timed<SendOutcome>> {
  const remote = importer;
  if (!remote) throw new Error('nothing has been checked');
  const token = async () => ({ ok: true, value: 'bench' }) as const;
  const nothing = () => undefined;
  const page = {
    token,
    freshToken: token,
    progress: nothing,
    continuing: nothing,
    confirmRange: async () => false,
    waiting: nothing,
  };
  return timed(() => remote.send(proxy(page)));
}

/** Posts once more the parts that `send` has just sent, and returns the milliseconds. */
export async function post(): Promise<number> {
  const worker = new Worker('/post.js', { type: 'module' });
  const ms = await wrap<PostWorker>(worker).post();
  worker.terminate();
  return ms;
}

function chosenFile(): File {
  const file = document.querySelector('input')?.files?.[0];
  if (!file) throw new Error('no file is chosen');
  return file;
}

async function timed<T>(task: () => T): Promise<Timed<Awaited<T>>> {
  let isOver = false;
  let frameGapMs = 0;
  // Begins with a frame, so that the first gap is a whole one.
  await new Promise((resolve) => requestAnimationFrame(resolve));
  let lastFrameMs = performance.now();
  const onFrame = () => {
    const now = performance.now();
    frameGapMs = Math.max(frameGapMs, now - lastFrameMs);
    lastFrameMs = now;
    if (!isOver) requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
  const startMs = performance.now();
  const outcome = await task();
  const ms = performance.now() - startMs;
  isOver = true;
  return { ms, frameGapMs, outcome };
}
