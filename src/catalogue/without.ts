import type { Facet } from '../domain/filter.ts';
import type { PageFilter } from './filter.ts';

/** The filter without one of its chosen values. */
export function without(filter: PageFilter, facet: Facet, value: string): PageFilter {
  const values = filter.chosen[facet].filter((chosenValue) => chosenValue !== value);
  return { ...filter, chosen: { ...filter.chosen, [facet]: values } };
}
