import type { Config } from '@netlify/functions';
import { backendSettings, siteUrl } from '../lib/env.ts';
import { json, serve } from '../lib/http.ts';
import { sitemapFor } from '../lib/sitemap.ts';

/** The CDN keeps an answer for an hour, because categories and codes seldom change. */
const CACHE_HEADERS = {
  'cache-control': 'public, max-age=3600',
  'netlify-cdn-cache-control': 'public, durable, max-age=3600, stale-while-revalidate=86400',
  'netlify-vary': 'query=categories|products',
};

/**
 * Answers `GET /sitemap.xml`: site-rules.ts rewrites that path to this function. A page behind the last is 404,
 * which the CDN keeps as well, so that repeated requests for it do not reach the database.
 */
export default serve('GET', async (request) => {
  const query = new URL(request.url).searchParams;
  const text = await sitemapFor(query, siteUrl(), backendSettings());
  if (text === null) return json({ error: 'The sitemap has no such page.' }, 404, CACHE_HEADERS);
  return new Response(text, {
    headers: { ...CACHE_HEADERS, 'content-type': 'application/xml; charset=utf-8' },
  });
});

export const config: Config = {
  path: '/.netlify/functions/sitemap',
  rateLimit: { windowLimit: 60, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
