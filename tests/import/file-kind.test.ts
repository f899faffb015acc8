/** Which files are taken for CSV, by their first bytes, and what the user is told about other files. */
import { openSync, closeSync, ftruncateSync, openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileKindOf } from '../../src/import/worker/file-kind.ts';
import { sizeOf } from '../../src/import/words.ts';
import { temporaryFolder } from '../supabase/shop.ts';

const PLAIN = 'SKC,Size,Category 1,Retail Price\nA1,M,Shirts,12.50\n';
const NUL = '\0';
const MAX_BYTES = 64 * 1024 * 1024;

const NO_CHOICE = null;

/** Of a file that is no CSV, what the user is told; of another, `text` and the detected encoding, or `null`. */
const kindOf = async (content: string | Uint8Array<ArrayBuffer>): Promise<string> => {
  const kind = await fileKindOf(new Blob([content]), NO_CHOICE);
  return kind.kind === 'not-csv' ? kind.sentence : `text ${kind.encoding}`;
};
const bytes = (...parts: readonly (string | number)[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'number' ? [part] : latin1(part))));
const latin1 = (text: string) => Array.from(text, (char) => char.charCodeAt(0));
const utf16le = (text: string) => Uint8Array.from(latin1(text).flatMap((code) => [code, 0]));
const utf16be = (text: string) => Uint8Array.from(latin1(text).flatMap((code) => [0, code]));

test('a file that is not CSV is rejected with the name of its real kind', async () => {
  const filler = 'x'.repeat(5000);
  expect(await kindOf(bytes('PK', 3, 4, filler, 'xl/workbook.xml'))).toMatch(/Excel workbook/);
  // The first bytes of a workbook of Excel 97.
  expect(await kindOf(bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1))).toMatch(/Excel/);
  const ods = bytes('PK', 3, 4, 'mimetypeapplication/vnd.oasis.opendocument.spreadsheet');
  expect(await kindOf(ods)).toMatch(/spreadsheet/);
  expect(await kindOf(bytes('PK', 3, 4, filler, 'list.csv'))).toMatch(/compressed archive/);
  expect(await kindOf(bytes(0x1f, 0x8b, 8, 0))).toMatch(/compressed archive/);
  expect(await kindOf('%PDF-1.7 …')).toMatch(/PDF/);
  expect(await kindOf(bytes(0x89, 'PNG\r\n', 0x1a, '\n', NUL.repeat(3)))).toMatch(/isn’t a text/);
  expect(await kindOf('\n <!DOCTYPE html><table>')).toMatch(/web page/);
  expect(await kindOf('<html><table><tr><td>SKC')).toMatch(/web page/);
  expect(await kindOf('<?xml version="1.0"?>')).toMatch(/web page/);
  expect(await kindOf('<!-- exported at noon -->\n<html><table>')).toMatch(/web page/);
  expect(await kindOf('[{"SKC":"A1"}]')).toMatch(/JSON/);
  expect(await kindOf('{"products":[]}')).toMatch(/JSON/);
  expect(await kindOf(bytes(NUL.repeat(3), 1, 2, 3, 'machine', NUL.repeat(9)))).toMatch(
    /isn’t a text/,
  );
});

test('a text file is accepted, with its encoding where the first bytes show that', async () => {
  expect(await kindOf(PLAIN)).toBe('text null');
  expect(await kindOf(`\ufeff${PLAIN}`)).toBe('text utf-8');
  expect(await kindOf(bytes(0xff, 0xfe, ...utf16le(PLAIN)))).toBe('text utf-16le');
  expect(await kindOf(bytes(0xfe, 0xff, ...utf16be(PLAIN)))).toBe('text utf-16be');
  expect(await kindOf(utf16le(PLAIN)), 'without a mark').toBe('text utf-16le');
  expect(await kindOf(utf16be(PLAIN)), 'without a mark').toBe('text utf-16be');
  expect(await kindOf(bytes('SKC;Gr', 0xf6, 0xdf, 'e\nA1;M\n'))).toBe('text null');
});

test('a list of products with one unprintable character is still accepted as text', async () => {
  expect(await kindOf(`${PLAIN}A2,M,${NUL},3\n${'A3,S,Shirts,4\n'.repeat(20)}`)).toBe('text null');
});

test('the size of a file is shown in the megabytes of the limit', () => {
  const MB = 1024 * 1024;
  const sizes = [999, 2048, MB - 1, MAX_BYTES].map(sizeOf);
  expect(sizes).toEqual(['999 bytes', '2 kB', '1.0 MB', '64.0 MB']);
});

test('an empty file and one of more than 64 MB are rejected', async () => {
  expect(await kindOf('')).toMatch(/empty/);
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'large.csv');
  const file = openSync(path, 'w');
  ftruncateSync(file, MAX_BYTES + 1);
  closeSync(file);
  const kind = await fileKindOf(await openAsBlob(path), NO_CHOICE);
  expect(kind).toMatchObject({
    kind: 'not-csv',
    sentence: expect.stringMatching(/65 MB.*64 MB/),
  });
});
