/** What programs that run no script are told of a product: search engines, and previews of messengers. */
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import answerForProduct from '../../netlify/functions/product.ts';
import { escapeMarkup } from '../../netlify/lib/escape.ts';
import { withProduct } from '../../netlify/lib/product-document.ts';
import { productPageOf } from '../../src/domain/product-page.ts';
import { productPath } from '../../src/domain/routes.ts';
import { parseProductRow } from '../../src/domain/product.ts';
import { stock } from '../supabase/stock.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';
import { SHELL_FOLDER } from './shop-over-http.ts';

const SITE = 'https://weft.example';
const RETURNS = 'https://weft.example/returns';
const SHELL = readFileSync(`${SHELL_FOLDER}/index.html`, 'utf8');

const shop = await openShopForFile({
  siteFolder: SHELL_FOLDER,
  environment: { URL: SITE, SHOP_RETURNS: RETURNS },
});
await stock(shop.backend, [
  {
    SKC: 'A/1?#% é布',
    Size: 'XL',
    'Category 1': 'Linen shirt',
    'Category 2': 'Men',
    'Retail Price': 1148.5,
    Material: 'Linen',
    'Fabric Composition': '100% linen',
    'Images link': '/pictures/shirt.svg',
  },
  { SKC: 'A/1?#% é布', Size: 'S', 'Category 1': 'Linen shirt', 'Retail Price': 48.5 },
  { SKC: 'COAT', 'Category 1': 'Coat' },
  { SKC: 'COAT2', 'Category 1': 'Next in the order' },
  // No address of the shop has a line break.
  { SKC: 'TWO\nLINES', 'Category 1': 'Written by hand' },
]);

// The function waits 4 seconds for the database, and a busy machine may take longer.
vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);

const ask = (code: string) => fetch(shop.url + productPath(code));
const metaIn = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`<meta [a-z]+="${name}"\\s+content="([^"]*)"`, 'g'))].map(
    ([, content]) => content,
  );
