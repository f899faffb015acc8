/** The module that `finding.ts` loads after the first screen. */
export { ChosenFilters } from './chosen-filters.tsx';
export { FacetPanel } from './facet-panel.tsx';
export { facetsOf, readAhead } from './facets-of.ts';
export { GoneFavourites } from './gone-favourites.tsx';
export { NothingFound } from './nothing-found.tsx';
