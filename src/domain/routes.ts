/**
 * The addresses that the app draws. The router, the service worker and `netlify.toml` (a test
 * compares it) take them from here; any other path is the host's to answer.
 */
export const ROUTES = [
  '/',
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password',
  '/cart',
  '/checkout',
  '/checkout/success',
  '/orders',
  '/admin/import',
] as const;

export type AppRoute = (typeof ROUTES)[number];

/** Whether a path is the checkout's, which is a document of its own. */
export function isCheckout(path: string): boolean {
  return path.replace(/\/$/, '') === '/checkout';
}

/** Whether a path is one of ours; a slash at its end does not matter. */
export function isAppRoute(path: string): boolean {
  const plain = path === '/' ? path : path.replace(/\/$/, '');
  return ROUTES.some((route) => route === plain);
}
