/** The records of a CSV: quotes, line breaks, slices, and files of hundreds of megabytes. */
import fc from 'fast-check';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { DELIMITERS } from '../../src/csv/format.ts';
import { MAX_RECORD_CHARS } from '../../src/csv/columns.ts';
import { quickOrFull } from '../full-run.ts';
import { seeded } from '../random.ts';
import { recordsOf, sliced, someTable, writtenCell } from './text.ts';

const MIB = 1024 * 1024;
const rowsOf = (text: string) => recordsOf([text]).rows;

test('a table written as CSV is read back unchanged, with every separator and kind of line ending', () => {
  fc.assert(
    fc.property(
      someTable,
      fc.constantFrom(...DELIMITERS),
      fc.constantFrom('\n', '\r\n', 'mixed', '\r'),
      fc.integer(),
      fc.integer({ min: 1, max: 12 }),
      (table, delimiter, ending, seed, sliceLength) => {
        const chance = seeded(seed);
        const mixed = () => (chance() < 0.5 ? '\n' : '\r\n');
        const lines = table.map(
          (row) =>
            row.map((cell) => writtenCell(cell, delimiter, chance() < 0.3)).join(delimiter) +
            (ending === 'mixed' ? mixed() : ending),
        );
        const newline = ending === '\r' ? '\r' : '\n';
        const read = recordsOf(sliced(lines.join(''), sliceLength), { delimiter, newline });
        expect(read).toMatchObject({ rows: table, fault: null });
      },
    ),
    { numRuns: 2000 },
  );
});

test('a file that ends without a line break keeps its last row', () => {
  expect(rowsOf('a,b\n1,2')).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ]);
  expect(rowsOf('a,b\r\n1,')).toEqual([
    ['a', 'b'],
    ['1', ''],
  ]);
  expect(rowsOf('a\n"1"  ')).toEqual([['a'], ['1']]);
  expect(rowsOf('a\n"1"\r')).toEqual([['a'], ['1']]);
  expect(rowsOf('')).toEqual([]);
});

test('a carriage return belongs to the line ending, but inside quotes to the cell', () => {
  expect(rowsOf('a,b\r\nc,"d\r"\ne,"f\r"\r\ng,h\n')).toEqual([
    ['a', 'b'],
    ['c', 'd\r'],
    ['e', 'f\r'],
    ['g', 'h'],
  ]);
});

test('a quotation mark inside a cell without quotes is a letter like any other', () => {
  expect(rowsOf('5" pipe,"a ""b"" c" ,x"\n')).toEqual([['5" pipe', 'a "b" c', 'x"']]);
});

test('quotation marks that do not pair up stop the reading, and the sentence names the line', () => {
  const { rows, fault } = recordsOf(['a,"b"\nc,"12" shelf"\nd,e\n']);
  expect(rows).toEqual([['a', 'b']]);
  expect(fault).toMatchObject({ reason: 'unclosed-quote', line: 2 });
  expect(fault?.sentence).toMatch(/line 2/);
});

test('a row names the line on which it begins, as an editor counts lines', () => {
  const text = 'a\n"b\nc",d\n\n"e\r\nf","g\r\nh"\ni\n';
  expect(recordsOf([text]).lines).toEqual([1, 2, 4, 5, 8]);
});

test('a row with a line break in quotes is read whole, wherever in it a block of the reader ends', () => {
  const row = 'A1,"Soft shirt\nfor cool days",12.50,Organic cotton jersey\n';
  // More than one block of the reader, which is a quarter of a MiB.
  const rows = row.repeat(Math.ceil((MIB * 0.3) / row.length));
  for (let shift = 0; shift < row.length; shift += 1) {
    const read = recordsOf([`${'x'.repeat(shift)}\n${rows}`]);
    expect(read.fault).toBeNull();
    const codes = new Set(read.rows.slice(1).map(([skc]) => skc));
    expect(codes, `shifted by ${shift}`).toEqual(new Set(['A1']));
  }
});

