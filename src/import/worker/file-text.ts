/**
 * Reads a file as text, slice by slice.
 *
 * One streaming decoder serves the whole file, so a character across two slices stays whole. While the
 * caller works on one slice, the browser reads on, until a buffer of about a megabyte is full. Measured: to
 * ask for each slice by itself takes two and a half times as long.
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
  { signal, sliceBytes = SLICE_BYTES }: Pick<TextOptions, 'signal' | 'sliceBytes'>,
): AsyncGenerator<{ readonly bytes: Uint8Array; readonly end: number; readonly isLast: boolean }> {
  const { size } = file; // in Chromium, that of a deleted file becomes 0
  let end = 0;
  for await (const chunk of readChunks(file)) {
    for (let at = 0; at < chunk.length; at += sliceBytes) {
      signal.throwIfAborted();
      const bytes = chunk.subarray(at, at + sliceBytes);
      end += bytes.length;
      yield { bytes, end, isLast: end === size };
    }
  }
  if (end !== size) throw unreadable(`${end} of ${size} bytes`);
}

/** A stream goes on after a change of the file; a part of the file that is asked for by itself does not. */
async function confirmUnchanged(file: Blob): Promise<void> {
  await readBytes(file.slice(0, 1));
}

/** To confirm takes milliseconds. */
const CONFIRMED_BYTES = 4 * SLICE_BYTES;

/**
 * Chunks of the size that the browser chooses. None is of a file that has changed: after some megabytes
 * the browser is asked about those, and meanwhile the caller works on the megabytes before them.
 */
async function* readChunks(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  let confirmed: Uint8Array[] = [];
  let confirming = { chunks: [] as Uint8Array[], answer: Promise.resolve() };
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for (let isAtEnd = false; !isAtEnd;) {
      const { value: chunk } = await readable(reader.read());
      if (chunk !== undefined) chunks.push(chunk);
      bytes += chunk?.length ?? 0;
      isAtEnd = chunk === undefined;
      if (isAtEnd || bytes >= CONFIRMED_BYTES) {
        yield* confirmed;
        await confirming.answer;
        confirmed = confirming.chunks;
        confirming = { chunks, answer: confirmUnchanged(file) };
        confirming.answer.catch(() => undefined); // the caller may not come back
        [chunks, bytes] = [[], 0];
      }
      const next = confirmed.shift();
      if (next) yield next;
    }
    yield* confirmed;
    await confirming.answer;
    yield* confirming.chunks;
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** @throws UnreadableFile */
export function readBytes(file: Blob): Promise<ArrayBuffer> {
  return readable(file.arrayBuffer());
}

/** @throws UnreadableFile */
async function readable<T>(reading: Promise<T>): Promise<T> {
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

/** Stored jobs hold fingerprints of so many bytes at both ends. */
const FINGERPRINT_BYTES = 1024 * 1024;

/** SHA-256 of a file's ends: with the size it tells two files apart well enough, without reading them whole. */
export async function fingerprintOf(file: Blob): Promise<string> {
  const ends = [file.slice(0, FINGERPRINT_BYTES), file.slice(-FINGERPRINT_BYTES)];
  const bytes = await readBytes(new Blob(ends));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
