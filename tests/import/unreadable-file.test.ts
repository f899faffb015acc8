/** A file that is changed, moved or deleted while the import reads it. */
import { expect, test } from 'vitest';
import { readSlices, SLICE_BYTES } from '../../src/import/worker/file-text.ts';
import { checkFile, newDevice } from './device.ts';
import { textFile } from './product-files.ts';

const TEXT = 'SKC\nA\n';
const bytes = new TextEncoder().encode(TEXT);
const { signal } = new AbortController();

/** A file of the bytes of TEXT that is read as this stream. */
function fileReadAs(source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>>): Blob {
  const file = new Blob([TEXT]);
  file.stream = () => new ReadableStream(source, { highWaterMark: 0 });
  return file;
}

async function textOf(file: Blob): Promise<string> {
  let text = '';
  for await (const slice of readSlices(file, { encoding: 'utf-8', signal })) text += slice.text;
  return text;
}

test.each([
  [
    'cannot be read',
    fileReadAs({ pull: () => Promise.reject(new DOMException('', 'NotReadableError')) }),
  ],
  [
    'ends too early',
    fileReadAs({
      start(controller) {
        controller.enqueue(bytes.slice(0, 3));
        controller.close();
      },
    }),
  ],
])('the user is asked to choose a file again that %s', async (_, file) => {
  await expect(textOf(file)).rejects.toThrow('It was changed or moved: choose it again.');
});

/** A file of 6 MB that is changed when `changedAtMb` megabytes have been read. */
function fileChangedAt(changedAtMb: number): Blob {
  const MEGABYTES = 6;
  const megabyte = new Uint8Array(SLICE_BYTES);
  const file = new Blob(Array.from({ length: MEGABYTES }, () => megabyte));
  let streamedMb = 0;
  let slicedMb = 0;
  // A stream that has begun does not notice the change.
  file.stream = () =>
    new ReadableStream(
      {
        pull(controller) {
          streamedMb += 1;
          controller.enqueue(megabyte);
          if (streamedMb === MEGABYTES) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  const slice = file.slice.bind(file);
  file.slice = (...range) => {
    const part = slice(...range);
    part.arrayBuffer = async () => {
      slicedMb += 1;
      const readMb = Math.max(streamedMb, slicedMb);
      if (readMb > changedAtMb) throw new DOMException('', 'NotReadableError');
      return megabyte.buffer;
    };
    return part;
  };
  return file;
}

const ALL_SLICES = Infinity;

/**
 * Reads at most `maxSlices` slices of 1 MB, and expects that reading, or stopping it early, throws. Returns how
 * many slices came.
 */
async function readSome(maxSlices: number, file: Blob, isConfirmed: boolean): Promise<number> {
  let read = 0;
  const reading = async () => {
    for await (const _ of readSlices(file, { encoding: 'utf-8', isConfirmed, signal })) {
      read += 1;
      if (read === maxSlices) break;
    }
  };
  await expect(reading()).rejects.toThrow('It was changed or moved: choose it again.');
  return read;
}

test('of a file that changes while it is read, only what was read before the change is sent', async () => {
  // The third megabyte may have been changed while it was read, and so may the sixth, which is the last.
  expect(await readSome(ALL_SLICES, fileChangedAt(3), true)).toBe(2);
  expect(await readSome(ALL_SLICES, fileChangedAt(6), true)).toBe(5);
});

test('a check notices a change of the file when reading ends or is stopped early', async () => {
  expect(await readSome(ALL_SLICES, fileChangedAt(3), false)).toBe(6);
  expect(await readSome(5, fileChangedAt(3), false)).toBe(5);
});

test('the refused rows of a file that has changed since its check are not shown', async () => {
  // Far more refused rows than the page shows, so that reading stops long before the end of the file.
  const file = textFile(`SKC,Size\nA,M\n${',M\n'.repeat(150_000)}`);
  const tab = newDevice().openTab();
  expect(await checkFile(tab, file)).toMatchObject({ kind: 'checked' });
  const changed = new Blob([TEXT]);
  changed.arrayBuffer = () => Promise.reject(new DOMException('', 'NotReadableError'));
  file.slice = () => changed;
  await expect(tab.refusedRows()).rejects.toThrow('It was changed or moved');
});

test('a deleted file, whose size is 0, is not taken for an empty one', async () => {
  const file = new Blob([]);
  file.arrayBuffer = () => Promise.reject(new DOMException('', 'NotFoundError'));
  for (const isConfirmed of [true, false]) {
    expect(await readSome(ALL_SLICES, file, isConfirmed)).toBe(0);
  }
});

test('when reading is stopped early, the stream of the file is cancelled', async () => {
  let isCancelled = false;
  const file = fileReadAs({
    pull: (controller) => controller.enqueue(new Uint8Array(SLICE_BYTES)),
    cancel: () => {
      isCancelled = true;
    },
  });
  for await (const { bytes } of readSlices(file, { encoding: 'utf-8', signal })) {
    expect(bytes).toBe(SLICE_BYTES);
    break;
  }
  expect(isCancelled).toBe(true);
});
