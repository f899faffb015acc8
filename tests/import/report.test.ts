/** The report of rejected rows: a CSV that staff correct in a spreadsheet and import again. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnOf } from '../../src/csv/aliases.ts';
import { type Delimiter, DELIMITERS } from '../../src/csv/format.ts';
import { csvLine } from '../../src/csv/write.ts';
import { REPORT_HEADINGS } from '../../src/import/worker/report.ts';
import { recordsOf } from '../csv/text.ts';
import { checkOf, newDevice, tableAfterImport, tabWith } from './device.ts';
import { textFile } from './product-files.ts';

async function reportOf(text: string): Promise<string> {
  const tab = await tabWith(newDevice(), textFile(text), { sliceBytes: 64 });
  return textOf(await tab.report());
}

async function textOf(blob: Blob): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await blob.arrayBuffer());
}

/** A file of which 3 rows are rejected: no stock code, a negative price, a cell too many. */
const LIST =
  'Autumn list\nStock code;Colour;Price;Size\n' +
  'A1;red;12,50;M\n;"blue; dark";9,00;S\nA2; green ;-5,00;"L\nlong"\nA3;black;7,00;S\nA4;x;7,00;S;XL\n';

/** The rows of a report, its headings first, as the import's own reader sees them. */
function rowsOf(report: string, delimiter: Delimiter = ';'): readonly string[][] {
  return recordsOf([report.replace('\ufeff', '')], { delimiter }).rows;
}

/** The cells of each row of a report with commas under these headings. */
function cellsUnder(report: string, ...names: readonly string[]) {
  const [headings = [], ...rows] = rowsOf(report, ',');
  return rows.map((row) => names.map((name) => row[headings.indexOf(name)]));
}

test('the report holds every rejected row as it was, with line, column, reason and what to do', async () => {
  const report = await reportOf(LIST);
  expect(report).toMatch(/^\ufeffStock code;/);
  const [headings, ...rows] = rowsOf(report);
  expect(headings).toEqual([
    'Stock code',
    'Colour',
    'Price',
    'Size',
    'Extra cell',
    'Problem on line',
    'What happened',
    'Problem in column',
    'Problem',
    'What to do',
  ]);
  expect(rows.map((row) => row.slice(0, 8))).toEqual([
    ['', 'blue; dark', '9,00', 'S', '', '4', 'Rejected', 'Stock code'],
    // A negative price would be a formula to a spreadsheet.
    ['A2', ' green ', "'-5,00", 'L\nlong', '', '5', 'Rejected', 'Price'],
    // The cell too many stays too many, so the uncorrected row is rejected again.
    ['A4', 'x', '7,00', 'S', 'XL', '8', 'Rejected', ''],
  ]);
  for (const [problem, advice] of rows.map((row) => row.slice(8))) {
    expect(problem).toMatch(/\.$/);
    // No advice mentions quotation marks, because a spreadsheet writes them itself.
    expect(advice).toMatch(/^(?!.*quotation).*\.$/);
  }
});

test('replaced rows are in the report with the line that replaces them, and so is the row on that line', async () => {
  const report = await reportOf(
    'SKC,Size,Material,Price\nA,M,old,1\nB,M,,2\nA,M,new,1\n,M,x,1\nA,M,new,1\n',
  );
  const headings = ['SKC', 'Material', 'Problem on line', 'What happened'];
  expect(cellsUnder(report, ...headings)).toEqual([
    ['A', 'old', '2', 'Replaced by line 6, which has different values'],
    ['A', 'new', '4', 'Replaced by line 6, which is the same'],
    ['', 'x', '5', 'Rejected'],
    ['A', 'new', '6', 'Imported instead of an earlier row'],
  ]);
  expect(cellsUnder(report, 'What to do')[0]?.[0]).toContain('give each its own size');
  const table = await tableAfterImport(textFile(report.replace('\n,M,x', '\nC,M,x')));
  expect(Object.fromEntries(table)).toEqual({
    'A / M': { SKC: 'A', Size: 'M', Material: 'new', 'Retail Price': '1.00' },
    'C / M': { SKC: 'C', Size: 'M', Material: 'x', 'Retail Price': '1.00' },
  });
});

test('every warning is in the report, not only the first', async () => {
  const report = await reportOf('SKC,Material\nA,#N/A\nB,wool\nC,#REF!\nD,x\ufffd\n');
  expect(cellsUnder(report, 'SKC', 'What happened', 'Problem in column')).toEqual([
    ['A', 'Imported with a warning', 'Material'],
    ['C', 'Imported with a warning', 'Material'],
    ['D', 'Imported with a warning', 'Material'],
  ]);
  expect(cellsUnder(report, 'Problem')[2]?.[0]).toMatch(/Some letters were lost/);
});

