/** Failures of the gateway that stands before hosted Supabase: what the functions then answer. */
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { adminClient, callDatabase } from '../../netlify/lib/database.ts';
import { listenOnLoopback } from '../../netlify/local/provider/server.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';
import { addShopper } from '../supabase/shoppers.ts';
import { stock } from '../supabase/stock.ts';
import { SHELL_FOLDER } from './shop-over-http.ts';

type GatewayAnswer = () => Response;

const json =
  (status: number, body: object): GatewayAnswer =>
  () =>
    Response.json(body, { status });
const html =
  (status: number): GatewayAnswer =>
  () =>
    new Response(`<html><body><h1>${status} from a proxy</h1></body></html>`, {
      status,
      headers: { 'content-type': 'text/html' },
    });

/** Answers of Kong and Cloudflare, which stand before hosted Supabase, and of PostgREST ("Error codes"). */
const WRONG_KEY = json(401, { message: 'Invalid API key', hint: 'Double check your API key.' });
const TIMED_OUT = json(500, {
  code: '57014',
  message: 'canceling statement due to statement timeout',
  details: null,
  hint: null,
});
const CLOCK_AHEAD = json(401, { code: 'PGRST303', message: 'JWT issued at future' });
const TOO_MANY = json(429, { message: 'API rate limit exceeded' });

/** What the gateway answers to paths with this prefix; it passes requests to other paths on. */
let failure: { readonly prefix: string; readonly answer: GatewayAnswer } | null = null;
const logged = vi.spyOn(console, 'error');

/** The headers of requests that the gateway passes on. */
const PASSED_ON = new Set(['apikey', 'authorization', 'content-type', 'prefer']);
const gateway = await listenOnLoopback();
afterAll(() => gateway.close());
const shop = await openShopForFile({
  payments: true,
  siteFolder: SHELL_FOLDER,
  environment: { URL: 'https://weft.example', VITE_SUPABASE_URL: gateway.url },
});
gateway.serve(async (request) => {
  const { method } = request;
  const { pathname, search } = new URL(request.url);
  if (failure !== null && pathname.startsWith(failure.prefix)) return failure.answer();
  const headers = [...request.headers].filter(([name]) => PASSED_ON.has(name));
  const body = method === 'GET' ? null : await request.text();
  const answer = await fetch(shop.url + pathname + search, { method, headers, body });
  const type = answer.headers.get('content-type') ?? 'application/json';
  return new Response(answer.body, { status: answer.status, headers: { 'content-type': type } });
});
const { token, id: ADA } = await addShopper(shop, 'ada');
await stock(shop.backend, [{ SKC: 'COAT', 'Category 1': 'Coat' }]);

const UPLOAD = JSON.stringify({
  csv: 'SKC,Retail Price\nHAT-1,5\n',
  importId: '0a000000-0000-4000-8000-000000000001',
  part: 0,
  totalParts: 1,
  fileName: 'hats.csv',
});
/** Requests to functions that need the database and the auth service. One with a body is a POST, the others are GETs. */
const REQUESTS: readonly (readonly [path: string, body?: string])[] = [
  ['order-status?order=0a000000-0000-4000-8000-000000000002'],
  ['export-account'],
  ['upload-csv', UPLOAD],
];

