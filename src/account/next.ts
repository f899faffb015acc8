/** The screens about signing in, to which a sign-in must not lead back. */
const ACCOUNT_PATHS = new Set(['/login', '/register', '/forgot-password', '/reset-password']);
/** Stands for the shop's own origin in the parser below. No request goes there. */
const OWN = 'https://own.invalid';

/**
 * The path to open after signing in: a path of this shop, or `/` for anything else. The browser's own
 * URL parser decides, because it reads `\` as `/`, drops tabs and line breaks, and takes `//host` and
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

/**
 * The address of a screen about signing in that leads back to `from`.
 *
 * @param add the id of the change that the login was opened for (`ui/deferred-change.ts`)
 */
export function accountHref(
  screen: '/login' | '/register',
  from: string,
  add: string | null = null,
): string {
  const next = nextPath(from);
  const params = [
    next !== '/' && `next=${encodeURIComponent(next)}`,
    add !== null && `add=${encodeURIComponent(add)}`,
  ].filter(Boolean);
  return params.length === 0 ? screen : `${screen}?${params.join('&')}`;
}
