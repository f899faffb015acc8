/**
 * `GET` with the bearer token of staff; answers with `{products}`: with `?code=` all of a stock code, also those off
 * sale; with `?search=` the first of those off sale that the search finds. (The page searches those on sale in the
 * catalogue of its device.)
 */
import type { Config } from '@netlify/functions';
import { admitToProducts, productsForStaff } from '../lib/products-by-hand.ts';
import { json, serve } from '../lib/http.ts';

export default serve('GET', async (request) => {
  const staff = await admitToProducts(request);
  return json({ products: await productsForStaff(staff, new URL(request.url).searchParams) });
});

export const config: Config = {
  path: '/.netlify/functions/staff-products',
  rateLimit: { windowLimit: 240, windowSize: 60, aggregateBy: ['ip', 'domain'] },
};
