/**
 * Reads a file as text, slice by slice.
 *
 * One streaming decoder serves the whole file, so a character across two slices stays whole. While the
 * caller works on one slice, the browser reads the next; no more than these two are in memory.
 */
import type { Encoding } from '../protocol.ts';

export const SLICE_BYTES = 1024 * 1024;

/** The file has changed, moved or vanished since the user chose it. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** The file has bytes that are not UTF-8, somewhere before `end`. */
export class NotUtf8 extends Error {
  override readonly name = 'NotUtf8';
  readonly end: number;

  constructor(end: number, options: ErrorOptions) {
    super('not UTF-8', options);
    this.end = end;
  }
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
  readonly signal: AbortSignal;
  readonly sliceBytes?: number | undefined;
}

/**
 * @throws UnreadableFile
 * @throws NotUtf8 when `isFatal`
 * @throws the signal's reason when it is aborted
 */
export async function* readSlices(file: Blob, options: TextOptions): AsyncGenerator<TextSlice> {
  const { encoding, isFatal = false, signal, sliceBytes = SLICE_BYTES } = options;
  const decoder = new TextDecoder(encoding, { fatal: isFatal });
  const decode = (bytes: ArrayBuffer, end: number): string => {
    try {
      return decoder.decode(bytes, { stream: end < file.size });
    } catch (cause) {
      throw new NotUtf8(end, { cause });
    }
  };
  let next = readBytes(file.slice(0, sliceBytes));
  for (let at = 0; at < file.size; at += sliceBytes) {
    const bytes = await next;
    signal.throwIfAborted();
    const end = Math.min(at + sliceBytes, file.size);
    if (end < file.size) next = readBytes(file.slice(end, end + sliceBytes));
    next.catch(() => undefined); // a caller that stops reading never awaits it
    yield { text: decode(bytes, end), bytes: end };
  }
}

/** @throws UnreadableFile */
export async function readBytes(file: Blob): Promise<ArrayBuffer> {
  try {
    return await file.arrayBuffer();
  } catch (cause) {
    const message = 'The file cannot be read any more. It was changed or moved: choose it again.';
    throw new UnreadableFile(message, { cause });
  }
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
 * Chooses the encoding of a file that is not flawless UTF-8. When most of the characters beyond ASCII up
 * to the first flawed slice are good UTF-8, the file is UTF-8 with damaged places, which the check
 * reports; otherwise a Windows program most likely wrote it.
 */
export async function guessEncoding(
  flaw: NotUtf8,
  file: Blob,
  signal: AbortSignal,
): Promise<Encoding> {
  let good = 0;
  let bad = 0;
  for await (const { text } of readSlices(file.slice(0, flaw.end), { encoding: 'utf-8', signal })) {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === 0xfffd) bad += 1;
      else if (code > 0x7f) good += 1;
    }
  }
  return good > bad ? 'utf-8' : 'windows-1252';
}

/** Tells two files apart without reading them whole: SHA-256 of the first and last MiB. */
export async function fingerprintOf(file: Blob): Promise<string> {
  const bytes = await readBytes(new Blob([file.slice(0, SLICE_BYTES), file.slice(-SLICE_BYTES)]));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
