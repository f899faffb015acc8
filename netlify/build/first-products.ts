import { PRODUCT_COLUMNS } from '../../src/domain/product.ts';

const SELECT = PRODUCT_COLUMNS.map((name) => (name.includes(' ') ? `"${name}"` : name)).join(',');

/** The path below `/rest/v1/` of the first products: a GET, which the document can begin before any script. */
export function firstProductsPath(limit: number): string {
  const query = new URLSearchParams({
    select: SELECT,
    order: 'SKC.asc,id.asc',
    limit: String(limit),
  });
  return `products?${query.toString()}`;
}
