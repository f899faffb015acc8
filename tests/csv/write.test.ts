/** Writing CSV: quotes, and cells that a spreadsheet would run as formulas. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unwrapCell } from '../../src/csv/cells.ts';
import {
  csvLine,
  escapeCell,
  hasFormulaBehindSeparator,
  unescapeCell,
} from '../../src/csv/write.ts';
import { quickOrFull } from '../full-run.ts';
import { recordsOf, someTable, someText } from './text.ts';

test('a table written as CSV reads back as the same table', () => {
  fc.assert(
    fc.property(someTable, (table) => {
      expect(recordsOf([table.map((cells) => csvLine(cells)).join('')]).rows).toEqual(table);
    }),
  );
});

test('with another delimiter, cells that contain it are quoted, and so are cells with a comma', () => {
  expect(csvLine(['a;b', 'c,d', 'e\tf', 'g'], ';')).toBe('"a;b";"c,d";e\tf;g\n');
  expect(csvLine(['a;b', 'e\tf'], '\t')).toBe('a;b\t"e\tf"\n');
});

test('a row of one empty cell is not written as a blank line', () => {
  expect(csvLine([''])).toBe('""\n');
  expect(csvLine(['', ''])).toBe(',\n');
});

test('a cell that a spreadsheet would run as a formula is written as text', () => {
  for (const sign of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) {
    expect(escapeCell(`${sign}1+1`)).toBe(`'${sign}1+1`);
    expect(escapeCell(`''${sign}`)).toBe(`'''${sign}`);
  }
  const plainCells = ['', "'", "'80s tee", 'a=b', '12.50', '#1'];
  for (const plain of plainCells) expect(escapeCell(plain)).toBe(plain);
});

test('a spreadsheet that splits a cell at another separator finds no formula behind it', () => {
  for (const sign of ['=', '+', '-', '@', '＝', '＋', '－', '＠']) {
    for (const separator of [',', ';', '\t', '|', '\n']) {
      for (const between of ['', ' ', '"', "'", ' "', '\u00a0']) {
        const text = `foo${separator}${between}${sign}1+1`;
        expect(escapeCell(text)).toBe(`foo${separator}'${between}${sign}1+1`);
        expect(unwrapCell(escapeCell(text))).toBe(text);
      }
    }
  }
  for (const plain of ['a;b', 'a; b=c', 'red|blue', 'a, b', 'a;b-c']) {
    expect(escapeCell(plain)).toBe(plain);
  }
  expect(escapeCell('=1;=2|x;\t=3')).toBe("'=1;'=2|x;'\t'=3");
});

test('a cell of which another program has escaped only the beginning reads back', () => {
  expect(unescapeCell("'=1;=2")).toBe('=1;=2');
  expect(unescapeCell('a;=1')).toBe('a;=1');
  expect(unescapeCell("a;=1;'=2")).toBe("a;=1;'=2");
});

test('white space at the ends, which reading would trim, is protected too', () => {
  for (const text of [' a', 'a ', ' ', '\u00a0a', 'a\n', "' a"]) {
    expect(escapeCell(text)).toBe(`'${text}`);
    expect(unescapeCell(escapeCell(text))).toBe(text);
  }
});

const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }))
  .map((codes) => String.fromCharCode(...codes));

test('every text comes back from its escaped form, however often it is escaped', () => {
  const text = fc.oneof(someText, anyText);
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 4 }), (text, times) => {
      let cell = text;
      for (let i = 0; i < times; i++) cell = escapeCell(cell);
      for (let i = 0; i < times; i++) cell = unescapeCell(cell);
      expect(cell).toBe(text);
    }),
    { numRuns: 2000 },
  );
});

test('a cell that looks escaped is the same after it is unescaped and escaped again', () => {
  const looksEscaped = someText.map((text) => `'${text}`);
  let escaped = 0;
  fc.assert(
    fc.property(fc.oneof(someText, looksEscaped), (cell) => {
      const text = unescapeCell(cell);
      // Another program may have written a cell with a formula behind a separator.
      if (text === cell || hasFormulaBehindSeparator(cell)) return;
      escaped += 1;
      expect(escapeCell(text)).toBe(cell);
    }),
    { numRuns: quickOrFull(1000, 5000) },
  );
  expect(escaped).toBeGreaterThan(quickOrFull(100, 500));
});
