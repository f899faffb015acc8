/** What the build writes for the host, read by the host's own parsers. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllHeaders, type Header } from '@netlify/headers-parser';
import { parseAllRedirects } from '@netlify/redirect-parser';
import { expect, test } from 'vitest';
import { injectManifest } from 'workbox-build';
import { revisedByHeaders } from '../../netlify/build/host-files.ts';
import { spellingsOf } from '../../netlify/build/site-rules.ts';
import { ROUTES } from '../../src/domain/routes.ts';
import { SITE_FOLDER } from '../build-once.ts';
import { temporaryFolder } from '../supabase/shop.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';
import { fetchUnnormalised } from './small-site.ts';
import { startTestHost } from './start-host.ts';

const FILES = [
  '/index.html',
  '/checkout.html',
  '/sw.js',
  '/manifest.webmanifest',
  '/robots.txt',
  '/pictures/none.svg',
];
/** `//` is the home page with a slash too many. */
const PAGES = [...ROUTES.flatMap(spellingsOf), '//'];
const PATHS = [...PAGES, ...FILES, '/404'];

const shop = await openShopForFile({ siteFolder: SITE_FOLDER });

/** The header rules that Netlify reads from the build. */
async function headerRulesOfNetlify(): Promise<Header[]> {
  const headersFiles = [join(SITE_FOLDER, '_headers')];
  const parsed = await parseAllHeaders({ headersFiles, configHeaders: [], minimal: false });
  expect(parsed.errors).toEqual([]);
  return parsed.headers as Header[];
}

/** The rewrites and redirects that Netlify reads from the build. */
async function redirectRulesOfNetlify(): Promise<readonly RedirectRule[]> {
  const redirectsFiles = [join(SITE_FOLDER, '_redirects')];
  const parsed = await parseAllRedirects({ redirectsFiles, configRedirects: [], minimal: true });
  expect(parsed.errors).toEqual([]);
  return parsed.redirects as RedirectRule[];
}

interface RedirectRule {
  readonly from: string;
  readonly to: string;
  readonly status: number;
  readonly force: boolean;
}

test('the local host answers with the headers that Netlify reads from the build, for every page', async () => {
  const rules = await headerRulesOfNetlify();
  for (const path of PATHS) {
    const matching = rules.filter(({ forRegExp }) => forRegExp.test(path));
    const expected = Object.assign({}, ...matching.map(({ values }) => values)) as object;
    const { headers } = await fetchUnnormalised(shop, path);
    const answered = Object.keys(expected).map((name) => [name, headers[name.toLowerCase()]]);
    expect([path, Object.fromEntries(answered)]).toEqual([path, expected]);
  }
});

test('every page has a policy, in each spelling of its address', async () => {
  for (const path of PAGES) {
    const { headers, body } = await fetchUnnormalised(shop, path);
    expect([path, headers['content-security-policy']]).toEqual([
      path,
      expect.stringContaining("default-src 'none'") as string,
    ]);
    expect(body.toString()).toContain('http-equiv="Content-Security-Policy"');
  }
});

test('no two rules that match one path set a header to different values', async () => {
  const rules = await headerRulesOfNetlify();
  for (const path of [...PATHS, '/assets/a.js']) {
    const matching = rules.filter(({ forRegExp }) => forRegExp.test(path));
    const pairs = matching.flatMap(({ values }) => Object.entries(values));
    const names = new Set(pairs.map(([name]) => name.toLowerCase()));
    expect(new Set(pairs.map(String)).size, path).toBe(names.size);
  }
});

test('the local host rewrites what Netlify reads from the build, and nothing else', async () => {
  const redirects = await redirectRulesOfNetlify();
  const pages = redirects.filter(({ to }) => to.endsWith('.html'));
  // The home page is a file by itself, and a function answers for products.
  expect(pages.map(({ from }) => from).sort()).toEqual(
    ROUTES.filter((path) => path !== '/' && path !== '/product/*').sort(),
  );
  expect(redirects).toContainEqual(
    expect.objectContaining({ from: '/product/*', to: '/.netlify/functions/product', status: 200 }),
  );
  expect(redirects).toContainEqual(
    expect.objectContaining({ from: '/catalogue/*', to: '/.netlify/functions/catalogue' }),
  );
  for (const { from, to, status, force } of pages) {
    expect([from, status, force]).toEqual([from, 200, false]);
    const { body } = await fetchUnnormalised(shop, from);
    expect(body.toString()).toBe(readFileSync(join(SITE_FOLDER, to), 'utf8'));
  }
});

test('a shop that is served from its sources opens every page from index.html', async () => {
  const requestedPaths: unknown[] = [];
  const host = await startTestHost({
    site: {
      kind: 'middleware',
      handle(request, response) {
        requestedPaths.push(request.url);
        response.end();
      },
    },
    backend: shop.backend,
  });
  for (const route of ROUTES) await fetch(host.url + route);
  await host.close();
  expect(requestedPaths).toEqual(ROUTES.map((route) => (route === '/' ? '/' : '/index.html')));
});

test('a changed header changes the service worker, so that installed shops load it', async () => {
  const headers = readFileSync(join(SITE_FOLDER, '_headers'), 'utf8');
  const before = await workerWith(headers);
  expect(await workerWith(headers)).toBe(before);
  expect(await workerWith(headers.replace('max-age=63072000', 'max-age=0'))).not.toBe(before);
  // The worker of the build has the same revisions.
  const built = readFileSync(join(SITE_FOLDER, 'sw.js'), 'utf8');
  const revisions = [...before.matchAll(/"revision":"(\w{32})"/g)].map(([, revision]) => revision);
  expect(revisions, 'of the three documents').toHaveLength(3);
  for (const revision of revisions) expect(built).toContain(`"${revision}"`);
});

/** A service worker that keeps the built documents, served with these headers. */
async function workerWith(headers: string): Promise<string> {
  await using folder = await temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  for (const name of ['index.html', 'checkout.html', '404.html']) {
    copyFileSync(join(SITE_FOLDER, name), at(name));
  }
  writeFileSync(at('source.js'), 'const entries = self.__WB_MANIFEST;');
  await injectManifest({
    swSrc: at('source.js'),
    swDest: at('sw.js'),
    globDirectory: folder.path,
    globPatterns: ['*.html'],
    manifestTransforms: [revisedByHeaders(headers)],
  });
  return readFileSync(at('sw.js'), 'utf8');
}
