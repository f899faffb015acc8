/** A file that is changed, moved or deleted while the import reads it. */
import { expect, test, vi } from 'vitest';
import { readSlices } from '../../src/import/worker/file-text.ts';

const TEXT = 'SKC\nA\n';
const bytes = new TextEncoder().encode(TEXT);

/** A file of the bytes of TEXT that is read as this stream. */
function fileReadAs(source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>>): Blob {
  const file = new Blob([TEXT]);
  file.stream = () => new ReadableStream(source);
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

/** A file of three chunks that is changed after the first of them. */
function fileChangedAfterChunk(): Blob {
  let chunks = 0;
  const file = fileReadAs({
    pull: (controller) => {
      chunks += 1;
      if (chunks > 3) controller.close();
      else controller.enqueue(bytes.slice(chunks * 2 - 2, chunks * 2));
    },
  });
  const slice = file.slice.bind(file);
  file.slice = (...range) => {
    const part = slice(...range);
    if (chunks > 1) part.arrayBuffer = () => Promise.reject(new Error('changed'));
    return part;
  };
  return file;
}

test('a file that is changed while it is read is noticed at its end, and after a pause right away', async () => {
  await expect(textOf(fileChangedAfterChunk())).rejects.toThrow('It was changed');
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 2000));
  const slices: string[] = [];
  const { signal } = new AbortController();
  const reading = async () => {
    const file = fileChangedAfterChunk();
    for await (const { text } of readSlices(file, { encoding: 'utf-8', signal })) slices.push(text);
  };
  await expect(reading()).rejects.toThrow('It was changed');
  expect(slices.length).toBeLessThan(2);
  vi.restoreAllMocks();
});

test('reading that is broken off lets go of the file', async () => {
  let isLetGo = false;
  const file = fileReadAs({
    pull: (controller) => controller.enqueue(bytes),
    cancel: () => {
      isLetGo = true;
    },
  });
  const { signal } = new AbortController();
  for await (const { text } of readSlices(file, { encoding: 'utf-8', signal })) {
    expect(text).toBe(TEXT);
    break;
  }
  expect(isLetGo).toBe(true);
});
