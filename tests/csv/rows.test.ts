/** The rules of one row of a product file: what each cell may hold, and what is stored of it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPicture, readSize, readSkc, readText } from '../../src/csv/cells.ts';
import type { Layout } from '../../src/csv/layout.ts';
import { describeProblem, WHOLE_ROW } from '../../src/csv/problems.ts';
import { openRowValidator } from '../../src/csv/row-validator.ts';
import { escapeCell } from '../../src/csv/write.ts';
import {
  IMPORT_COLUMNS,
  type ImportColumn,
  KEY_COLUMNS,
  TEXT_LIMITS,
} from '../../src/csv/columns.ts';
import { quickOrFull } from '../full-run.ts';
import { somePrice, someText } from './text.ts';

type Cells = Partial<Record<ImportColumn, string>>;

/** The layout of a file with these columns; '' stands for a column that is not read. */
function layoutWith(columns: readonly (ImportColumn | '')[]): Layout {
  return {
    delimiter: ',',
    newline: '\n',
    headerLine: 1,
    hasPaths: false,
    bodyStart: 0,
    bodyLine: 2,
    columns: columns.map((column) => column || null),
    headers: columns,
  };
}

const ALL_COLUMNS = layoutWith(IMPORT_COLUMNS);
const positionOf = (column: ImportColumn) => IMPORT_COLUMNS.indexOf(column);

/** Validates a row with all columns. */
function validate(cells: Cells, { blankCellsClear } = { blankCellsClear: false }) {
  const validator = openRowValidator(ALL_COLUMNS, { decimalMark: null, blankCellsClear });
  return validator.validate(IMPORT_COLUMNS.map((column) => cells[column] ?? ''));
}

/**
 * What is stored of one cell, `left` where the stored value is left as it is, with the codes of its
 * warnings. For a rejected row only the codes of its problems.
 */
function outcomeOf(column: ImportColumn, cell: string): string {
  const result = validate({ SKC: 'A1', [column]: cell });
  if (result === null) return 'no row';
  const found = (result.ok ? result.warnings : result.problems).map(({ code }) => code);
  for (const code of found) expect(describeProblem(code).rejects, code).toBe(!result.ok);
  const codes = found.join(' ');
  if (!result.ok) return codes;
  const value = result.values[positionOf(column)];
  return [value ?? 'left', codes].filter(Boolean).join(' | ');
}

test('a row is stored in the order of the columns, wherever they stand in the file', () => {
  const layout = layoutWith(['Material', '', 'Retail Price', 'SKC', 'Category 2']);
  const validator = openRowValidator(layout, { decimalMark: null, blankCellsClear: true });
  const expected: Cells = {
    SKC: '000123',
    Size: '',
    'Category 2': '',
    'Retail Price': '12.00',
    Material: 'wool',
  };
  expect(validator.validate([' wool ', 'red', '$ 12', '000123', ''])).toEqual({
    ok: true,
    values: IMPORT_COLUMNS.map((column) => expected[column]),
    warnings: [],
  });
});

test('a blank cell leaves what is stored, and empties it when the importer chooses so', () => {
  const cells = { SKC: 'A1', 'Retail Price': 'n/a', Material: '  ' };
  const kept = validate(cells);
  const otherColumns = IMPORT_COLUMNS.slice(KEY_COLUMNS);
  expect(kept?.ok && kept.values).toEqual(['A1', '', ...otherColumns.map(() => undefined)]);
  const cleared = validate(cells, { blankCellsClear: true });
  expect(cleared?.ok && cleared.values).toEqual(['A1', '', ...otherColumns.map(() => '')]);
});

test('a row without any text is skipped', () => {
  const validator = openRowValidator(ALL_COLUMNS, { decimalMark: null, blankCellsClear: true });
  for (const cells of [[''], ['', ' ', '\u00a0'], Array.from({ length: 300 }, () => '')]) {
    expect(validator.validate(cells)).toBeNull();
  }
});

test('stock code and size are texts: zeros stay, and a number that Excel has shortened is rejected', () => {
  expect(outcomeOf('SKC', '000123')).toBe('000123');
  expect(outcomeOf('SKC', ' WF-1 a/b ')).toBe('WF-1 a/b');
  expect(outcomeOf('SKC', '="000123"')).toBe('000123');
  expect(outcomeOf('Size', '="10-12"')).toBe('10-12');
  expect(outcomeOf('SKC', '1E5')).toBe('1E5');
  expect(outcomeOf('SKC', ' \t')).toBe('no row');
  // Behind an apostrophe white space stays, so this row is not blank.
  expect(outcomeOf('SKC', "' \u00a0")).toBe('skc-missing');
  for (const cell of ['1.23E+11', '1,23E+11', '4E+12', ' 1.23e+11 ']) {
    expect(outcomeOf('SKC', cell), cell).toBe('skc-excel-number');
  }
});

