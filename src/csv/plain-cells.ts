/** Regular expressions that recognise plain cells: those that are stored as they stand, as most cells are. */
import type { ImportColumn } from './columns.ts';
import { PLAIN_PRICE } from './price.ts';

const PRINTABLE = Array.from({ length: 0x5f }, (_, i) => String.fromCharCode(0x20 + i));
/**
 * For a character class: the letters of most scripts, and punctuation that a phone's keyboard writes. White space
 * and invisible characters, which `fields.ts` removes, lie in the gaps between these ranges.
 */
const LETTERS = String.raw`\u00a1-\u00ac\u00ae-\u024f\u0370-\u167f\u2010-\u2027\u3041-\u9fff\uac00-\ud7a3`;

/** Printable ASCII without these characters, for a character class. */
function asciiWithout(excluded: string): string {
  return PRINTABLE.filter((char) => !excluded.includes(char))
    .map((char) => String.raw`\x${char.charCodeAt(0).toString(16)}`)
    .join('');
}

/**
 * The source of a regular expression for the plain cells of a column, which matches no blank cell. The
 * caller compares their length with `TEXT_LIMITS`, and reads prices, because `12` is stored as `12.00`.
 *
 * @param excluded characters that the cells must not hold
 */
export function plainPattern(column: ImportColumn, excluded = ''): string {
  switch (column) {
    case 'SKC':
      // Without `+`, which is in the long numbers of Excel.
      return String.raw`[\w./-]+`;
    case 'Retail Price':
      return PLAIN_PRICE;
    case 'Images link':
      // A plain host, and without the , ; and | that may separate links.
      return String.raw`https?:\/\/[A-Za-z0-9.-]+(?:\/[${asciiWithout(` ,;|${excluded}`)}]*)?`;
    case 'Size':
    case 'Category 1':
    case 'Category 2':
    case 'Category 3':
    case 'Category 4':
    case 'Material':
    case 'Fabric Composition': {
      // No white space at the ends. Errors of spreadsheets begin with `#` or `Err:`, and formulas with `=`.
      // An apostrophe may follow a letter only: elsewhere `escapeCell` may have written it.
      // Markup begins with `<` or `&`.
      const first = `[${asciiWithout(` '#=<&${excluded}`)}${LETTERS}]`;
      const other = `[${asciiWithout(`'<&${excluded}`)}${LETTERS}]`;
      return `(?!Err:)${first}${other}*(?:(?<=[A-Za-z])'${other}*)*(?<! )`;
    }
  }
}
