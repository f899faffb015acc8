/**
 * The host's rules, written once: headers by path, and which document answers for each page. The
 * build writes them as `_headers` and `_redirects`, which Netlify reads from the published folder.
 */
import { type AppRoute, isCheckout, ROUTES } from '../../src/domain/routes.ts';
import { SAFETY_HEADERS } from '../lib/safety-headers.ts';

export interface HeaderRule {
  /** One path, or a folder and all below it, e.g. `/assets/*`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Rewrite {
  readonly from: string;
  /** A file of the site, or a function. */
  readonly to: string;
}

/** The policies as values of headers. */
export interface PolicyTexts {
  readonly shop: string;
  readonly checkout: string;
  readonly worker: string;
}

const HEADERS_OF_ALL = {
  ...SAFETY_HEADERS,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  // Popups stay connected: PayPal's window reports back to the page that opened it.
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), usb=()',
};

/**
 * For files that decide which version of the shop runs: the browser must ask each time it needs one. The service worker
 * asks for these names. The paths of pages have Netlify's default, by which the browser asks each time, too.
 */
const REVALIDATED = { 'Cache-Control': 'no-cache' };

/**
 * All header rules. No two rules that match one path set a header to different values, because Netlify's
 * documentation does not say which of them its servers send.
 */
export function headerRules({ shop, checkout, worker }: PolicyTexts): HeaderRule[] {
  const policyOf = (route: string) => ({
    'Content-Security-Policy': isCheckout(route) ? checkout : shop,
  });
  return [
    { path: '/*', headers: HEADERS_OF_ALL },
    // The name of a built file holds a hash of its content.
    {
      path: '/assets/*',
      headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
    },
    { path: '/pictures/*', headers: { 'Cache-Control': 'public, max-age=86400' } },
    ...ROUTES.flatMap(spellingsOf).map((path) => ({ path, headers: policyOf(path) })),
    { path: '/index.html', headers: { 'Content-Security-Policy': shop, ...REVALIDATED } },
    {
      path: '/checkout.html',
      headers: { 'Content-Security-Policy': checkout, ...REVALIDATED },
    },
    { path: '/sw.js', headers: { 'Content-Security-Policy': worker, ...REVALIDATED } },
    { path: '/manifest.webmanifest', headers: REVALIDATED },
  ];
}

/** Names each page, so that any other path which is not a file is answered with 404. */
export const REWRITES: readonly Rewrite[] = [
  ...ROUTES.filter((route) => route !== '/').map((from) => ({ from, to: targetOf(from) })),
  { from: '/catalogue/*', to: '/.netlify/functions/catalogue' },
  { from: '/sitemap.xml', to: '/.netlify/functions/sitemap' },
];

/** The document that answers for a route; the function `product` writes one for each product. */
function targetOf(route: AppRoute): string {
  if (route === '/product/*') return '/.netlify/functions/product';
  return isCheckout(route) ? '/checkout.html' : '/index.html';
}

/** All paths that lead to a page: rewrites ignore a slash at the end. Source: docs.netlify.com, "Redirect options". */
export function spellingsOf(route: string): string[] {
  return route === '/' || route.endsWith('*') ? [route] : [route, `${route}/`];
}

/** The text of `_headers`. Format: docs.netlify.com, "Custom headers". */
export function headersText(rules: readonly HeaderRule[]): string {
  return rules
    .map(({ path, headers }) => {
      const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`);
      return `${path}\n${lines.join('')}`;
    })
    .join('\n');
}

/** The text of `_redirects`; status 200 is a rewrite. Format: docs.netlify.com, "Redirects and rewrites". */
export function redirectsText(rewrites: readonly Rewrite[]): string {
  return rewrites.map(({ from, to }) => `${from} ${to} 200\n`).join('');
}
