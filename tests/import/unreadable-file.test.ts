/** A file that is changed, moved or deleted while the import reads it. */
import { expect, test } from 'vitest';
import { readSlices, SLICE_BYTES } from '../../src/import/worker/file-text.ts';

const TEXT = 'SKC\nA\n';
const bytes = new TextEncoder().encode(TEXT);

/** A file of the bytes of TEXT that is read as this stream. */
function fileReadAs(source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>>): Blob {
  const file = new Blob([TEXT]);
  file.stream = () => new ReadableStream(source, { highWaterMark: 0 });
  return file;
}

async function textOf(file: Blob): Promise<string> {
  let text = '';
  const { signal } = new AbortController();
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
])('a file that %s is to be chosen again', async (_, file) => {
  await expect(textOf(file)).rejects.toThrow('It was changed or moved: choose it again.');
});

test('nothing is given out of what is read after a change of the file', async () => {
  const [MEGABYTES, CHANGED_AT] = [20, 7];
  let chunks = 0;
  const file = new Blob([new Uint8Array(MEGABYTES * SLICE_BYTES)]);
  file.stream = () =>
    new ReadableStream(
      {
        pull: (controller) => {
          chunks += 1;
          controller.enqueue(new Uint8Array(SLICE_BYTES));
        },
      },
      { highWaterMark: 0 },
    );
  const slice = file.slice.bind(file);
  file.slice = (...range) => {
    const part = slice(...range);
    if (chunks > CHANGED_AT) part.arrayBuffer = () => Promise.reject(new Error('changed'));
    return part;
  };
  let slices = 0;
  const { signal } = new AbortController();
  const reading = async () => {
    for await (const _ of readSlices(file, { encoding: 'utf-8', signal })) slices += 1;
  };
  await expect(reading()).rejects.toThrow('It was changed');
  expect(slices).toBeGreaterThan(0);
  expect(slices).toBeLessThanOrEqual(CHANGED_AT);
});

test('reading that is broken off lets go of the file', async () => {
  let isLetGo = false;
  const file = fileReadAs({
    pull: (controller) => controller.enqueue(new Uint8Array(SLICE_BYTES)),
    cancel: () => {
      isLetGo = true;
    },
  });
  const { signal } = new AbortController();
  for await (const { bytes } of readSlices(file, { encoding: 'utf-8', signal })) {
    expect(bytes).toBe(SLICE_BYTES);
    break;
  }
  expect(isLetGo).toBe(true);
});
