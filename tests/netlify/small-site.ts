/** A small built site with two functions, served by the local host to all tests of a file. */
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import {
  headerRules,
  headersText,
  redirectsText,
  REWRITES,
} from '../../netlify/build/site-rules.ts';
import type { HostOptions } from '../../netlify/local/host.ts';
import { temporaryFolder } from '../supabase/shop.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';
import { startTestHost } from './start-host.ts';

/** Policies that are short and all different. */
export const POLICIES = {
  shop: "default-src 'self'",
  checkout: "default-src 'self' https://pay.example",
  worker: "default-src 'none'",
};

/** Writes and serves the site. Returns its shop and a function that starts another host. */
export async function openSmallSiteForFile() {
  const folder = await temporaryFolder();
  const siteFolder = join(folder.path, 'dist');
  const functionsFolder = join(folder.path, 'functions');
  await mkdir(join(siteFolder, 'assets'), { recursive: true });
  await mkdir(functionsFolder);
  const files = {
    'dist/index.html': '<title>the shop</title>',
    'dist/checkout.html': '<title>the checkout</title>',
    'dist/_headers': headersText(headerRules(POLICIES)),
    'dist/_redirects': redirectsText(REWRITES),
    'dist/404.html': '<title>not here</title>',
    'dist/assets/index-a1b2c3.js': '',
    'dist/sw.js': 'self.skipWaiting();',
    'dist/manifest.webmanifest': '{}',
    'secret.txt': 'outside',
    'functions/hello.ts': `export default () => new Response('hello');`,
    'functions/broken.ts': `export default () => { throw new Error('a bug'); };`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text);
  afterAll(() => folder[Symbol.asyncDispose]());
  const shop = await openShopForFile({ siteFolder, functionsFolder });
  const site = { kind: 'built', folder: siteFolder } as const;
  /** Another host on the same site and database. */
  const startSecondHost = (options: Partial<HostOptions> = {}) =>
    startTestHost({ site, backend: shop.backend, functionsFolder, ...options });
  return { shop, startSecondHost };
}

interface UnnormalisedRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Requests a path with headers exactly as they are written; fetch would normalise or replace some. */
export async function fetchUnnormalised(
  shop: { readonly url: string },
  path: string,
  { method = 'GET', headers = {}, body = '' }: UnnormalisedRequest = {},
) {
  const { hostname, port } = new URL(shop.url);
  // Node gives a body of GET no length by itself.
  const length = body.length === 0 ? {} : { 'content-length': Buffer.byteLength(body) };
  const options = { hostname, port, path, method, headers: { ...headers, ...length } };
  const sent = httpRequest(options).end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    body: await buffer(answer),
  };
}
