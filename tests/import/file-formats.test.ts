/** Files in every encoding, with every separator and line end, read in slices of any size. */
import { expect, test } from 'vitest';
import { readSlices } from '../../src/import/worker/file-text.ts';
import { tableAfterImport } from './device.ts';
import { AWKWARD, fileOf, type FileFormat } from './product-files.ts';

const ENCODINGS: readonly FileFormat['encoding'][] = [
  'utf-8',
  'utf-8 with BOM',
  'utf-16le',
  'utf-16be',
  'windows-1252',
];
const DELIMITERS: readonly FileFormat['delimiter'][] = [',', ';', '\t', '|'];
const ENDINGS: readonly FileFormat['ending'][] = ['\n', '\r\n', 'mixed'];
const ABOVE: readonly FileFormat['above'][] = ['', 'title', 'sep'];

test('a catalogue gives the same table from every encoding, separator and kind of line end', async () => {
  const table = await tableAfterImport(fileOf(AWKWARD));
  expect([...table.keys()]).toEqual(['000123 / M', '000123 / L', 'ÄÖÜ-1 / ', 'B 2 / ']);
  for (const encoding of ENCODINGS) {
    for (const delimiter of DELIMITERS) {
      for (const ending of ENDINGS) {
        for (const above of ABOVE) {
          const format = { encoding, delimiter, ending, above };
          const sameTable = await tableAfterImport(fileOf(AWKWARD, format));
          expect(sameTable, JSON.stringify(format)).toEqual(table);
        }
      }
    }
  }
});

test('a catalogue with the line ends of old Macs gives the same table', async () => {
  // Without line breaks in cells, which such a file cannot hold.
  const plain = AWKWARD.map((row) => row.map((cell) => cell.replace('\n', ' ')));
  const table = await tableAfterImport(fileOf(plain));
  expect(await tableAfterImport(fileOf(plain, { ending: '\r' }))).toEqual(table);
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
