/** A product file whose texts try to become markup or a script of the document that is sent for a product. */
import { expect, test } from 'vitest';
import { stock } from '../supabase/stock.ts';
import { openShopOverHttpForFile } from './shop-over-http.ts';

const EVIL = `</title></script><script>alert(1)</script>\u2028<!-- "><img src=x> ' & $&`;

const shop = await openShopOverHttpForFile();
await stock(shop.backend, [
  { SKC: '"><script>', 'Category 1': EVIL, Material: EVIL, 'Images link': `/a"><script>.png` },
]);
const html = await (await fetch(`${shop.url}/product/%22%3E%3Cscript%3E`)).text();

const SCRIPT_DATA = /<script type="application\/ld\+json">(.*?)<\/script>/s;

test('a product cannot write markup into its document', () => {
  const head = html.replace(SCRIPT_DATA, '');
  expect(head.match(/<script/g), 'the shop’s own').toHaveLength(1);
  expect(head).not.toMatch(/<img|<!--|alert\(1\)<\/script>/);
  expect(head.match(/<\/title>/g)).toHaveLength(1);
  expect(head).toContain('&#60;script&#62;');
  expect(head, 'a pattern of replace() stays text').toContain('$&#38;');
  // Every attribute ends where the shop ends it.
  for (const [tag] of head.matchAll(/<(?:meta|link)\b[^>]*>/g)) {
    expect(tag).toMatch(/^<(meta|link)(\s+[a-z-]+="[^"<>]*")+\s*\/>$/);
  }
});

test('a product cannot end the script element that holds its structured data', () => {
  const [, text = ''] = SCRIPT_DATA.exec(html) ?? [];
  expect(JSON.parse(text)).toMatchObject({ name: `${EVIL}, ${EVIL}`, sku: '"><script>' });
});
