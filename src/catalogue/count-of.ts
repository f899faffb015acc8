export function productCountWords(products: number): string {
  return products === 1 ? '1 product' : `${products.toLocaleString('en-US')} products`;
}