const dataIn = (html: string) => {
  const [, text = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(text) as Record<string, unknown>;
};

/** The document of a product with a size in each of these rows, whose values are in the order of PRODUCT_COLUMNS. */
function documentOf(
  rows: readonly (readonly unknown[])[],
  shell: string,
  options: Parameters<typeof withProduct>[2],
): string {
  const page = productPageOf(rows.map((row) => parseProductRow(row)).filter((row) => row !== null));
  return page ? withProduct(shell, page, options) : '';
}

test('a shared address says what the product is, whatever its code is spelled with', async () => {
  const code = 'A/1?#% é布';
  const answer = await ask(code);
  expect(answer.status).toBe(200);
  const html = await answer.text();
  expect(html).toContain('<title>Linen shirt, Linen · Weft</title>');
  expect(metaIn(html, 'og:title')).toEqual(['Linen shirt, Linen · Weft']);
  const words = 'Linen shirt, Linen. 100% linen. Sizes S, XL. From $48.50.';
  expect(metaIn(html, 'description')).toEqual([words]);
  expect(metaIn(html, 'og:description')).toEqual([words]);
  expect(metaIn(html, 'og:url')).toEqual([SITE + productPath(code)]);
  expect(metaIn(html, 'og:image')).toEqual([`${SITE}/pictures/shirt.svg`]);
  expect(html).toContain(`<link rel="canonical" href="${SITE}${productPath(code)}" />`);
  const url = SITE + productPath(code);
  const variant = (size: string, price: string) => ({
    '@type': 'Product',
    name: expect.stringContaining(`size ${size}`),
    sku: `${code}-${size}`,
    image: `${SITE}/pictures/shirt.svg`, // of XL, because S has none
    size,
    offers: {
      '@type': 'Offer',
      price,
      priceCurrency: 'USD',
      url: `${url}?size=${size}`,
      hasMerchantReturnPolicy: { '@type': 'MerchantReturnPolicy', merchantReturnLink: RETURNS },
    },
  });
  expect(dataIn(html)).toEqual({
    '@context': 'https://schema.org',
    '@type': 'ProductGroup',
    name: 'Linen shirt, Linen',
    description: words,
    url,
    image: `${SITE}/pictures/shirt.svg`,
    material: 'Linen',
    category: 'Linen shirt, Men',
    productGroupID: code,
    variesBy: ['https://schema.org/size'],
    hasVariant: [variant('S', '48.50'), variant('XL', '1148.50')],
  });
});

test('for five minutes the CDN keeps one document for each size, whatever the campaign', async () => {
  const { headers } = await ask('COAT');
  expect(headers.get('netlify-cdn-cache-control')).toBe('public, durable, max-age=300');
  expect(headers.get('netlify-vary'), 'the CDN otherwise keeps a document for each query').toBe(
    'query=size',
  );
  const withCampaign = await fetch(`${shop.url}/product/COAT?utm_source=x`);
  expect(await withCampaign.text()).toBe(await (await ask('COAT')).text());
});

test('a program that asks for the headers alone gets them', async () => {
  const head = await fetch(shop.url + productPath('COAT'), { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('the document has the policy and the headers of the shop’s other pages', async () => {
  for (const code of ['COAT', 'NONE']) {
    const { headers } = await ask(code);
    // As in shell/_headers.
    expect(headers.get('content-security-policy')).toBe("default-src 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  }
});

test('a picture that is no address is left out', () => {
  const row = [1, 'A', '', 'http://[', 'Coat', null, null, null, 9, null, null];
  const html = documentOf([row], SHELL, { site: SITE, returns: null, size: null, backendUrl: '' });
  expect(html).toContain('<title>Coat · Weft</title>');
  expect(metaIn(html, 'og:image')).toEqual([]);
  expect(dataIn(html)).not.toHaveProperty('image');
});

test('the document shows the product before any script, and nothing of it becomes markup', () => {
  const shell =
    '<html lang="en"><title>Product · Weft</title><template id="product-unfilled"><img data-picture="{product picture}">' +
    '{product title}|{product material}|{product price}</template></html>';
  const title = '<b onclick="x()">{product price} $& $1';
  const picture = 'https://db.example/storage/v1/object/public/a"b.jpg';
  const rows = [
    [1, 'A', 'M', picture, title, null, null, null, 5, '<i>', null],
    [2, 'A', 'L', picture, title, null, null, null, 7, '<i>', null],
  ];
  const options = { site: SITE, returns: null, size: 'L', backendUrl: 'https://db.example' };
  const html = documentOf(rows, shell, options);
  expect(html).toContain('<html lang="en" data-filled>');
  expect(html).toContain(`<title>${escapeMarkup(`${title}, <i>`)} · Weft</title>`);
  expect(html).toContain('<template id="product">');
  expect(html).toContain(`${escapeMarkup(title)}|${escapeMarkup('<i>')}|$7.00</template>`);
  expect(html).toMatch(/<img src="\/\.netlify\/images\?url=[^"<>]+" srcset="[^"<>]+ 960w">/);
});

test.each(['COA', 'coat', '..', 'TWO\nLINES', '\0'])(
  'the code %j is answered with 404 and the shop’s document, which search engines do not list',
  async (code) => {
    const answer = await ask(code);
    expect(answer.status).toBe(404);
    const html = await answer.text();
    expect(html).toContain('<title>This product isn’t available · Weft</title>');
    expect(metaIn(html, 'robots')).toEqual(['noindex']);
    expect(html, 'the script of shell/index.html').toContain('opened = true');
  },
);

test('the log holds no text of the address that was asked for', async () => {
  vi.stubEnv('SITE_FOLDER', '/no/such/folder');
  onTestFinished(() => void vi.unstubAllEnvs());
  using logged = vi.spyOn(console, 'error').mockReturnValue();
  const address = 'https://weft.example/product/ada@weft.test';
  expect((await answerForProduct(new Request(address))).status).toBe(503);
  const lines = logged.mock.calls.join('\n');
  expect(lines).toMatch(/^\/product\/\*: The files of the site are not in /);
  expect(lines).not.toContain('ada');
});
