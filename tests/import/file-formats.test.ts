/** Files in UTF-16, and files read in slices of any size. */
import { expect, test } from 'vitest';
import { readSlices } from '../../src/import/worker/file-text.ts';
import { tableAfterImport } from './device.ts';
import { AWKWARD, fileOf, textOf } from './product-files.ts';

test('a list that Excel has saved as Unicode text gives the same table as one in CSV', async () => {
  const text = `\ufeff${textOf(AWKWARD, '\t')}`;
  const utf16 = Uint16Array.from(text, (_, i) => text.charCodeAt(i)); // little-endian on all our machines
  const table = await tableAfterImport(fileOf(AWKWARD));
  expect([...table.keys()]).toEqual(['000123 / M', '000123 / L', 'ÄÖÜ-1 / ', 'B 2 / ']);
  expect(await tableAfterImport(new File([utf16], 'list.txt'))).toEqual(table);
});

/** Two records with characters of one to four bytes, in cells with and without quotes. */
const PATTERN = 'SKC-ä,"größe, 大きさ",€ 12,😀 "" \'x\'\n"naïve\n""žluťoučký""",한국어,, \n';
const manyBytes = (length: number) =>
  new TextEncoder().encode(PATTERN.repeat(Math.ceil(length / Buffer.byteLength(PATTERN))));

test('a file decodes to the same text, in whatever slices it is read', async () => {
  const { signal } = new AbortController();
  const bytes = manyBytes(9000);
  for (const encoding of ['utf-8', 'utf-16le', 'gb18030']) {
    const whole = new TextDecoder(encoding).decode(bytes);
    for (const sliceBytes of [1, 7, 4096, 1 << 20]) {
      let text = '';
      for await (const slice of readSlices(new Blob([bytes]), { encoding, signal, sliceBytes })) {
        text += slice.text;
      }
      expect(text === whole, `${encoding} in slices of ${sliceBytes}`).toBe(true);
    }
  }
});
