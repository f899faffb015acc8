/** The pages and files of a built site, as the host on this machine serves them. */
import { describe, expect, test } from 'vitest';
import { fetchUnnormalised, openSmallSiteForFile, SCRIPT } from './small-site.ts';

const { shop } = await openSmallSiteForFile();

describe('pages', () => {
  test.each(['/nothing', '/llms.txt', '/.well-known/ai-catalog.json', '/cart/7', '/assets/old.js'])(
    '%s is answered with 404 and the page for unknown addresses',
    async (path) => {
      const page = await fetch(shop.url + path);
      expect(page.status).toBe(404);
      expect(await page.text()).toBe('<title>not here</title>');
    },
  );

  test('a page can only be read', async () => {
    const answer = await fetch(`${shop.url}/index.html`, { method: 'POST', body: 'x' });
    expect(answer.status).toBe(404);
  });

  test('no path leads out of the site’s folder', async () => {
    for (const path of ['/../secret.txt', '/..%2fsecret.txt', '/assets/..%5c..%5csecret.txt']) {
      const { status, body } = await fetchUnnormalised(shop, path);
      expect([path, status]).toEqual([path, 404]);
      expect(body.toString()).not.toContain('outside');
    }
  });
});

describe('headers', () => {
  const cacheControl = async (path: string) =>
    (await fetch(shop.url + path)).headers.get('cache-control');

  test('browsers keep a built file for a year, and ask each time for files that decide the version', async () => {
    expect(await cacheControl('/assets/index-a1b2c3.js')).toBe(
      'public, max-age=31536000, immutable',
    );
    for (const path of ['/index.html', '/checkout.html', '/sw.js', '/manifest.webmanifest']) {
      expect(await cacheControl(path)).toBe('no-cache');
    }
    expect(await cacheControl('/')).toBe('public, max-age=0, must-revalidate');
  });

  test('a file that a browser has already is not sent again', async () => {
    const path = `${shop.url}/assets/index-a1b2c3.js`;
    const etag = (await fetch(path)).headers.get('etag') ?? '';
    const again = await fetch(path, { headers: { 'if-none-match': `"other", W/${etag}` } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    const changed = await fetch(path, { headers: { 'if-none-match': '"other"' } });
    expect(changed.status).toBe(200);
  });
});

describe('compression', () => {
  test.each([
    ['gzip, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
  ])('a script for "%s" comes as %s', async (accept, encoding) => {
    const headers = { 'accept-encoding': accept };
    const answer = await fetchUnnormalised(shop, '/assets/index-a1b2c3.js', { headers });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers['vary']).toBe('Accept-Encoding');
    expect(answer.body.length < SCRIPT.length).toBe(encoding !== undefined);
    const decoded = await fetch(`${shop.url}/assets/index-a1b2c3.js`, { headers });
    expect(await decoded.text()).toBe(SCRIPT);
  });

  test('pictures and tiny files come as they are', async () => {
    for (const path of ['/picture.webp', '/sw.js']) {
      const answer = await fetchUnnormalised(shop, path, { headers: { 'accept-encoding': 'br' } });
      expect(answer.headers['content-encoding']).toBeUndefined();
    }
  });
});
