import type { ProductRow } from './product.ts';

/** Separates two fields of a haystack, so that no term matches across them. `fold` removes it. */
const FIELD_END = '\u001f';
const NOT_ASCII = /[^\0-\x7f]/;
const COMBINING_MARKS = /\p{Mn}+/gu;

/**
 * Folds a text: lower case, no accents (`Été` → `ete`). Line breaks and field separators become spaces, because a
 * chunk puts them between haystacks and between fields. The haystacks and the typed search are folded alike.
 */
export function fold(text: string): string {
  // eslint-disable-next-line no-control-regex
  const plain = text.replace(/[\n\r\u001f]/g, ' ');
  if (!NOT_ASCII.test(plain)) return plain.toLowerCase();
  // Lower case at the end, because NFKD turns ™ into capitals.
  return plain.normalize('NFKD').replace(COMBINING_MARKS, '').toLowerCase();
}

/** The text in which a search looks: a product's categories, stock code and material, folded. */
export function haystackOf(row: ProductRow): string {
  // Categories 1 to 4, stock code, material: the indices are those of `PRODUCT_COLUMNS`.
  return [row[4], row[5], row[6], row[7], row[1], row[9]]
    .map((field) => fold(field ?? ''))
    .join(FIELD_END);
}

/** The words of a search, folded; a product must contain all of them. Empty for a blank search. */
export function termsOf(search: string): string[] {
  return [...new Set(fold(search).split(/\s+/))].filter((term) => term !== '');
}
