import type { ProductRow } from './product.ts';

/** Between two fields of a haystack, so that no term matches across them. Nobody can type it. */
const FIELD_END = '\u001f';
const NOT_ASCII = /[^\0-\x7f]/;
const COMBINING_MARKS = /\p{Mn}+/gu;

/**
 * Lower case, accents off (`Été` → `ete`), line breaks and field marks to spaces.
 * The same folding is applied to what is searched and to what is typed.
 */
export function fold(text: string): string {
  // eslint-disable-next-line no-control-regex
  const plain = text.replace(/[\n\r\u001f]/g, ' ');
  if (!NOT_ASCII.test(plain)) return plain.toLowerCase();
  // Lower case twice: İ keeps its dot unless it is lowered first, ™ opens into capitals.
  return plain.toLowerCase().normalize('NFKD').replace(COMBINING_MARKS, '').toLowerCase();
}

/** The text a product is found by: its four categories, stock code and material, folded. */
export function haystackOf(row: ProductRow): string {
  return [row[4], row[5], row[6], row[7], row[1], row[9]]
    .map((field) => fold(field ?? ''))
    .join(FIELD_END);
}

/** The words of a search, folded; a product must contain all of them. Empty for a blank search. */
export function termsOf(search: string): string[] {
  return [...new Set(fold(search).split(/\s+/))].filter((term) => term !== '');
}