const ask = (path: string, body?: string) =>
  fetch(`${shop.url}/.netlify/functions/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });

beforeEach(() => logged.mockReset().mockReturnValue());
afterEach(() => {
  failure = null;
});

/** What fails, at which paths, what the gateway answers there, and whether the failure may pass by itself. */
const FAILURES = [
  ['a key that is not the project’s, before the auth service', '/auth/v1', WRONG_KEY, false],
  // The gateway denies a wrong key by 401 or 403 in JSON; any other answer of its own may pass.
  ['a gateway without its auth service', '/auth/v1', json(404, { message: 'no Route' }), true],
  ['a migration that is missing', '/rest/v1', json(404, { code: 'PGRST202', message: '?' }), false],
  ['a firewall', '/auth/v1', html(403), true],
  ['a gateway whose clock is ahead', '/rest/v1', CLOCK_AHEAD, true],
  ['a statement that takes too long', '/rest/v1', TIMED_OUT, true],
  ['too many requests to the auth service', '/auth/v1', TOO_MANY, true],
  ['too many requests to the database', '/rest/v1', TOO_MANY, true],
  ['a gateway without its database', '/rest/v1', html(502), true],
] as const;

test.each(FAILURES)(
  '%s is answered as a failure of the shop, not of the shopper',
  async (_, prefix, answer, mayPass) => {
    failure = { prefix, answer };
    for (const [path, body] of REQUESTS) {
      const answered = await ask(path, body);
      expect([path, answered.status]).toEqual([path, 503]);
      const { code, error } = (await answered.json()) as { code?: string; error: string };
      expect(code).not.toBe('sign-in');
      expect(error).not.toMatch(/sign in|Invalid API key|statement timeout|rate limit/i);
      // Only after a failure that may pass should the page try again.
      expect([path, answered.headers.has('retry-after')]).toEqual([path, mayPass]);
      expect(logged, 'the operator reads why').toHaveBeenCalled();
      logged.mockClear();
    }
  },
);

test.each([
  ['DatabaseUnavailable', '40001 40P01 55P03 25006 57014 53300 58030 XX000 08006'],
  ['DatabaseUnavailable', 'PGRST000 PGRSTX00 PGRST303'],
  ['NotConfigured', 'PGRST301 PGRST202 42501'],
])('%s is what each of these codes of the database means: %s', async (name, codes) => {
  const settings = { url: gateway.url, secretKey: 'sb_secret_1' };
  for (const code of codes.split(' ')) {
    failure = { prefix: '/rest/v1/rpc', answer: json(400, { code, message: '?' }) };
    await expect(callDatabase(settings, 'any', {}), code).rejects.toMatchObject({ name });
  }
});

test('behind a gateway that does not fail, the same requests are answered', async () => {
  const statuses = await Promise.all(
    REQUESTS.map(async ([path, body]) => (await ask(path, body)).status),
  );
  expect(statuses, '404: there is no such order').toEqual([404, 200, 200]);
});

test('a redirect is not followed, so no other host is told the shop’s key', async () => {
  let redirectedRequests = 0;
  const other = await listenOnLoopback();
  other.serve(async () => {
    redirectedRequests += 1;
    return Response.json(null);
  });
  for (const prefix of ['/auth/v1', '/rest/v1']) {
    failure = { prefix, answer: () => Response.redirect(other.url, 307) };
    for (const [path, body] of REQUESTS) expect((await ask(path, body)).status).toBe(503);
  }
  await other.close();
  expect(redirectedRequests).toBe(0);
});

test('a request to a service that never answers ends', async () => {
  // A server that was not told how to `serve` never answers.
  const hanging = await listenOnLoopback();
  const timeoutMs = 100;
  const { auth } = adminClient({ url: hanging.url, secretKey: 'sb_secret_1' }, timeoutMs);
  expect((await auth.getUser(token)).error?.name).toBe('AuthRetryableFetchError');
  expect((await auth.admin.deleteUser(ADA)).error?.name).toBe('AuthRetryableFetchError');
  await hanging.close();
});

test('the log of an unexpected rejection leaves out its details, which may hold a row', async () => {
  failure = {
    prefix: '/rest/v1/rpc',
    answer: json(400, { code: '23514', message: 'a check', details: 'Row: (ada@weft.test)' }),
  };
  for (const [path, body] of REQUESTS) expect((await ask(path, body)).status).toBe(500);
  const lines = logged.mock.calls.map((line) => inspect(line)).join('\n');
  expect(lines).toContain('23514 a check');
  expect(lines).not.toContain('ada@');
});

/** The status, the title and the caching of a product's document; `kept` says that the CDN keeps it. */
const askForProduct = async (code: string) => {
  const answer = await fetch(`${shop.url}/product/${code}`);
  const [, title] = /<title>(.*?)<\/title>/.exec(await answer.text()) ?? [];
  const isKept = answer.headers.has('netlify-cdn-cache-control');
  return [answer.status, title, isKept ? 'kept' : answer.headers.get('cache-control')];
};
/** The shop's document as it is, without a product. */
const PLAIN = [200, 'New Arrivals · Weft', 'no-store'];

test.each([
  ['a clock that is ahead', CLOCK_AHEAD],
  ['two functions of one name', json(300, { code: 'PGRST203', message: 'could not choose' })],
  ['a project that is paused', json(540, { message: 'Project paused' })],
  ['a gateway without its database', html(502)],
  ['an answer without products', json(200, { products: null })],
])('a failure of the gateway takes no product out of the shop: %s', async (_, answer) => {
  failure = { prefix: '/rest/v1', answer };
  expect(await askForProduct('COAT')).toEqual(PLAIN);
  expect(logged, 'the operator reads why').toHaveBeenCalled();
});

test('only the database says that a product is not in the shop, or that a text cannot be a code', async () => {
  const GONE = [404, 'This product isn’t available · Weft', 'kept'];
  expect(await askForProduct('COAT')).toEqual([200, 'Coat · Weft', 'kept']);
  expect(await askForProduct('NONE')).toEqual(GONE);
  failure = { prefix: '/rest/v1', answer: json(400, { code: '22021', message: 'invalid byte' }) };
  expect(await askForProduct('COAT')).toEqual(GONE);
});
