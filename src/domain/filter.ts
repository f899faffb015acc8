/** The properties by which a shopper can narrow the catalogue, besides category and search. */
export const FACETS = ['size', 'price', 'material'] as const;

export type Facet = (typeof FACETS)[number];

/**
 * The chosen values of each facet: a product needs one of them. An empty list stands for all products. A price
 * is a range as `PRICE_RANGE` describes it.
 */
export type Chosen = Readonly<Record<Facet, readonly string[]>>;

export const NOTHING_CHOSEN: Chosen = { size: [], price: [], material: [] };

/** A range of prices in whole dollars: from 50 to below 80 is `50-80`; one end may be missing. */
export const PRICE_RANGE = /^(\d{1,7}-\d{0,7}|-\d{1,7})$/;

/** The sort orders besides the shop's own. In both, products without a price come last. */
export const PRICE_SORTS = ['price-asc', 'price-desc'] as const;

export type PriceSort = (typeof PRICE_SORTS)[number];
