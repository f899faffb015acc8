import type { Config } from '@netlify/functions';
import { backendSettings, siteUrl } from '../lib/env.ts';
import { serve } from '../lib/http.ts';
import { readCategories, sitemapOf } from '../lib/sitemap.ts';

/** The CDN keeps an answer for an hour, because categories seldom change. */
const HEADERS = {
  'content-type': 'application/xml; charset=utf-8',
  'cache-control': 'public, max-age=3600',
  'netlify-cdn-cache-control': 'public, durable, max-age=3600, stale-while-revalidate=86400',
};

/** Answers `GET /sitemap.xml`: site-rules.ts rewrites that path to this function. */
export default serve('GET', async () => {
  const site = siteUrl();
  const categories = await readCategories(backendSettings());
  return new Response(sitemapOf(site, categories), { headers: HEADERS });
});

export const config: Config = {
  path: '/.netlify/functions/sitemap',
  rateLimit: { windowLimit: 30, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
