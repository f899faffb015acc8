/**
 * The paths that the app renders; one that ends in `/*` also stands for all paths below it. The router,
 * the service worker and the host's rules (netlify/build/site-rules.ts) take them from here. The host
 * answers any other path.
 */
export const ROUTES = [
  '/',
  '/product/*',
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password',
  '/cart',
  '/checkout',
  '/checkout/success',
  '/orders',
  '/admin/import',
  '/admin/orders',
  '/admin/products',
] as const;

export type AppRoute = (typeof ROUTES)[number];

/** Whether a path opens the checkout, which is a document of its own. */
export function isCheckout(path: string): boolean {
  return path.replace(/\/$/, '') === '/checkout';
}

/** The route that renders a path, if the app does; a slash at its end does not matter. */
export function routeOf(path: string): AppRoute | undefined {
  if (isProduct(path)) return '/product/*';
  const plain = path === '/' ? path : path.replace(/\/$/, '');
  return ROUTES.find((route) => route === plain);
}

export function isAppRoute(path: string): boolean {
  return routeOf(path) !== undefined;
}

/** The folder of the route for products. */
export const PRODUCTS = '/product/';

export function isProduct(path: string): boolean {
  return path.startsWith(PRODUCTS);
}

/**
 * The path of a product, e.g. `/product/A%2F1`; `stockCodeIn` (product-page.ts) reads it. A browser resolves
 * the segments `.` and `..` in any spelling, so such a code gets a tilde before it. So does a code that begins
 * with a tilde.
 *
 * @throws URIError for half of a surrogate pair, which the database cannot hold
 */
export function productPath(stockCode: string): string {
  const isSpecial = /^(~|\.\.?$)/.test(stockCode);
  return PRODUCTS + (isSpecial ? '~' : '') + encodeURIComponent(stockCode);
}

/** The address of a product in one of its sizes. */
export function productHref({ skc, size }: { readonly skc: string; readonly size: string }) {
  return productPath(skc) + (size === '' ? '' : `?${new URLSearchParams({ size })}`);
}

/** The page on which the shopper continues to pay an order. */
export function payHref(orderId: string): string {
  return `/checkout?${new URLSearchParams({ order: orderId })}`;
}

/** The page that shows how the payment of an order stands. */
export function successHref(orderId: string): string {
  return `/checkout/success?${new URLSearchParams({ order: orderId })}`;
}
