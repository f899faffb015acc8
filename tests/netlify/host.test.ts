/** What the host on this machine answers, and to whom. */
import { describe, expect, test } from 'vitest';
import { fetchUnnormalised, openSmallSiteForFile } from './small-site.ts';

const { shop, startSecondHost } = await openSmallSiteForFile();

describe('the backend', () => {
  test('answers to names of this machine only, and so does the mail page', async () => {
    const { port } = new URL(shop.url);
    const statusFor = async (path: string, host: string) => {
      const headers = { host, apikey: shop.backend.publishableKey };
      return [host, (await fetchUnnormalised(shop, path, { headers })).status];
    };
    for (const path of [
      '/rest/v1/products?limit=1',
      '/local/mail',
      '/',
      '/.netlify/functions/hello',
    ]) {
      for (const host of ['shop.example', '127.0.0.1.shop.example']) {
        expect(await statusFor(path, host)).toEqual([host, 421]);
      }
      for (const host of ['x/rest/v1/rpc?', '[']) {
        expect(await statusFor(path, host)).toEqual([host, 400]);
      }
    }
    for (const host of ['localhost', `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect(await statusFor('/local/mail', host)).toEqual([host, 200]);
    }
  });

  test.each(['/auth/v1/%76erify', '/rest/v1/../../_system/info'])(
    'is reached by no other spelling of an address: %s',
    async (path) => {
      expect((await fetchUnnormalised(shop, path, { method: 'POST' })).status).toBe(404);
    },
  );
});

test('no path leads out of the site’s folder', async () => {
  for (const path of ['/../secret.txt', '/..%2fsecret.txt', '/assets/..%5c..%5csecret.txt']) {
    const { status, body } = await fetchUnnormalised(shop, path);
    expect([path, status]).toEqual([path, 404]);
    expect(body.toString()).not.toContain('outside');
  }
});

test('browsers keep a built file for a year, and ask each time for files that decide the version', async () => {
  const cacheControl = async (path: string) =>
    (await fetch(shop.url + path)).headers.get('cache-control');
  expect(await cacheControl('/assets/index-a1b2c3.js')).toBe('public, max-age=31536000, immutable');
  for (const path of ['/index.html', '/checkout.html', '/sw.js', '/manifest.webmanifest']) {
    expect(await cacheControl(path)).toBe('no-cache');
  }
  expect(await cacheControl('/')).toBe('public, max-age=0, must-revalidate');
});

test('a function that does not exist is answered with a plain 404, never with the shop’s page', async () => {
  for (const name of ['nothing', 'hello.ts', '..%2fsecret', 'hello/more', '']) {
    const answer = await fetch(`${shop.url}/.netlify/functions/${name}`);
    expect([name, answer.status, await answer.text()]).toEqual([name, 404, 'Not found']);
  }
});

test('a bug in a function is answered with 500 and written to the log', async () => {
  const lines: string[] = [];
  const host = await startSecondHost({ log: (line) => lines.push(line) });
  const answer = await fetch(`${host.url}/.netlify/functions/broken`);
  await host.close();
  expect(answer.status).toBe(500);
  expect(lines).toEqual(['GET /.netlify/functions/broken failed: a bug']);
});
