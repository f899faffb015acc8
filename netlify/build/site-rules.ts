/**
 * The host's rules, written once: headers by path, and which document answers for each page. The
 * build writes them as `_headers` and `_redirects`, which Netlify reads from the published folder.
 */
import { isCheckout, ROUTES } from '../../src/domain/routes.ts';
import { SAFETY_HEADERS } from '../lib/safety-headers.ts';
import { REPORTING_ENDPOINTS } from './policy.ts';

export interface HeaderRule {
  /** One path, or a folder and all below it, e.g. `/assets/*`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Rewrite {
  readonly from: string;
  /** A file of the site, a function, or a whole address elsewhere. */
  readonly to: string;
}

/** Policies as headers say them. */
export interface PolicyTexts {
  readonly shop: string;
  readonly checkout: string;
  readonly worker: string;
}

const EVERYWHERE = {
  ...SAFETY_HEADERS,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  // Popups stay connected: PayPal's window reports back to the page that opened it.
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), usb=()',
  'Reporting-Endpoints': REPORTING_ENDPOINTS,
};

/** For what decides which version of the shop runs: the browser asks each time. */
const ASKED_EACH_TIME = { 'Cache-Control': 'no-cache' };

/**
 * Netlify's parser joins nothing, but its documentation does not say what its servers do with a header
 * that two rules set. So no two rules for one path set a header to different values.
 */
export function headerRules({ shop, checkout, worker }: PolicyTexts): HeaderRule[] {
  const policyOf = (route: string) => ({
    'Content-Security-Policy': isCheckout(route) ? checkout : shop,
  });
  return [
    { path: '/*', headers: EVERYWHERE },
    // The name of a built file holds a hash of its content.
    {
      path: '/assets/*',
      headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
    },
    { path: '/pictures/*', headers: { 'Cache-Control': 'public, max-age=86400' } },
    ...ROUTES.flatMap(spellingsOf).map((path) => ({ path, headers: policyOf(path) })),
    { path: '/index.html', headers: { 'Content-Security-Policy': shop, ...ASKED_EACH_TIME } },
    {
      path: '/checkout.html',
      headers: { 'Content-Security-Policy': checkout, ...ASKED_EACH_TIME },
    },
    { path: '/sw.js', headers: { 'Content-Security-Policy': worker, ...ASKED_EACH_TIME } },
    { path: '/manifest.webmanifest', headers: ASKED_EACH_TIME },
  ];
}

/** The pages, one by one: any other path that is not a file is a true 404. */
export const REWRITES: readonly Rewrite[] = [
  ...ROUTES.filter((route) => route !== '/').map((from) => ({
    from,
    to: isCheckout(from) ? '/checkout.html' : '/index.html',
  })),
  { from: '/sitemap.xml', to: '/.netlify/functions/sitemap' },
];

/**
 * What every visitor reads of the catalogue, below `/rest/v1/`. Asked at the site's own origin, each costs
 * one round trip; another origin costs a second one, in which the browser asks for leave (CORS). All else
 * goes straight to the backend, whose auth service counts requests by the sender's address.
 */
const CATALOGUE_READS = ['products', 'rpc/catalogue_changes', 'rpc/catalogue_page'];

/** @param backend the backend's origin; null where it is the site's own */
export function rewritesTo(backend: string | null): Rewrite[] {
  const reads = backend === null ? [] : CATALOGUE_READS.map((read) => `/rest/v1/${read}`);
  return [...REWRITES, ...reads.map((from) => ({ from, to: `${backend}${from}` }))];
}

/** Rewrites ignore a slash at the end of a path. Source: docs.netlify.com, "Redirect options". */
export function spellingsOf(route: string): string[] {
  return route === '/' ? [route] : [route, `${route}/`];
}

/** Format: docs.netlify.com, "Custom headers". */
export function headersText(rules: readonly HeaderRule[]): string {
  return rules
    .map(({ path, headers }) => {
      const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`);
      return `${path}\n${lines.join('')}`;
    })
    .join('\n');
}

/** Format: docs.netlify.com, "Redirects and rewrites". Status 200 serves the file at the same address. */
export function redirectsText(rewrites: readonly Rewrite[]): string {
  return rewrites.map(({ from, to }) => `${from} ${to} 200\n`).join('');
}
