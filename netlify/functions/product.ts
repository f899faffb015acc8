/**
 * Answers `GET /product/<stock code>`, which site-rules.ts rewrites to this function, with the shop's
 * document: 200 with the product's data in it, 404 where the shop has no product of this code. Where the
 * database does not answer, the document comes without the product, which the page then reads itself.
 */
import type { Config } from '@netlify/functions';
import { stockCodeIn } from '../../src/domain/product-page.ts';
import { hrefOf } from '../../src/domain/shop-note.ts';
import { backendSettings, netlifyVariable, siteUrl } from '../lib/env.ts';
import { serve } from '../lib/http.ts';
import { readProduct, readShell, withoutProduct, withProduct } from '../lib/product-document.ts';
import { shopSettings } from '../lib/shop-settings.ts';

/** The CDN keeps an answer for 5 minutes only, because a price may change. */
const CACHE_HEADERS = {
  'cache-control': 'public, max-age=0, must-revalidate',
  'netlify-cdn-cache-control': 'public, durable, max-age=300',
  // Each size has its own price and picture. Other parameters of the query do not change the document.
  'netlify-vary': 'query=size',
};

export default serve('GET', async (request) => {
  const shell = await readShell();
  const { html } = shell;
  const answer = (text: string, status: number, caching: Readonly<Record<string, string>>) => {
    const headers = new Headers([...shell.headers]);
    headers.set('content-type', 'text/html; charset=utf-8');
    for (const [name, value] of Object.entries(caching)) headers.set(name, value);
    return new Response(text, { status, headers });
  };
  const { pathname, searchParams } = new URL(request.url);
  const code = stockCodeIn(pathname);
  try {
    const settings = backendSettings();
    const page = code === null ? null : await readProduct(settings, code);
    if (!page) return answer(withoutProduct(html), 404, CACHE_HEADERS);
    const shopFacts = { site: siteUrl(), returns: hrefOf(shopSettings(netlifyVariable).returns) };
    const size = searchParams.get('size');
    const document = withProduct(html, page, { ...shopFacts, size, backendUrl: settings.url });
    return answer(document, 200, CACHE_HEADERS);
  } catch (thrown) {
    console.error(`The document of a product comes without it: ${String(thrown)}`);
    return answer(html, 200, { 'cache-control': 'no-store' });
  }
});

export const config: Config = {
  path: '/.netlify/functions/product',
  rateLimit: { windowLimit: 120, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
