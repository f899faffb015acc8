/** Screens that are about signing in: nobody wants to come back to them. */
const ACCOUNT_PATHS = new Set(['/login', '/register', '/forgot-password', '/reset-password']);
/** No request goes there: it only stands for "an origin that is ours". */
const OWN = 'https://own.invalid';

/**
 * Where to go after signing in: a path of this shop, or `/` for anything else. The browser's own
 * parser decides, because it reads `\` as `/`, drops tabs and line breaks, and takes `//host` and
 * `/\host` for another site (WHATWG URL, "basic URL parser").
 */
export function nextPath(next: string | null): string {
  if (next === null || !next.startsWith('/')) return '/';
  // `canParse` first: `URL.parse` is missing in Safari 17.
  if (!URL.canParse(next, OWN)) return '/';
  const url = new URL(next, OWN);
  if (url.origin !== OWN) return '/';
  const path = url.pathname.replace(/\/+$/, '');
  // A path that begins with two slashes would be another site when it is used as a link.
  if (url.pathname.startsWith('//') || ACCOUNT_PATHS.has(path)) return '/';
  return url.pathname + url.search + url.hash;
}

/** The address of a screen about signing in that leads back to where one is. */
export function accountHref(screen: '/login' | '/register', from: string): string {
  const next = nextPath(from);
  return next === '/' ? screen : `${screen}?next=${encodeURIComponent(next)}`;
}
