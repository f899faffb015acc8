/** The host on this machine: the backend and the functions behind it. Pages are in site-files.test.ts. */
import { once } from 'node:events';
import { connect } from 'node:net';
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
      '/.netlify/functions/echo',
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

  test.each([
    '/auth/v1/%76erify',
    '/auth/v1/%2e%2e/%2e%2e/_system/info',
    '/rest/v1/../../_system/info',
    '/rest/v1/%2e%2e/%2e%2e/_system/config',
  ])('is reached by no other spelling of an address: %s', async (path) => {
    expect((await fetchUnnormalised(shop, path, { method: 'POST' })).status).toBe(404);
  });
});

describe('functions', () => {
  const call = (name: string, init?: RequestInit) =>
    fetch(`${shop.url}/.netlify/functions/${name}`, init);

  test('are called with the request', async () => {
    const answer = await call('echo', { method: 'POST', body: 'hello' });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({
      method: 'POST',
      size: 5,
      path: '/.netlify/functions/echo',
    });
  });

  test('get bodies up to 6 MB, and larger ones are rejected as Netlify does', async () => {
    const limit = 6 * 1024 * 1024; // Netlify's
    const largest = await call('echo', { method: 'POST', body: 'x'.repeat(limit) });
    expect(await largest.json()).toMatchObject({ size: limit });
    const larger = await call('echo', { method: 'POST', body: 'x'.repeat(limit + 1) });
    expect(larger.status).toBe(413);
    // The length of a stream is not sent before it.
    const stream = new Blob(['x'.repeat(limit + 1)]).stream();
    const withoutLength: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      body: stream,
      duplex: 'half',
    };
    expect((await call('echo', withoutLength)).status).toBe(413);
  });

  test('that do not exist are answered with a plain 404, never with the shop’s page', async () => {
    for (const path of ['nothing', 'echo.ts', '..%2fsecret', 'echo/more', '']) {
      const answer = await call(path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(await answer.text()).toBe('Not found');
    }
    expect((await fetch(`${shop.url}/.netlify/other`)).status).toBe(404);
  });
});

test('closing the host cuts the connections of browsers instead of waiting for them', async () => {
  const second = await startSecondHost();
  // Node's own `close` waits for a connection on which a request has begun.
  const socket = connect(Number(new URL(second.url).port), '127.0.0.1');
  const cut = once(socket, 'close');
  socket.on('error', () => undefined).write('GET / HTTP/1.1\r\n');
  await (await fetch(second.url)).text();
  await second.close();
  await cut;
  await expect(fetch(second.url)).rejects.toThrow('fetch failed');
});

test('a bug in a function is answered with 500 and written to the log', async () => {
  const lines: string[] = [];
  const host = await startSecondHost({ log: (line) => lines.push(line) });
  const answer = await fetch(`${host.url}/.netlify/functions/broken`);
  await host.close();
  expect(answer.status).toBe(500);
  expect(lines).toEqual(['GET /.netlify/functions/broken failed: a bug']);
});
