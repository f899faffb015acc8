/** The sitemap of the pages that need no account: the catalogue and its categories. */
import { callDatabase } from './database.ts';
import type { BackendSettings } from './env.ts';
import { escapeMarkup } from './escape.ts';

/** Source: sitemaps.org, "Sitemap file size". */
const MAX_ADDRESSES = 50_000;

/**
 * Every category in use. The SQL function reads all products, so browsers may not call it.
 *
 * @throws DatabaseUnavailable
 * @throws DatabaseRejection
 */
export async function readCategories(settings: BackendSettings): Promise<string[]> {
  const categories = await callDatabase(settings, 'categories', {});
  return categories as string[]; // the database's function returns these
}

/** The text of sitemap.xml. @param siteUrl without a slash at its end */
export function sitemapOf(siteUrl: string, categories: readonly string[]): string {
  const queries = categories.map((category) => `?${new URLSearchParams({ category })}`);
  const addresses = ['', ...queries]
    .slice(0, MAX_ADDRESSES)
    .map((query) => `  <url><loc>${escapeMarkup(`${siteUrl}/${query}`)}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${addresses.join('')}</urlset>
`;
}