test('a text reads the same in whatever slices it comes, and a fault names the same line', () => {
  const pieces = ['"', '"', '""', '"\n"', '","', ',', ';', '\t', '\n', '\r', '\r\n', ' ', 'a', 'b'];
  const text = fc
    .array(fc.constantFrom(...pieces), { maxLength: 14 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.constantFrom(...DELIMITERS), fc.constantFrom('\n', '\r'), (...args) => {
      const [csv, delimiter, newline] = args;
      const whole = recordsOf([csv], { delimiter, newline });
      expect(recordsOf(sliced(csv, 1), { delimiter, newline })).toEqual(whole);
      if (whole.fault !== null || newline === '\r' || csv.includes('\r')) return;
      // A lone \r ends a row for Papa Parse or not, by what it guesses, so it is no judge there.
      // Without a line break at the end Papa Parse takes white space behind a closing mark for a part of the cell.
      const { data } = Papa.parse<string[]>(`${csv}\n`, { delimiter, newline });
      expect(whole.rows).toEqual(data.slice(0, whole.rows.length));
    }),
    { numRuns: quickOrFull(2000, 20_000) },
  );
});

test('a quotation mark that is never closed names its line, long before the end of 200 MB', () => {
  const row = 'WF-1004,M,https://a.example/1.jpg,Shirt,Men,Tops,,112.00,Cotton,plain\n';
  const openedOnLine12 = `${row.repeat(11)}WF-1005,L,"https://a.example/2.jpg,Shirt,Men\n`;
  const after = row.repeat(Math.ceil(MIB / row.length));
  let pushed = 0;
  function* slices(): Generator<string> {
    yield openedOnLine12;
    for (; pushed < 200 * MIB; pushed += after.length) yield after;
  }
  const { fault, rows } = recordsOf(slices());
  expect(fault).toMatchObject({ reason: 'unclosed-quote', line: 12 });
  expect(fault?.sentence).toContain('line 12');
  expect(rows).toHaveLength(11);
  expect(pushed).toBeLessThan(5 * MIB);
});

test('a forgotten quotation mark does not let rows run together, though later rows have marks', () => {
  const { fault, rows } = recordsOf([
    'A1,"Shirt, red",12\nA2,"Tee,13\nA3,"Coat, blue",90\nA4,x,1\n',
  ]);
  expect(rows).toHaveLength(1);
  expect(fault).toMatchObject({ reason: 'unclosed-quote', line: 2 });
});

test('a megabyte of quotation marks that close nothing does not hang the reader', () => {
  const half = MAX_RECORD_CHARS / 2 - 10; // leaves room for the marks and the second cell
  const marks = `"${'x"'.repeat(half / 2)}${' '.repeat(half)}",b\n`;
  expect(recordsOf([marks]).fault).toMatchObject({ line: 1 });
  expect(rowsOf(`"${'x""'.repeat(MIB)}",b\n`)).toHaveLength(1);
  expect(recordsOf(sliced('"'.repeat(5 * MIB), 7)).fault).not.toBeNull();
});

test('a row of more than four million characters stops the reading', () => {
  const long = 'x'.repeat(MAX_RECORD_CHARS);
  const expected = { reason: 'record-too-long', line: 2 };
  expect(recordsOf([`a\n${long},\nb\n`]).fault).toMatchObject(expected);
  expect(recordsOf(['a\n', long, long]).fault).toMatchObject(expected);
  expect(recordsOf([`a\n${long.slice(1)}\n`]).fault).toBeNull();
});

test('a row with a filled cell after the 200th stops the reading; empty cells there do no harm', () => {
  expect(recordsOf([`a\n${',x'.repeat(200)}\n`]).fault).toMatchObject({
    reason: 'too-many-columns',
    line: 2,
  });
  expect(recordsOf([`a\n${','.repeat(16_384)}\n`]).fault).toBeNull();
});

test('after a fault nothing more is read', () => {
  const { rows } = recordsOf([`${'x'.repeat(MAX_RECORD_CHARS + 1)}\n`, 'a\n', 'b\n']);
  expect(rows).toEqual([]);
});
