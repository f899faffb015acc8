import type { PriceProblem } from './price.ts';
import { TEXT_LIMITS } from './columns.ts';

/** The problems that a row can have. */
export type ProblemCode =
  | PriceProblem
  | 'row-shifted'
  | 'price-rounded'
  | 'skc-missing'
  | 'skc-too-long'
  | 'skc-excel-number'
  | 'skc-line-break'
  | 'key-excel-error'
  | 'key-excel-date'
  | 'size-too-long'
  | 'text-too-long'
  | 'control-character'
  | 'broken-character'
  | 'picture-not-a-link'
  | 'picture-password'
  | 'picture-too-long'
  | 'picture-several'
  | 'excel-error'
  | 'lost-letters'
  | 'hidden-character';

export interface RowProblem {
  readonly code: ProblemCode;
  /** Position in `IMPORT_COLUMNS`, or `WHOLE_ROW`. */
  readonly column: number;
}

export const WHOLE_ROW = -1;

export interface ProblemWords {
  /** What is wrong. */
  readonly reason: string;
  /** What to do about it. */
  readonly advice: string;
  /** Whether the import leaves the row out; otherwise it stores the row, and this is a warning. */
  readonly rejects: boolean;
}

const WORDS: Readonly<Record<ProblemCode, ProblemWords>> = {
  'row-shifted': rejection(
    'The row has more cells than there are headings.',
    'A separator inside a text has probably split that text over two cells. Put it together in one cell, move the cells behind it back under their headings, and leave nothing beyond the last heading.',
  ),
  'skc-missing': rejection(
    'The stock code is missing.',
    'Fill in the stock code, or delete the row if it is not a product (a total, for example).',
  ),
  'skc-too-long': rejection(
    `The stock code has more than ${TEXT_LIMITS.SKC} characters.`,
    'Check that the right column holds the stock codes, or shorten this one.',
  ),
  'skc-excel-number': rejection(
    'Excel has turned this stock code into a number and lost its last digits.',
    'Format the column as text in Excel, enter the code again and save; changing the format alone does not bring the digits back.',
  ),
  'skc-line-break': rejection(
    'There is a line break or a tab in the stock code.',
    'Type the stock code in again, in one line.',
  ),
  'key-excel-error': rejection(
    'There is an Excel error here in place of a value.',
    'Mend the formula in the spreadsheet, or type the value in.',
  ),
  'key-excel-date': warning(
    'This is a date; Excel makes dates of texts such as 10-12.',
    'It is stored as it stands, so the product is not the same as one with the text that Excel has changed. If no date is meant, format the column as text in Excel, type the text in again and save.',
  ),
  'size-too-long': rejection(
    `The size has more than ${TEXT_LIMITS.Size} characters.`,
    'Write one size in a row; a product in several sizes has one row for each.',
  ),
  'text-too-long': rejection(
    `The text is too long: categories may have ${TEXT_LIMITS['Category 1']} characters, materials ${TEXT_LIMITS.Material}.`,
    'Shorten it. If several rows have run together in this cell, give each a row of its own again.',
  ),
  'control-character': rejection(
    'There is a character that cannot be printed.',
    'Type the text in again; copying from another program can bring such characters along.',
  ),
  'broken-character': rejection(
    'There is half a character, which cannot be stored.',
    'Type the text in again, or choose another text encoding for the file.',
  ),
  'price-not-a-number': rejection(
    'The price cannot be read as one amount.',
    'Write one amount, such as 12.50, or leave the cell blank.',
  ),
  'price-ambiguous': rejection(
    'The price could mean thousands or decimals, and no other price in the column tells which.',
    'Choose the decimal mark for this file, or write the price with two decimals, such as 1234.00.',
  ),
  'price-decimals': rejection(
    'The price has more than two decimals.',
    'Round it to two decimals. If the mark was meant for thousands, choose the other decimal mark.',
  ),
  'price-rounded': warning(
    'The price has more than two decimals.',
    'It is rounded to two decimals.',
  ),
  'price-negative': rejection('The price is below zero.', 'Write a price of 0 or more.'),
  'price-too-high': rejection(
    'The price is higher than 9,999,999,999.99.',
    'Check the price; a number such as a barcode may stand in the wrong column.',
  ),
  'picture-not-a-link': warning(
    'The picture is not a link that a browser can open.',
    'The product is taken without a picture. To show one, write the whole address, beginning with https://, or /pictures/ and the name of a file of the shop.',
  ),
  'picture-password': rejection(
    'The link to the picture contains a user name or password.',
    'Use a public link: every shopper could read the password.',
  ),
  'picture-too-long': warning(
    `The link to the picture has more than ${TEXT_LIMITS['Images link'].toLocaleString('en')} characters.`,
    'The product is taken without a picture. To show one, use a shorter link.',
  ),
  'picture-several': warning(
    'There are several links to pictures.',
    'The first one is used. To use another, put it first.',
  ),
  'excel-error': warning(
    'There is an Excel error here in place of a value.',
    'The cell counts as blank. To store a value, mend the formula or type the value in.',
  ),
  'lost-letters': warning(
    'Letters were lost: they show as �.',
    'Choose another text encoding for the file, or save it again as “CSV UTF-8”.',
  ),
  'hidden-character': warning(
    'There is a line break, a tab or an invisible character inside.',
    'It is stored as part of the text, so the product is not the same as one without it. Type the text in again if that is not meant.',
  ),
};

/** The sentences about a problem for the user who imports. */
export function describeProblem(code: ProblemCode): ProblemWords {
  return WORDS[code];
}

function rejection(reason: string, advice: string): ProblemWords {
  return { reason, advice, rejects: true };
}

function warning(reason: string, advice: string): ProblemWords {
  return { reason, advice, rejects: false };
}
