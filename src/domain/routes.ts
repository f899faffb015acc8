/**
 * The paths that the app renders. The router, the service worker and the host's rules
 * (netlify/build/site-rules.ts) take them from here. The host answers any other path.
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

/** Whether a path opens the checkout, which is a document of its own. */
export function isCheckout(path: string): boolean {
  return path.replace(/\/$/, '') === '/checkout';
}

/** Whether the app renders a path; a slash at its end does not matter. */
export function isAppRoute(path: string): boolean {
  const plain = path === '/' ? path : path.replace(/\/$/, '');
  return ROUTES.some((route) => route === plain);
}
