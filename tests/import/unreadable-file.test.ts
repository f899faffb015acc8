/** A file that is changed, moved or deleted while the import reads it. */
import { expect, test } from 'vitest';
import { readSlices } from '../../src/import/worker/file-text.ts';
import { checkFile, newDevice } from './device.ts';
import { textFile } from './product-files.ts';

const TEXT = 'SKC\nA\n';
const { signal } = new AbortController();
const CHANGED = 'It may have been changed or moved. Choose it again.';

async function textOf(file: Blob): Promise<string> {
  let text = '';
  for await (const slice of readSlices(file, { encoding: 'utf-8', signal })) text += slice.text;
  return text;
}

test('a file that is changed after its last byte was read is not taken for the whole file', async () => {
  const file = new Blob([TEXT]);
  const slice = file.slice.bind(file);
  let reads = 0;
  file.slice = (...range) => {
    const part = slice(...range);
    const read = part.arrayBuffer.bind(part);
    part.arrayBuffer = async () => {
      reads += 1;
      if (reads > 1) throw new DOMException('', 'NotReadableError');
      return read();
    };
    return part;
  };
  await expect(textOf(file)).rejects.toThrow(CHANGED);
});

test('a file that ends too early is not taken for the whole file', async () => {
  const file = new Blob([TEXT]);
  const slice = file.slice.bind(file);
  file.slice = (from = 0) => slice(Math.min(from, 3), 3);
  await expect(textOf(file)).rejects.toThrow(CHANGED);
});

test('a deleted file, whose size is 0, is not taken for an empty one', async () => {
  const file = new Blob([]);
  file.arrayBuffer = () => Promise.reject(new DOMException('', 'NotFoundError'));
  await expect(textOf(file)).rejects.toThrow(CHANGED);
});

test('the rejected rows of a file that has changed since its check are not shown', async () => {
  // Far more rejected rows than the page shows, so that reading stops long before the end of the file.
  const file = textFile(`SKC,Size\nA,M\n${',M\n'.repeat(150_000)}`);
  const tab = newDevice().openTab();
  expect(await checkFile(tab, file)).toMatchObject({ kind: 'checked' });
  const changed = new Blob([TEXT]);
  changed.arrayBuffer = () => Promise.reject(new DOMException('', 'NotReadableError'));
  file.slice = () => changed;
  await expect(tab.rejectedRows()).rejects.toThrow('It may have been changed or moved');
});
