import type { ProductRow } from './product.ts';

/** Separates two fields of a haystack, so that no term matches across them. `fold` removes it. */
const FIELD_END = '\u001f';
const NOT_ASCII = /[^\0-\x7f]/;
/** Accents, and characters that are not seen. */
const UNSEEN = /[\p{Mn}\p{Cf}]+/gu;
const DASHES = /[\p{Pd}\u2212]/gu;
/** Phones type other quotation marks than files have, and people leave them out. */
const QUOTES = /['"`\xb4\u2018-\u201f\u2032\u2033\u02bb\u02bc]+/g;
/** Letters with a stroke, and pairs of letters in one, which Unicode does not take apart. */
const PLAIN: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ŋ: 'ng',
};
const LETTERS = /[øłđðħŧıßæœþŋ]/g;

/**
 * Folds a text: lower case, no accents (`Été` → `ete`), no quotation marks. Line breaks and field separators become
 * spaces, because a chunk puts them between haystacks and between fields. The haystacks and the typed search are
 * folded alike. `CATALOGUE_FORMAT` goes up when this changes.
 */
export function fold(text: string): string {
  // eslint-disable-next-line no-control-regex
  const plain = text.replace(/[\n\r\u001f]/g, ' ');
  if (!NOT_ASCII.test(plain)) return plain.replace(QUOTES, '').toLowerCase();
  // Lower case comes after NFKD, which turns ™ into capitals.
  return plain
    .normalize('NFKD')
    .replace(UNSEEN, '')
    .replace(QUOTES, '')
    .replace(DASHES, '-')
    .toLowerCase()
    .replace(LETTERS, (letter) => PLAIN[letter]!); // one of these letters
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
