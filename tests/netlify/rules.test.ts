/** Header rules and rewrites that the build writes, as the host on this machine applies them. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  headerRules,
  headersText,
  redirectsText,
  REWRITES,
} from '../../netlify/build/site-rules.ts';
import { rulesOfFolder } from '../../netlify/local/rules.ts';
import { temporaryFolder } from '../supabase/shop.ts';
import { POLICIES } from './small-site.ts';

async function parse(headers: string, redirects: string) {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, '_headers'), headers);
  await writeFile(join(folder.path, '_redirects'), redirects);
  return await rulesOfFolder(folder.path)();
}

const rules = await parse(headersText(headerRules(POLICIES)), redirectsText(REWRITES));

test('a page and everything below its folder are rewritten, and no other path', () => {
  expect(rules.rewrite('/cart')).toBe('/index.html');
  for (const path of ['/product', '/product/', '/product/a', '/product/a/b\n?']) {
    expect(rules.rewrite(path)).toBe('/.netlify/functions/product');
  }
  for (const path of ['/anything', '/products', '/Product/a']) {
    expect(rules.rewrite(path)).toBeUndefined();
  }
});

test('every answer has the headers that keep browsers on https and limit what a page and other sites may do', () => {
  const headersOfAll = rules.headersFor('/anything');
  expect(headersOfAll.get('Strict-Transport-Security')).toMatch(/max-age=\d{8}/);
  expect(headersOfAll.get('X-Content-Type-Options')).toBe('nosniff');
  expect(headersOfAll.get('X-Frame-Options')).toBe('DENY');
  expect(headersOfAll.get('Referrer-Policy')).toBe('strict-origin-when-cross-origin');
  expect(headersOfAll.get('Permissions-Policy')).toContain('camera=()');
  expect(headersOfAll.get('Cross-Origin-Opener-Policy')).toBe('same-origin-allow-popups');
});

test.each(['/* /index.html 200', '/a /b 301'])(
  'the rule %s is rejected, because it would work only on Netlify',
  async (redirects) => {
    await expect(parse('', redirects)).rejects.toThrow('not supported here');
  },
);
