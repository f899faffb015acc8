/**
 * Reads a file as text, slice by slice. One streaming decoder serves the whole file, so a character across
 * two slices stays whole. While the caller works on one slice, the browser reads the next.
 *
 * The browser notices that a file has changed only when it opens the file, so it is opened once more at the end.
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
  /** The bytes of this slice, and how many of the file have been read with it. */
  readonly slice: Uint8Array<ArrayBuffer>;
  readonly bytes: number;
}

export interface TextOptions {
  /** A label of the Encoding Standard. */
  readonly encoding: string;
  /** Whether bytes that mean no character throw, instead of becoming U+FFFD. */
  readonly isFatal?: boolean;
  readonly signal?: AbortSignal;
  readonly sliceBytes?: number | undefined;
}

/**
 * @throws UnreadableFile
 * @throws MalformedText when `isFatal`
 * @throws the signal's reason when it is aborted
 */
export async function* readSlices(file: Blob, options: TextOptions): AsyncGenerator<TextSlice> {
  const decoder = new TextDecoder(options.encoding, { fatal: options.isFatal ?? false });
  for await (const { slice, end, isLast } of readByteSlices(file, options)) {
    yield { text: decodeSlice(decoder, slice, { stream: !isLast }), slice, bytes: end };
  }
}

/** @throws MalformedText when the decoder is fatal */
function decodeSlice(decoder: TextDecoder, bytes: Uint8Array, options: TextDecodeOptions): string {
  try {
    return decoder.decode(bytes, options);
  } catch (cause) {
    throw new MalformedText(`not ${decoder.encoding}`, { cause });
  }
}

/** @param options as for `readSlices`; `end` is where the slice ends in the file */
export async function* readByteSlices(
  file: Blob,
  { signal, sliceBytes = SLICE_BYTES }: Pick<TextOptions, 'signal' | 'sliceBytes'>,
): AsyncGenerator<{
  readonly slice: Uint8Array<ArrayBuffer>;
  readonly end: number;
  readonly isLast: boolean;
}> {
  const { size } = file; // in Chromium, that of a deleted file becomes 0
  const read = (at: number) => readBytes(file.slice(at, at + sliceBytes));
  let end = 0;
  let next = read(0);
  while (end < size) {
    signal?.throwIfAborted();
    const slice = new Uint8Array(await next);
    if (slice.length === 0) break;
    end += slice.length;
    if (end < size) next = read(end);
    next.catch(() => undefined); // the caller may not come back
    yield { slice, end, isLast: end === size };
  }
  if (end !== size) throw unreadable(`${end} of ${size} bytes`);
  await confirmUnchanged(file);
}

/** @throws UnreadableFile when the file has changed since the user chose it */
export async function confirmUnchanged(file: Blob): Promise<void> {
  // For an empty part the browser does not open the file. In Chromium the size of a deleted file becomes 0.
  await readBytes(file.size === 0 ? file : file.slice(0, 1));
}

/** @throws UnreadableFile */
export async function readBytes(file: Blob): Promise<ArrayBuffer> {
  try {
    return await file.arrayBuffer();
  } catch (cause) {
    throw unreadable(cause);
  }
}

function unreadable(cause: unknown): UnreadableFile {
  const message =
    'We can’t read this file anymore. It may have been changed or moved. Choose it again.';
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

/** SHA-256, hexadecimal. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
