/** Random product files whose cells mislead a reader of CSV. */
import fc from 'fast-check';
import { IMPORT_COLUMNS } from '../../src/csv/columns.ts';
import { type Delimiter, DELIMITERS } from '../../src/csv/format.ts';
import { csvLine } from '../../src/csv/write.ts';
import { someText } from '../csv/text.ts';

/** Cells that look like headings, separators or line ends, and texts that reading would trim. */
const hostileCell = fc.oneof(
  fc.constantFrom(
    `wool;SKU;Size;Price;${'Genre;'.repeat(9)}`,
    `wool;COAT-1;M;1.00;${';'.repeat(9)}`,
    'SKC,Size,Retail Price',
    'SKC',
    'Stock code\tPrice\tGender\tDepartment',
    'x\nSKU;Size;Price;Image\nA;M;1;/a.jpg\n',
    '"\r\nSKC,Size\r\n"',
    'sep=;',
    'Total',
    "'=1+1",
    ' wool ',
    '\ufeff',
  ),
  someText,
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);

const headings = fc
  .shuffledSubarray([...IMPORT_COLUMNS], { minLength: 0 })
  .map((columns) => columns.filter((column) => column !== 'SKC'));
const row = fc.record({
  code: fc.oneof(fc.string({ unit: fc.constantFrom('A', 'B', '1'), minLength: 1 }), hostileCell),
  price: fc.constantFrom('49.00', '1', '', '12,50', 'each'),
  picture: fc.constantFrom('', '/a.jpg', 'https://a.example/?x=1;2,3|4', 'SKU;Price'),
  texts: fc.array(hostileCell, {
    minLength: IMPORT_COLUMNS.length,
    maxLength: IMPORT_COLUMNS.length,
  }),
});

/** The text of a file whose first column has the stock codes, with any other columns in any order. */
export const hostileFile: fc.Arbitrary<string> = fc
  .record({
    codeHeading: fc.constantFrom('SKC', 'Stock code', 'Item number'),
    headings,
    delimiter: fc.constantFrom<Delimiter>(...DELIMITERS),
    rows: fc.array(row, { maxLength: 9 }),
  })
  .map(({ codeHeading, headings, delimiter, rows }) => {
    const lines = rows.map(({ code, price, picture, texts }) => {
      const cells = headings.map((heading, i) => {
        if (heading === 'Retail Price') return price;
        return heading === 'Images link' ? picture : (texts[i] ?? '');
      });
      return csvLine([code, ...cells], delimiter);
    });
    return [csvLine([codeHeading, ...headings], delimiter), ...lines].join('');
  });
