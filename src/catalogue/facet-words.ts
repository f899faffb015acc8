import type { Facet } from '../domain/filter.ts';

/** How the shop names a value of a facet: sizes and materials as the product file does. */
export function wordsOf(facet: Facet, value: string): string {
  if (facet !== 'price') return value;
  const [from = '', below = ''] = value.split('-');
  if (from === '') return `Under $${dollars(below)}`;
  return below === '' ? `$${dollars(from)} and over` : `$${dollars(from)} to $${dollars(below)}`;
}

function dollars(text: string): string {
  return Number(text).toLocaleString('en-US');
}