test('the errors of a spreadsheet in any of our languages are no stock code, no size and no text', () => {
  const errors =
    '#N/A #REF! #NAME? #NV ######## #DIV/0! #N/D #¡VALOR! #¡REF! #¿NOMBRE? #¡DIV/0! #VALORE! #RIF! #NOME? #N/B #WAARDE! #VERW! #N/D! #ARG! #ADR! ' +
    '#YOK #BAŞV! #DEĞER! #SAYI/0! #BEZUG! #NOM? #VALEUR! #SPILL! #GETTING_DATA #ERROR! Err:502';
  for (const cell of errors.split(' ')) {
    expect(outcomeOf('SKC', cell), cell).toBe('key-excel-error');
    expect(outcomeOf('Size', cell), cell).toBe('key-excel-error');
    expect(outcomeOf('Material', cell), cell).toBe('left | excel-error');
    expect(outcomeOf('Images link', cell), cell).toBe('left | excel-error');
    expect(outcomeOf('Retail Price', cell), cell).toBe('left | excel-error');
  }
  for (const text of ['#12', '#sale!', '#A1', '#!', 'Err:', 'Err: 5', 'Error:502']) {
    expect(outcomeOf('Size', text), text).toBe(text);
  }
});

test('a stock code or size that a spreadsheet has turned into a date is stored with a warning', () => {
  const dates =
    '02. Apr|04. Feb|10. Dez|02.Apr|12-Oct|Oct-12|Jun 36|10-dic|10-déc.|10-févr|7-juil.|1-Sept|10/set|10.gru|10.Ara|' +
    '3-mrt|12-Oct-26|10. Dez 26|10.12.2026|10/12/2026|2026-10-12|2026-10-12 00:00:00|10月12日';
  for (const cell of dates.split('|')) {
    expect(outcomeOf('SKC', cell), cell).toBe(`${cell} | key-excel-date`);
    expect(outcomeOf('Size', cell), cell).toBe(`${cell} | key-excel-date`);
    expect(outcomeOf('Material', cell), cell).toBe(cell);
  }
  const others =
    '2-4|10-12|10/12/14|10.12|36-38|MAR-01|SET-12|2 set|12 Mon|32 Long|W32-L34|2026|1-2-3|10-Oct-x|Mark 10|0-3 mths';
  for (const text of others.split('|')) expect(outcomeOf('Size', text), text).toBe(text);
});

test('a row without a stock code, such as one of totals, is rejected', () => {
  expect(validate({ 'Retail Price': '1234.00' })).toEqual({
    ok: false,
    problems: [{ code: 'skc-missing', column: positionOf('SKC') }],
  });
});

test('texts may be as long as the limits say, counted in characters', () => {
  for (const [column, limit] of Object.entries(TEXT_LIMITS) as [ImportColumn, number][]) {
    if (column === 'Images link') continue; // must be a link: see the next test
    const longest = '👗'.repeat(limit);
    expect(outcomeOf(column, longest), column).toBe(longest);
    const problem = { SKC: 'skc-too-long', Size: 'size-too-long' }[column as string];
    expect(outcomeOf(column, 'x'.repeat(limit + 1)), column).toBe(problem ?? 'text-too-long');
    expect(outcomeOf(column, '👗'.repeat(limit + 1)), column).toBe(problem ?? 'text-too-long');
  }
});

test('a picture is a link that a browser can open; of several, the first', () => {
  const good = ['https://a.example/x.jpg', 'HTTP://a.example/ä b.jpg', '/pictures/tee.svg'];
  good.push('https://a.example/w_300,h_200/x.jpg', `https://a.example/${'x'.repeat(2030)}`); // 2,048 characters
  good.push('https://a.example/?from=https://b.example/', 'http://[::1]:8080/x');
  for (const link of good) expect(outcomeOf('Images link', link), link).toBe(link);
  // The product is taken without its picture.
  for (const [link, problem] of [
    ['javascript:alert(1)', 'left | picture-not-a-link'],
    ['data:image/png;base64,AA', 'left | picture-not-a-link'],
    ['//a.example/x.jpg', 'left | picture-not-a-link'],
    ['/\\a.example', 'left | picture-not-a-link'],
    ['www.a.example/x.jpg', 'left | picture-not-a-link'],
    ['https://', 'left | picture-not-a-link'],
    ['x.jpg', 'left | picture-not-a-link'],
    ['https://staff:secret@a.example/x.jpg', 'picture-password'],
    ['https://staff@a.example', 'picture-password'],
    [`https://a.example/${'x'.repeat(2031)}`, 'left | picture-too-long'],
    ['n/a', 'left'],
  ]) {
    expect(outcomeOf('Images link', link!), link).toBe(problem);
  }
  for (const mark of [',', ';', ' |']) {
    expect(outcomeOf('Images link', `https://a.example/x.jpg${mark}`)).toBe(
      'https://a.example/x.jpg',
    );
  }
  expect(outcomeOf('Images link', '/a.jpg,/b.jpg')).toBe('/a.jpg | picture-several');
  for (const between of [', ', ' ,', ';', '|', '\n', ' ', ',', ' \r\n']) {
    const cell = `https://a.example/1.jpg${between}https://b.example/2.jpg${between}HTTP://c.example`;
    expect(outcomeOf('Images link', cell)).toBe('https://a.example/1.jpg | picture-several');
  }
});

