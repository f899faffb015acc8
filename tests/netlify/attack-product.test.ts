/** A product whose texts try to become markup or a script of the document that is sent for a product. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withProduct } from '../../netlify/lib/product-document.ts';
import { productPageOf } from '../../src/domain/product-page.ts';
import { parseProductRow } from '../../src/domain/product.ts';
import { SHELL_FOLDER } from './shop-over-http.ts';

const EVIL = `</title></script><script>alert(1)</script>\u2028<!-- "><img src=x> ' & $&`;
const CODE = '"><script>';
const SCRIPT_DATA = /<script type="application\/ld\+json">(.*?)<\/script>/s;

function evilDocument(): string {
  const picture = '/a"><script>.png';
  const row = parseProductRow([1, CODE, '', picture, EVIL, null, null, null, 9, EVIL, null]);
  const page = productPageOf(row === null ? [] : [row]);
  if (page === null) throw new Error('the row is no product');
  const shell = readFileSync(`${SHELL_FOLDER}/index.html`, 'utf8');
  return withProduct(shell, page, {
    site: 'https://weft.example',
    returns: null,
    size: null,
    backendUrl: '',
  });
}

test('a product cannot write markup into its document', () => {
  const head = evilDocument().replace(SCRIPT_DATA, '');
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
  const [, text = ''] = SCRIPT_DATA.exec(evilDocument()) ?? [];
  expect(JSON.parse(text)).toMatchObject({ name: `${EVIL}, ${EVIL}`, sku: CODE });
});
