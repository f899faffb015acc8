import type { Config } from '@netlify/functions';
import { type BackendSettings, backendSettings, siteUrl } from '../lib/env.ts';
import { HttpError, json, serve } from '../lib/http.ts';
import {
  categoriesPage,
  countStockCodes,
  parseSitemapPage,
  productsPage,
  readCategories,
  readStockCodes,
  sitemapIndex,
  type SitemapPage,
} from '../lib/sitemap.ts';

/** The CDN keeps an answer for an hour, because categories and codes seldom change. */
const CACHE_HEADERS = {
  'cache-control': 'public, max-age=3600',
  'netlify-cdn-cache-control': 'public, durable, max-age=3600, stale-while-revalidate=86400',
  'netlify-vary': 'query=categories|products',
};

const NO_PAGE = 'The sitemap has no such page.';

/**
 * Answers `GET /sitemap.xml`: site-rules.ts rewrites that path to this function. Without a query it is the
 * index; `?categories=1` and `?products=1` are its pages. A page behind the last is 404, which the CDN keeps
 * as well, so that repeated requests for it do not reach the database.
 */
export default serve('GET', async (request) => {
  const page = parseSitemapPage(new URL(request.url).searchParams);
  if (page === undefined) throw new HttpError(404, NO_PAGE);
  const text = await textOf(page, siteUrl(), backendSettings());
  if (text === null) return json({ error: NO_PAGE }, 404, CACHE_HEADERS);
  return new Response(text, {
    headers: { ...CACHE_HEADERS, 'content-type': 'application/xml; charset=utf-8' },
  });
});

/**
 * @param page null for the index
 * @returns null for a page behind the last
 */
async function textOf(
  page: SitemapPage | null,
  site: string,
  settings: BackendSettings,
): Promise<string | null> {
  if (page?.kind === 'products') {
    return productsPage(site, await readStockCodes(settings, page.number));
  }
  const categories = await readCategories(settings);
  if (page) return categoriesPage(site, categories, page.number);
  return sitemapIndex(site, categories.length, await countStockCodes(settings));
}

export const config: Config = {
  path: '/.netlify/functions/sitemap',
  rateLimit: { windowLimit: 60, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
