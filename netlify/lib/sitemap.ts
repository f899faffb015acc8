/**
 * The sitemap of the pages that need no account: the catalogue, its categories and its products. It is an
 * index of pages, because search engines read at most 50,000 addresses and 50 MB in a file.
 * Source: sitemaps.org, "Using Sitemap index files".
 */
import { productPath } from '../../src/domain/routes.ts';
import { callDatabase } from './database.ts';
import type { BackendSettings } from './env.ts';
import { escapeMarkup } from './escape.ts';

/** The most stock codes of a page. A long one counts as several, because an answer has 6 MB at most. */
export const PAGE_ADDRESSES = 20_000;

/**
 * The most categories of a page. One has up to 120 characters, each of which may take 12 bytes in an address: a
 * page then has about 5 MB.
 */
export const PAGE_CATEGORIES = 3500;

/** What a page lists; its number counts from 1. */
export interface SitemapPage {
  readonly kind: 'categories' | 'products';
  readonly number: number;
}

/**
 * Every category in use; one that has gone out of use stays until the nightly upkeep. Only the server may call
 * the SQL function, because nothing else needs it.
 *
 * @throws DatabaseUnavailable
 * @throws DatabaseRejection
 */
export async function readCategories(settings: BackendSettings): Promise<string[]> {
  const categories = await callDatabase(settings, 'categories', {});
  return categories as string[]; // the database's function returns these
}

/** How many stock codes the shop has, a long one counted more than once. Throws as `readCategories` does. */
export async function countStockCodes(settings: BackendSettings): Promise<number> {
  return Number(await callDatabase(settings, 'stock_code_count', {}));
}

/** The stock codes of a page, sorted; none behind the last page. Throws as `readCategories` does. */
export async function readStockCodes(settings: BackendSettings, page: number): Promise<string[]> {
  const args = { p_offset: (page - 1) * PAGE_ADDRESSES, p_limit: PAGE_ADDRESSES };
  const codes = await callDatabase(settings, 'stock_codes', args);
  return codes as string[]; // the database's function returns these
}

/** The page that a request for the sitemap names; null for the index, undefined for what is no page. */
export function parseSitemapPage(query: URLSearchParams): SitemapPage | null | undefined {
  for (const kind of ['categories', 'products'] as const) {
    const text = query.get(kind);
    if (text !== null) {
      return /^[1-9]\d{0,4}$/.test(text) ? { kind, number: Number(text) } : undefined;
    }
  }
  return null;
}

/**
 * The index of all pages.
 *
 * @param siteUrl without a slash at its end
 * @param stockCodeCount as `countStockCodes` counts them
 */
export function sitemapIndex(
  siteUrl: string,
  categoryCount: number,
  stockCodeCount: number,
): string {
  const pages = (kind: SitemapPage['kind'], addressCount: number, pageSize: number) =>
    Array.from(
      { length: Math.ceil(addressCount / pageSize) },
      (_, i) => `  <sitemap>${loc(`${siteUrl}/sitemap.xml?${kind}=${i + 1}`)}</sitemap>\n`,
    );
  return document(
    'sitemapindex',
    // The pages of categories also list the catalogue itself.
    [
      ...pages('categories', categoryCount + 1, PAGE_CATEGORIES),
      ...pages('products', stockCodeCount, PAGE_ADDRESSES),
    ],
  );
}

/** A page of the catalogue and its categories; null behind the last. */
export function categoriesPage(
  siteUrl: string,
  categories: readonly string[],
  page: number,
): string | null {
  const queries = ['', ...categories.map((category) => `?${new URLSearchParams({ category })}`)];
  const from = (page - 1) * PAGE_CATEGORIES;
  return urlSet(queries.slice(from, from + PAGE_CATEGORIES).map((query) => `${siteUrl}/${query}`));
}

/** A page of products; null without any. An apostrophe takes less room as %27 than escaped. */
export function productsPage(siteUrl: string, stockCodes: readonly string[]): string | null {
  return urlSet(stockCodes.map((code) => siteUrl + productPath(code).replaceAll("'", '%27')));
}

/** The XML of a page with these addresses; null without any. */
function urlSet(addresses: readonly string[]): string | null {
  if (addresses.length === 0) return null;
  return document(
    'urlset',
    addresses.map((address) => `  <url>${loc(address)}</url>\n`),
  );
}

function loc(address: string): string {
  return `<loc>${escapeMarkup(address)}</loc>`;
}

function document(root: 'sitemapindex' | 'urlset', entries: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('')}</${root}>
`;
}
