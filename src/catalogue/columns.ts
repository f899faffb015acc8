/** Widths in CSS pixels from which the grid has a column more. Spec: 2 to 5 columns depending on width. */
const COLUMN_BREAKS = [560, 820, 1080];

/** @param width the grid's width in CSS pixels */
export function columnsFor(width: number): number {
  return 2 + COLUMN_BREAKS.filter((bound) => width >= bound).length;
}

/** The width of a card's picture, for the attribute `sizes`. */
export const CARD_SIZES =
  '(width >= 1080px) 20vw, (width >= 820px) 25vw, (width >= 560px) 34vw, 50vw';

/** The same for the picture on a product's page. */
export const PRODUCT_SIZES = '(width >= 48rem) 50vw, 100vw';
