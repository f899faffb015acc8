/** Lists the shop's pages that every visitor sees alike: the catalogue and its categories. */
import { DatabaseUnavailable } from './database.ts';
import type { PublicBackend } from './env.ts';
import { escapeMarkup } from './escape.ts';

const TIMEOUT_MS = 10_000;
/** Source: sitemaps.org, "Sitemap file size". */
const MOST_ADDRESSES = 50_000;

/**
 * Every category in use, read with the rights of any visitor.
 *
 * @throws DatabaseUnavailable
 */
export async function readCategories({ url, publishableKey }: PublicBackend): Promise<string[]> {
  const answer = await fetch(`${url}/rest/v1/rpc/categories`, {
    method: 'POST',
    headers: { apikey: publishableKey, 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((thrown: unknown) => {
    throw new DatabaseUnavailable('categories: no answer', { cause: thrown });
  });
  if (!answer.ok)
    throw new DatabaseUnavailable(`categories: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as string[]; // the database's function returns these
}

/** @param siteUrl without a slash at its end */
export function sitemapOf(siteUrl: string, categories: readonly string[]): string {
  const queries = categories.map((category) => `?${new URLSearchParams({ category })}`);
  const addresses = ['', ...queries]
    .slice(0, MOST_ADDRESSES)
    .map((query) => `  <url><loc>${escapeMarkup(`${siteUrl}/${query}`)}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${addresses.join('')}</urlset>
`;
}
