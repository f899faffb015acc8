import { formatCount } from '../domain/count.ts';
import type { Facet } from '../domain/filter.ts';

/** A value of a facet in words: a size or material as it is, a range (`PRICE_RANGE`) as "$50 to $80". */
export function facetValueWords(facet: Facet, value: string): string {
  if (facet !== 'price') return value;
  const [from = '', below = ''] = value.split('-');
  if (from === '') return `Under $${dollars(below)}`;
  return below === '' ? `$${dollars(from)} and over` : `$${dollars(from)} to $${dollars(below)}`;
}

function dollars(text: string): string {
  return formatCount(Number(text));
}
