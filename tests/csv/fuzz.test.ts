/** Random texts and bytes as product files, whole and cut in two, with a seed that a failure prints. */
import { expect, test } from 'vitest';
import { DELIMITERS, type Format } from '../../src/csv/format.ts';
import { type ProductCsv, readProductCsv } from '../../src/csv/products.ts';
import { SEED, seeded } from '../random.ts';
import { quickOrFull } from '../full-run.ts';
import { recordsOf } from './text.ts';

/** What a text is made of: what CSV, prices, links or Excel treat specially. */
const PIECES = [
  ...Array.from('",;\t|\n\r \'=+-@#\0\u00a0\u0085\u2028\ufeff\ufffdé中👗'),
  ...'"" SKC SKU Size Price RRP Image sep=; #N/A 1.23E+11 n/a 1,234 1.234 12,50 $ Rs.'.split(' '),
  ...'https:// a.example /x @ :80'.split(' '),
  '\r\n',
  '\ud83d', // the halves of a surrogate pair
  '\udc57',
  'x'.repeat(70), // longer than the limits of a stock code and a size
];
/** Each text begins with one of these; a third of the texts have no headings. */
const HEADINGS = [
  '',
  '',
  'SKC\n',
  'SKC,Price,Image\n',
  'SKU;Size;RRP\r\n',
  '\ufeffsep=\t\nSKC\tMaterial\n',
];
const LATIN = new TextDecoder('windows-1252');
const UTF_8 = new TextDecoder();
const UTF_16 = new TextDecoder('utf-16le');

test('whatever text or bytes a file holds, reading it ends, and gives only what can be stored', () => {
  const chance = seeded(SEED);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)]!;
  let filesRead = 0;
  let rowsStored = 0;
  for (let run = 0; run < quickOrFull(2000, 200_000); run++) {
    const length = Math.floor(chance() * 24);
    let text = pick(HEADINGS);
    const isOfBytes = chance() < 0.25;
    if (isOfBytes) {
      const bytes = Uint8Array.from({ length: length * 3 }, () => chance() * 256);
      text += pick([LATIN, UTF_8, UTF_16]).decode(bytes);
    } else for (let i = 0; i < length; i++) text += pick(PIECES);
    try {
      const outcome = readProductCsv(text, { blankCellsClear: chance() < 0.5 });
      const problem = outcome.ok ? problemOf(outcome) : problemOfSentence(outcome.sentence);
      if (problem !== null) throw new Error(problem);
      if (outcome.ok) filesRead += 1;
      if (outcome.ok) rowsStored += outcome.products.length;
      const isCutInTwo = chance() < 0.125;
      if (!isCutInTwo) continue;
      const at = Math.floor(chance() * text.length);
      const format: Format = { delimiter: pick(DELIMITERS), newline: pick(['\n', '\r']) };
      const slices = [text.slice(0, at), text.slice(at)];
      expect(recordsOf(slices, format), `cut at ${at}`).toEqual(recordsOf([text], format));
    } catch (cause) {
      throw new Error(`SEED=${SEED}, run ${run}: ${JSON.stringify(text)}`, { cause });
    }
  }
  // With fewer, the texts would hardly test what the reader does after the headings.
  expect(filesRead, 'texts that are product files').toBeGreaterThan(quickOrFull(400, 40_000));
  expect(rowsStored, 'rows that are stored').toBeGreaterThan(quickOrFull(200, 20_000));
}, 120_000);

/** What is wrong with the products or rejections that were read from a file; null if nothing is. */
function problemOf({ products, rejected }: Extract<ProductCsv, { ok: true }>): string | null {
  for (const { row, line } of products) {
    const values = Object.values(row).join('');
    if (line < 1 || !row['SKC']) return 'a product without its line or stock code';
    if (values.includes('\0') || !values.isWellFormed()) return 'a text that cannot be stored';
    const price = row['Retail Price'];
    if (price && !/^\d{1,10}\.\d\d$/.test(price)) return `the price ${price}`;
  }
  const isExplained = rejected.every(({ reason, advice }) => reason !== '' && advice !== '');
  return isExplained ? null : 'a rejection without a sentence';
}

/** The sentence if it does not end with a full stop, otherwise null. */
const problemOfSentence = (sentence: string) => (sentence.endsWith('.') ? null : sentence);
