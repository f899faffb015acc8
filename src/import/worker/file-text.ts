/**
 * Reads a file as text, slice by slice. One streaming decoder serves the whole file, so a character across
 * two slices stays whole. While the caller works on one slice, the browser reads the next.
 *
 * A file may change while it is read. The browser notices a change only when it opens the file, as it does
 * for each `slice` of it, and not while it goes on reading.
 */
import type { ReadingPlan } from './plan.ts';

export const SLICE_BYTES = 1024 * 1024;

/** The file has changed, moved or vanished since the user chose it. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** The file has bytes that mean no character in its encoding. */
export class MalformedText extends Error {
  override readonly name = 'MalformedText';
}

export interface TextSlice {
  readonly text: string;
  /** Bytes of the file read so far. */
  readonly bytes: number;
}

export interface TextOptions {
  /** A label of the Encoding Standard. */
  readonly encoding: string;
  /** Whether bytes that mean no character throw, instead of becoming U+FFFD. */
  readonly isFatal?: boolean;
  /**
   * Whether a slice is yielded only when it is certain that the file had not changed before, which takes a
   * sixth longer. Otherwise the reading throws at its end when the file has changed, also where the caller
   * breaks off, but not where the signal aborts.
   */
  readonly isConfirmed?: boolean;
  readonly signal?: AbortSignal;
  readonly sliceBytes?: number | undefined;
}

type ByteOptions = Pick<TextOptions, 'isConfirmed' | 'signal' | 'sliceBytes'>;

/**
 * @throws UnreadableFile
 * @throws MalformedText when `isFatal`
 * @throws the signal's reason when it is aborted
 */
export async function* readSlices(file: Blob, options: TextOptions): AsyncGenerator<TextSlice> {
  const decoder = new TextDecoder(options.encoding, { fatal: options.isFatal ?? false });
  for await (const { bytes, end, isLast } of readByteSlices(file, options)) {
    yield { text: decodeSlice(decoder, bytes, !isLast), bytes: end };
  }
}

/** @throws MalformedText when the decoder is fatal */
function decodeSlice(decoder: TextDecoder, bytes: Uint8Array, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch (cause) {
    throw new MalformedText(`not ${decoder.encoding}`, { cause });
  }
}

/** @param options as for `readSlices`; `end` is where the slice ends in the file */
export async function* readByteSlices(
  file: Blob,
  { isConfirmed = false, signal, sliceBytes = SLICE_BYTES }: ByteOptions,
): AsyncGenerator<{ readonly bytes: Uint8Array; readonly end: number; readonly isLast: boolean }> {
  const { size } = file; // in Chromium, that of a deleted file becomes 0
  let end = 0;
  for await (const chunk of isConfirmed ? confirmedChunks(file, sliceBytes) : streamChunks(file)) {
    for (let at = 0; at < chunk.length; at += sliceBytes) {
      signal?.throwIfAborted();
      const bytes = chunk.subarray(at, at + sliceBytes);
      end += bytes.length;
      yield { bytes, end, isLast: end === size };
    }
  }
  if (end !== size) throw unreadable(`${end} of ${size} bytes`);
}

/**
 * Reads each chunk by a `slice` of its own, and yields it when the following chunk has been read: for that
 * the browser has opened the file again, and so has confirmed that the file had not changed before.
 */
async function* confirmedChunks(file: Blob, chunkBytes: number): AsyncGenerator<Uint8Array> {
  const { size } = file;
  const read = async (at: number) => {
    if (at < size) return new Uint8Array(await readBytes(file.slice(at, at + chunkBytes)));
    await confirmUnchanged(file);
    return new Uint8Array();
  };
  let chunk = await read(0);
  let next = read(chunkBytes);
  for (let at = 2 * chunkBytes; chunk.length > 0; at += chunkBytes) {
    const following = await next;
    if (following.length > 0) next = read(at);
    next.catch(() => undefined); // the caller may not come back
    yield chunk;
    chunk = following;
  }
}

/** Chunks of the size that the browser chooses. Throws at the end if the file has changed. */
async function* streamChunks(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  try {
    for (;;) {
      const { value: chunk } = await orUnreadable(reader.read());
      if (chunk === undefined) return;
      yield chunk;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
    await confirmUnchanged(file);
  }
}

/** @throws UnreadableFile when the file has changed since the user chose it */
export async function confirmUnchanged(file: Blob): Promise<void> {
  // For an empty part the browser does not open the file. In Chromium the size of a deleted file becomes 0.
  await readBytes(file.size === 0 ? file : file.slice(0, 1));
}

/** @throws UnreadableFile */
export function readBytes(file: Blob): Promise<ArrayBuffer> {
  return orUnreadable(file.arrayBuffer());
}

/** @throws UnreadableFile when `reading` rejects */
async function orUnreadable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (cause) {
    throw unreadable(cause);
  }
}

function unreadable(cause: unknown): UnreadableFile {
  const message = 'The file cannot be read any more. It was changed or moved: choose it again.';
  return new UnreadableFile(message, { cause });
}

/** Reads the first characters of a file, at least `length` where it has as many. */
export async function readStart(file: Blob, length: number, options: TextOptions): Promise<string> {
  let start = '';
  for await (const { text } of readSlices(file, options)) {
    start += text;
    if (start.length >= length) break;
  }
  return start;
}

/**
 * A digest (SHA-256, hexadecimal) of a file and of how it is read: equal digests mean equal parts.
 *
 * @throws UnreadableFile, and the signal's reason when it is aborted
 */
export async function fileDigestOf(
  file: Blob,
  { mended, ...plan }: ReadingPlan,
  signal: AbortSignal,
): Promise<string> {
  const digests: string[] = [];
  // `subtle.digest` takes whole buffers only, so the slices have digests of their own.
  for await (const { bytes } of readByteSlices(file, { signal })) {
    digests.push(await sha256(Uint8Array.from(bytes)));
  }
  const reading = JSON.stringify([digests, plan, [...(mended ?? [])]]);
  return sha256(new TextEncoder().encode(reading));
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