test('characters that cannot be stored are rejected; lost letters, and invisible ones in the key, are warned about', () => {
  expect(outcomeOf('Material', 'a\0b')).toBe('control-character');
  expect(outcomeOf('SKC', 'A\u0007')).toBe('control-character');
  expect(outcomeOf('Material', 'a\ud83db')).toBe('broken-character');
  expect(outcomeOf('Images link', 'https://a.example/\udc57')).toBe('broken-character');
  expect(outcomeOf('Material', 'Gr\ufffdn')).toBe('Gr\ufffdn | lost-letters');
  expect(outcomeOf('Material', 'two\nlines\tand a tab')).toBe('two\nlines\tand a tab');
  expect(outcomeOf('SKC', 'A\u200b1')).toBe('A\u200b1 | hidden-character');
  expect(outcomeOf('SKC', 'AB\u00a01')).toBe('AB\u00a01 | hidden-character');
  expect(outcomeOf('Size', 'M\nL')).toBe('M\nL | hidden-character');
  expect(outcomeOf('Size', 'M\u200b')).toBe('M\u200b | hidden-character');
});

test('a stock code in several lines, or with a tab, is rejected: no address of the shop leads to it', () => {
  for (const between of ['\n', '\r\n', '\t', '\u2028', '\u2029']) {
    expect(outcomeOf('SKC', `A${between}1`), JSON.stringify(between)).toBe('skc-line-break');
  }
  expect(outcomeOf('SKC', '\tA1\n')).toBe('A1');
  expect(outcomeOf('SKC', "'=A\n1")).toBe('skc-line-break');
});

test('a row with more cells than headings has been shifted, and is rejected', () => {
  const layout = layoutWith(['SKC', 'Material']);
  const validator = openRowValidator(layout, { decimalMark: null, blankCellsClear: false });
  expect(validator.validate(['A1', '98% cotton', '2% elastane'])).toEqual({
    ok: false,
    problems: [{ code: 'row-shifted', column: WHOLE_ROW }],
  });
  expect(validator.validate(['A1', 'wool', '', ' '])?.ok).toBe(true);
  expect(validator.validate(['A1'])?.ok).toBe(true);
});

test('every problem of a row is reported, not only the first', () => {
  const cells = { SKC: '#N/A', Size: 'x'.repeat(33), 'Retail Price': '-1', Material: '#REF!' };
  expect(validate(cells)).toEqual({
    ok: false,
    problems: [
      { code: 'key-excel-error', column: positionOf('SKC') },
      { code: 'size-too-long', column: 1 },
      { code: 'price-negative', column: positionOf('Retail Price') },
    ],
  });
});

test('a row that is stored, exported and imported again stays the same', () => {
  const links = ['/pictures/a b.svg', 'https://a.example/1,2;3|4', 'http://ä.example'];
  const link = fc.constantFrom(...links);
  const row = fc.tuple(
    ...IMPORT_COLUMNS.map((column) => {
      if (column === 'Retail Price') return somePrice;
      return column === 'Images link' ? link : someText;
    }),
  );
  let stored = 0;
  fc.assert(
    fc.property(row, fc.boolean(), (cells, blankCellsClear) => {
      const validator = openRowValidator(ALL_COLUMNS, { decimalMark: '.', blankCellsClear });
      const first = validator.validate(cells);
      if (!first?.ok) return;
      stored += 1;
      const reread = validator.validate(first.values.map((value) => escapeCell(value ?? '')));
      expect(reread).toMatchObject({ ok: true, values: first.values });
    }),
    { numRuns: quickOrFull(1000, 5000) },
  );
  expect(stored).toBeGreaterThan(quickOrFull(200, 1000));
});

test('the validator, which checks most cells by one expression, finds what the rules of the column find', () => {
  const rules = {
    SKC: readSkc,
    Size: readSize,
    'Images link': readPicture,
    Material: (cell: string) => readText(cell, TEXT_LIMITS.Material),
  };
  const cell = fc.oneof(
    someText,
    someText.map((text) => `https://a.example/${text}`),
  );
  fc.assert(
    fc.property(fc.constantFrom(...typedKeys(rules)), cell, (column, cell) => {
      const { value, problem, warning } = rules[column](cell);
      const cells = { [column === 'SKC' ? 'Size' : 'SKC']: 'A1', [column]: cell };
      const result = validate(cells, { blankCellsClear: true });
      if (result?.ok) {
        expect(problem).toBeNull();
        expect(result.values[positionOf(column)]).toBe(value);
        expect(result.warnings.map(({ code }) => code)).toEqual(warning === null ? [] : [warning]);
      } else expect(result?.problems.map(({ code }) => code)).toEqual([problem]);
    }),
    { numRuns: quickOrFull(1000, 5000) },
  );
});

const typedKeys = <K extends string>(record: Readonly<Record<K, unknown>>) =>
  Object.keys(record) as K[];
