/**
 * Reads a file as text, slice by slice.
 *
 * One streaming decoder serves the whole file, so a character across two slices stays whole. While the
 * caller works on one slice, the browser reads the next; no more than these two are in memory.
 */
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
  readonly signal: AbortSignal;
  readonly sliceBytes?: number | undefined;
}

/**
 * @throws UnreadableFile
 * @throws MalformedText when `isFatal`
 * @throws the signal's reason when it is aborted
 */
export async function* readSlices(file: Blob, options: TextOptions): AsyncGenerator<TextSlice> {
  const decoder = new TextDecoder(options.encoding, { fatal: options.isFatal ?? false });
  for await (const { bytes, end } of readByteSlices(file, options)) {
    yield { text: decodeSlice(decoder, bytes, end < file.size), bytes: end };
  }
}

/** @throws MalformedText when the decoder is fatal */
function decodeSlice(decoder: TextDecoder, bytes: ArrayBuffer, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch (cause) {
    throw new MalformedText(`not ${decoder.encoding}`, { cause });
  }
}

/** @param options as for `readSlices`; `end` is where the slice ends in the file */
export async function* readByteSlices(
  file: Blob,
  { signal, sliceBytes = SLICE_BYTES }: Pick<TextOptions, 'signal' | 'sliceBytes'>,
): AsyncGenerator<{ readonly bytes: ArrayBuffer; readonly end: number }> {
  let next = readBytes(file.slice(0, sliceBytes));
  for (let at = 0; at < file.size; at += sliceBytes) {
    const bytes = await next;
    signal.throwIfAborted();
    const end = Math.min(at + sliceBytes, file.size);
    if (end < file.size) next = readBytes(file.slice(end, end + sliceBytes));
    next.catch(() => undefined); // a caller that stops reading never awaits it
    yield { bytes, end };
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

/** Stored jobs hold fingerprints of so many bytes at both ends. */
const FINGERPRINT_BYTES = 1024 * 1024;

/** SHA-256 of a file's ends: with the size it tells two files apart well enough, without reading them whole. */
export async function fingerprintOf(file: Blob): Promise<string> {
  const ends = [file.slice(0, FINGERPRINT_BYTES), file.slice(-FINGERPRINT_BYTES)];
  const bytes = await readBytes(new Blob(ends));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
