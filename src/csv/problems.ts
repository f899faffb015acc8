import { formatCount } from '../domain/count.ts';
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
  // key-…: in the stock code or the size
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
    'A separator has probably split one value into two cells. Join them, move the later cells back under their headings, and leave nothing beyond the last heading.',
  ),
  'skc-missing': rejection(
    'The stock code is missing.',
    'Fill in the stock code, or delete the row if it isn’t a product (a total, for example).',
  ),
  'skc-too-long': rejection(
    `The stock code has more than ${TEXT_LIMITS.SKC} characters.`,
    'Check that you’ve chosen the right column, or shorten the code.',
  ),
  'skc-excel-number': rejection(
    'Excel has turned this stock code into a number and lost its last digits.',
    'Format the column as text in Excel, enter the code again and save. Changing the format alone doesn’t bring the digits back.',
  ),
  'skc-line-break': rejection(
    'The stock code has a line break or a tab.',
    'Type the stock code again on one line.',
  ),
  'key-excel-error': rejection(
    'This cell has an Excel error instead of a value.',
    'Fix the formula in the spreadsheet, or type in the value.',
  ),
  'key-excel-date': warning(
    'This is a date. Excel turns text such as 10-12 into dates.',
    'We’ll import it as is, so it may not match a product you imported before. If it shouldn’t be a date, format the column as text in Excel, type the text again and save.',
  ),
  'size-too-long': rejection(
    `The size has more than ${TEXT_LIMITS.Size} characters.`,
    'Use one row for each size.',
  ),
  'text-too-long': rejection(
    `The text is too long. Categories can have up to ${TEXT_LIMITS['Category 1']} characters, materials ${TEXT_LIMITS.Material}.`,
    'Shorten it. If several rows have run together in this cell, split them up again.',
  ),
  'control-character': rejection(
    'This text has a character that can’t be displayed.',
    'Type the text again. Copying from another program can add characters like this.',
  ),
  'broken-character': rejection(
    'This text has a broken character that can’t be saved.',
    'Type the text again, or choose another encoding for the file.',
  ),
  'price-not-a-number': rejection(
    'We can’t read this price as one amount.',
    'Enter one amount, such as 12.50, or leave the cell blank.',
  ),
  'price-ambiguous': rejection(
    'The comma or period could mark thousands or decimals. No other price in the column shows which.',
    'Choose the decimal mark for this file, or enter the price with two decimals, such as 1234.00.',
  ),
  // Three decimals may be thousands; from four on the price is a net price, which `price.ts` rounds.
  'price-decimals': rejection(
    'The price has more than two decimals.',
    'Round it to two decimals. If the separator marks thousands, choose the other decimal mark.',
  ),
  'price-rounded': warning(
    'The price has more than two decimals.',
    'We’ll round it to two decimals.',
  ),
  'price-negative': rejection('The price is below zero.', 'Enter a price of 0 or more.'),
  'price-too-high': rejection(
    'The price is higher than 9,999,999,999.99.',
    'Check the price. A barcode or another number may be in the wrong column.',
  ),
  'picture-not-a-link': warning(
    'This isn’t a picture link a browser can open.',
    'We’ll import the product without a picture. To show one, enter /pictures/ plus the file name, or a full address starting with https://.',
  ),
  'picture-password': rejection(
    'The link to the picture contains a user name or password.',
    'Use a public link. Any shopper could read the password.',
  ),
  'picture-too-long': warning(
    `The link to the picture has more than ${formatCount(TEXT_LIMITS['Images link'])} characters.`,
    'We’ll import the product without a picture. To show one, use a shorter link.',
  ),
  'picture-several': warning(
    'This cell has several picture links.',
    'We’ll use the first one. To use another, put it first.',
  ),
  'excel-error': warning(
    'This cell has an Excel error instead of a value.',
    'The cell counts as blank. To import a value, fix the formula or type in the value.',
  ),
  'lost-letters': warning(
    'Some letters were lost and show as �.',
    'Choose another text encoding for the file, or save it again as “CSV UTF-8”.',
  ),
  'hidden-character': warning(
    'This text has a line break, a tab or an invisible character.',
    'We’ll keep it, so the text may not match a product you imported before. If it shouldn’t be there, type the text again.',
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
