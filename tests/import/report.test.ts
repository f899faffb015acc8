/** The report of rejected rows: a CSV that staff correct in a spreadsheet and import again. */
import { expect, test } from 'vitest';
import { columnOf } from '../../src/csv/aliases.ts';
import { REPORT_HEADINGS } from '../../src/import/worker/report.ts';
import { checkFile, newDevice, newPage } from './device.ts';
import { textFile } from './product-files.ts';

async function reportOf(text: string, sliceBytes = 64): Promise<string> {
  const tab = newDevice().openTab({ sliceBytes });
  const outcome = await checkFile(tab, textFile(text));
  if (outcome.kind !== 'checked') throw new Error(JSON.stringify(outcome));
  return textOf(await tab.report());
}

/** The products that a shop has after it has imported this file, of which no row is rejected. */
async function tableAfterImport(text: string) {
  const { shop, openTab } = newDevice();
  const tab = openTab();
  expect(await checkFile(tab, textFile(text))).toMatchObject({ check: { rejected: 0 } });
  await tab.send('ann', newPage());
  return shop.table;
}

async function textOf(blob: Blob): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await blob.arrayBuffer());
}

/** A file of which 3 rows are rejected: no stock code, a negative price, a cell too many. */
const LIST =
  'Autumn list\nStock code;Colour;Price;Size\n' +
  'A1;red;12,50;M\n;"blue; dark";9,00;S\nA2; green ;-5,00;"L\nlong"\nA3;black;7,00;S\nA4;x;7,00;S;XL\n';

test('the report holds every rejected row as it was, with line, column, reason and what to do', async () => {
  const lines = (await reportOf(LIST)).split('\n');
  expect(lines[0]).toBe(
    '\ufeffStock code,Colour,Price,Size,Problem in line,Problem in column,Problem,What to do',
  );
  expect(lines[1]).toMatch(/^,blue; dark,"9,00",S,4,Stock code,The stock code is missing\.,/);
  // A negative price would be a formula to a spreadsheet.
  expect(lines[2]).toBe('A2, green ,"\'-5,00","L');
  expect(lines[3]).toMatch(/^long",5,Price,The price is below zero\.,/);
  // The cell too many comes last, so the uncorrected row is rejected again.
  expect(lines[4]).toMatch(/^A4,x,"7,00",S,8,,[^,]+,.*,XL$/);
  expect(lines.slice(5)).toEqual(['']);
});

test('a corrected report is imported, with just the rows that were rejected before', async () => {
  const corrected = (await reportOf(LIST))
    .replace('\n,blue', '\nA9,blue')
    .replace("'-5,00", '5,00')
    .replace(',XL\n', '\n');
  const table = await tableAfterImport(corrected);
  expect([...table.keys()]).toEqual(['A9 / S', 'A2 / L\nlong', 'A4 / S']);
  expect(table.get('A2 / L\nlong')).toMatchObject({ 'Retail Price': '5.00' });
});

test('a report that is imported uncorrected gives the same report again', async () => {
  const first = await reportOf(LIST);
  const second = await reportOf(first);
  const withoutLines = (text: string) => text.replace(/(?<=,)\d+(?=,(Stock code|Price|),)/g, '#');
  expect(withoutLines(second)).toBe(withoutLines(first));
});

test('the import ignores the report’s own columns', () => {
  for (const heading of REPORT_HEADINGS) expect(columnOf(heading)).toBeNull();
});

test('no cell of a report is a formula to a spreadsheet, and importing the report restores the text', async () => {
  const cells = ['=1+1', '+1', '-1', '@x', '\t=x', "'=1+1", '＝1', ' =1', "''a", ' a '];
  const quoted = cells.map((cell) => `"${cell}"`);
  const text = `SKC,Material,${cells.map((_, i) => `X${i}`).join(',')}\n,"=HYPERLINK(1)",${quoted.join(',')}\n`;
  const report = await reportOf(text);
  const [, row = ''] = report.split('\n');
  expect(row.startsWith(",'=HYPERLINK(1),'=1+1,'+1,'-1,'@x,'=x,'=1+1,'＝1,'=1,''a, a ,")).toBe(
    true,
  );

  const table = await tableAfterImport(report.replace('\n,', '\nA1,'));
  expect(table.get('A1 / ')?.['Material']).toBe('=HYPERLINK(1)');
});

test('no spreadsheet that splits a report at other separators finds a formula in it', async () => {
  const cells = ['foo;=1', 'foo\t@x', "a|'-1", 'b;＝1', 'd|＠x', "c;=1;'=2"];
  const text = `SKC,Material,${cells.map((_, i) => `X${i}`).join(',')}\n,"Wool;=1+1",${cells.map((cell) => `"${cell}"`).join(',')}\n`;
  const report = await reportOf(text);
  const [, row = ''] = report.split('\n');
  expect(row.startsWith(",Wool;'=1+1,foo;'=1,foo\t'@x,a|'-1,b;'＝1,d|'＠x,c;'=1;''=2")).toBe(true);

  const table = await tableAfterImport(report.replace('\n,', '\nA1,'));
  expect(table.get('A1 / ')?.['Material']).toBe('Wool;=1+1');
});

test('a stock code written as ="000123" for Excel stays the same through a report', async () => {
  const report = await reportOf('SKC,Price,Size\n="000123",-5,"=""10-12"""\n"=1&""A9""",-5,M\n');
  expect(report).toContain('\n"=""000123""",');
  // More than one text is a formula like any other.
  expect(report).toContain('\n"\'=1&""A9""",');
  const table = await tableAfterImport(report.replaceAll("'-5", '5'));
  expect([...table.keys()]).toEqual(['000123 / 10-12', '=1&"A9" / M']);
});

test('a file that was not checked has no report', async () => {
  await expect(newDevice().openTab().report()).rejects.toThrow(/Check the file/);
});