test('a price that only the other prices of its file explain is written out in the report', async () => {
  const others = Array.from({ length: 300 }, (_, i) => `B${i};${i},50`).join('\n');
  const report = await reportOf(`SKC;Price\n${others}\nA;1.234\nA;1.234\n`);
  expect(
    rowsOf(report)
      .slice(1)
      .map((row) => row.slice(0, 2)),
  ).toEqual([
    ['A', '1234,00'],
    ['A', '1234,00'],
  ]);
});

test('a report that is imported uncorrected gives the same report again', async () => {
  const first = await reportOf(LIST);
  const second = await reportOf(first);
  const withoutLines = (text: string) => text.replace(/;\d+;(?=Rejected)/g, ';#;');
  expect(withoutLines(second)).toBe(withoutLines(first));
});

/** The headings of a file; `valueOf` gives a right value for the cell of row `n`. */
const RIGHT: readonly (readonly [heading: string, valueOf: (n: number) => string])[] = [
  ['Artikelnummer', (n) => `R-${n}`],
  ['Größe', (n) => `${n}`],
  ['VK-Preis', (n) => `${n},5`],
  ['Bild', (n) => `https://pictures.example/${n}.jpg`],
  ['Zusammensetzung', (n) => `Stoff ${n}; x`],
];
const FAULTY = fc.constantFrom(
  '',
  'A',
  '1E+12',
  '#N/A',
  '-3',
  '1.234',
  '12,50',
  'a;b',
  '9'.repeat(600),
);
const faultyRow = fc.array(FAULTY, { minLength: 1, maxLength: 7 });

test('a report mended by right values imports with nothing rejected, and holds every rejected row', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(faultyRow, { minLength: 1, maxLength: 30 }),
      fc.constantFrom<Delimiter>(...DELIMITERS),
      fc.nat(1000),
      async (faulty, delimiter, seed) => {
        const headings = RIGHT.map(([heading]) => heading);
        const text = [headings, ...faulty].map((cells) => csvLine(cells, delimiter)).join('');
        const tab = newDevice().openTab({ sliceBytes: 64 });
        const { rejected } = await checkOf(textFile(text), { delimiter }, tab);
        const [reportHeadings = [], ...rows] = rowsOf(await textOf(await tab.report()), delimiter);
        const at = (name: string) => reportHeadings.indexOf(name);
        const mended = rows.map((row, n) => {
          if (row[at('What happened')] !== 'Rejected') return row;
          const faultyColumns = row[at('Problem in column')] ?? '';
          const isRowFaulty = faultyColumns === '';
          return row.map((cell, i) => {
            if (reportHeadings[i] === 'Extra cell') return '';
            const isFaulty =
              isRowFaulty || faultyColumns.split(', ').includes(reportHeadings[i] ?? '');
            return isFaulty ? (RIGHT[i]?.[1](seed + n) ?? cell) : cell;
          });
        });
        const corrected = textFile(
          [reportHeadings, ...mended].map((cells) => csvLine(cells, delimiter)).join(''),
        );
        expect(await checkOf(corrected)).toMatchObject({ rejected: 0, rows: rows.length });
        const reported = rows.filter((row) => row[at('What happened')] === 'Rejected');
        expect(reported).toHaveLength(rejected);
      },
    ),
  );
});

test('the import ignores the report’s own columns', () => {
  for (const heading of REPORT_HEADINGS) expect(columnOf(heading)).toBeNull();
});

test('a stock code written as ="000123" for Excel stays the same through a report', async () => {
  const report = await reportOf('SKC,Price,Size\n="000123",-5,"=""10-12"""\n"=1&""A9""",-5,M\n');
  expect(report).toContain('\n"=""000123""",');
  // Two texts with `&` between them are a formula, not a code with its zeros.
  expect(report).toContain('\n"\'=1&""A9""",');
  const table = await tableAfterImport(textFile(report.replaceAll("'-5", '5')));
  expect([...table.keys()]).toEqual(['000123 / 10-12', '=1&"A9" / M']);
});

test('a column that the user has left out stays out of a mended report, also one that only hints at a category', async () => {
  const tab = newDevice().openTab();
  const file = textFile(
    'SKU,Category,Gender,Department,Price\nA,Shirts,women,x,1\nB,Shirts,men,y,abc\n',
  );
  const columns = { 'Category 2': null, 'Category 3': null };
  await checkOf(file, { columns, headerLine: 1, delimiter: ',' }, tab);
  const mended = (await textOf(await tab.report())).replace('abc', '5');
  const table = await tableAfterImport(textFile(mended));
  expect(Object.fromEntries(table)).toEqual({
    'B / ': { SKC: 'B', Size: '', 'Category 1': 'Shirts', 'Retail Price': '5.00' },
  });
});
