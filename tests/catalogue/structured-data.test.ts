/** The products on screen as schema.org data, which search engines read. */
import { expect, test } from 'vitest';
import { structuredData } from '../../src/catalogue/structured-data.ts';
import type { Product } from '../../src/domain/product.ts';

const SHIRT: Product = {
  id: 1,
  skc: 'A&1',
  size: 'M',
  picture: '/pictures/shirt.svg',
  title: 'Linen shirt',
  material: 'Indigo linen',
  price: 4805,
};
const SITE = 'https://weft.example';

test('search engines are told what is on screen: name, code, picture, price and address', () => {
  expect(JSON.parse(structuredData([{ product: SHIRT, position: 7 }], SITE))).toEqual({
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    itemListElement: [
      {
        '@type': 'ListItem',
        position: 7,
        item: {
          '@type': 'Product',
          name: 'Linen shirt, Indigo linen, size M',
          sku: 'A&1',
          image: 'https://weft.example/pictures/shirt.svg',
          url: 'https://weft.example/product/A%261?size=M',
          offers: {
            '@type': 'Offer',
            price: '48.05',
            priceCurrency: 'USD',
            url: 'https://weft.example/product/A%261?size=M',
          },
        },
      },
    ],
  });
});

test('a product without a price is left out', () => {
  const listed = [{ product: { ...SHIRT, price: null }, position: 1 }];
  expect(JSON.parse(structuredData(listed, SITE)).itemListElement).toEqual([]);
});

test('a product file cannot break out of the element that holds its words', () => {
  const title = '</script><script>alert(1)</script><!--';
  const text = structuredData([{ product: { ...SHIRT, title }, position: 1 }], SITE);
  expect(text).not.toContain('<');
  expect(JSON.parse(text).itemListElement[0].item.name).toBe(`${title}, Indigo linen, size M`);
});
