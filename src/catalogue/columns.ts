/**
 * From each of these widths, in CSS pixels, the grid has one more column. Spec: 2 to 5 columns by width.
 * `skeleton.module.css` has the same widths.
 */
const COLUMN_BREAKS = [560, 820, 1080];

/** @param width the grid's width in CSS pixels */
export function columnsFor(width: number): number {
  return 2 + COLUMN_BREAKS.filter((minWidth) => width >= minWidth).length;
}

/** The width of a card's picture, for the attribute `sizes`. */
export const CARD_SIZES =
  '(width >= 1080px) 20vw, (width >= 820px) 25vw, (width >= 560px) 34vw, 50vw';

/** The attribute `sizes` of the picture on a product's page. */
export const PRODUCT_SIZES = '(width >= 48rem) 50vw, 100vw';
