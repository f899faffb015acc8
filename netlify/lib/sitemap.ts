/**
 * The sitemap of the pages that need no account: the catalogue, its categories and its products. It is an
 * index of pages, because search engines read at most 50,000 addresses and 50 MB in a file.
 * Source: sitemaps.org, "Using Sitemap index files".
 */
import { productPath } from '../../src/domain/routes.ts';
import { callDatabase } from './database.ts';
import type { BackendSettings } from './env.ts';
import { escapeMarkup } from './escape.ts';

/** The most products of a page: an answer has 6 MB at most. */
export const PAGE_PRODUCTS = 10_000;

/**
 * The XML that a request for the sitemap gets: `?products=1` and so on are pages of products, `?categories=1` is the
 * page of the catalogue and its categories, and without a query it is the index. Null for a page that there is not.
 *
 * @param site without a slash at its end
 * @throws DatabaseUnavailable, DatabaseRejection
 */
export async function sitemapFor(
  query: URLSearchParams,
  site: string,
  settings: BackendSettings,
): Promise<string | null> {
  const page = query.get('products');
  if (page !== null) return /^[1-9]\d{0,4}$/.test(page) ? products(Number(page)) : null;
  return query.has('categories') ? categories() : index();

  async function products(page: number): Promise<string | null> {
    const args = { p_offset: (page - 1) * PAGE_PRODUCTS, p_limit: PAGE_PRODUCTS };
    // The database's function returns these.
    const codes = (await callDatabase(settings, 'stock_codes', args)) as string[];
    if (codes.length === 0) return null;
    // An apostrophe takes less room as %27 than escaped.
    return urlSet(codes.map((code) => productPath(code).replaceAll("'", '%27')));
  }

  /** A category that has gone out of use stays until the nightly upkeep. */
  async function categories(): Promise<string> {
    // The database's function returns these.
    const names = (await callDatabase(settings, 'categories', {})) as string[];
    return urlSet(['/', ...names.map((category) => `/?${new URLSearchParams({ category })}`)]);
  }

  async function index(): Promise<string> {
    const count = Number(await callDatabase(settings, 'stock_code_count', {}));
    const pages = Array.from(
      { length: Math.ceil(count / PAGE_PRODUCTS) },
      (_, i) => `products=${i + 1}`,
    );
    return document(
      'sitemapindex',
      'sitemap',
      ['categories=1', ...pages].map((page) => `/sitemap.xml?${page}`),
    );
  }

  function urlSet(paths: readonly string[]): string {
    return document('urlset', 'url', paths);
  }

  function document(root: string, entry: string, paths: readonly string[]): string {
    const entries = paths.map(
      (path) => `  <${entry}><loc>${escapeMarkup(site + path)}</loc></${entry}>\n`,
    );
    return `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('')}</${root}>
`;
  }
}
