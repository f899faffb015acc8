/**
 * What each document of the shop may load and where it may send (Content-Security-Policy). The hosts
 * come from the settings of the build, so a policy names this shop's own backend and no other.
 */
import type { PolicySettings } from './policy-settings.ts';

/** Sources by directive, e.g. `{ 'style-src': ["'self'"] }`. */
export type Policy = Readonly<Record<string, readonly string[]>>;

const NONE = "'none'";
const SELF = "'self'";

/** Source: Stripe manual, "Content Security Policy", Stripe.js. */
const STRIPE_SCRIPTS = ['https://js.stripe.com', 'https://*.js.stripe.com'];

/**
 * PayPal publishes no list for version 6 of its SDK. Source of this one: developer.paypal.com, "Best
 * Practices", of version 5, which names the same three for every kind of file.
 */
const PAYPAL = ['https://*.paypal.com', 'https://*.paypalobjects.com', 'https://*.venmo.com'];

/** The function that hears of what a policy blocked. Only headers may name it. */
const REPORT = '/.netlify/functions/report';
export const REPORTING_ENDPOINTS = `report="${REPORT}"`;

/** Directives that browsers ignore in a `<meta>`. Source: W3C, CSP Level 3, section 3.3. */
const ONLY_IN_HEADERS = new Set(['frame-ancestors', 'report-uri', 'report-to']);

/**
 * The policy of `index.html`. One for all of its pages: the shopper goes from one to another without
 * loading a document, and the service worker answers every one of them with the same document.
 *
 * @param scripts hashes of the scripts that stand in the document
 */
export function shopPolicy(settings: PolicySettings, scripts: readonly string[]): Policy {
  const { captcha } = settings;
  return documentPolicy(settings, {
    script: [...scripts, ...captcha.script],
    style: captcha.style,
    connect: captcha.connect,
    frame: captcha.frame,
  });
}

/** The policy of `checkout.html`. Here alone the payment providers' scripts may run. */
export function checkoutPolicy(settings: PolicySettings, scripts: readonly string[]): Policy {
  return documentPolicy(settings, {
    script: [...scripts, ...STRIPE_SCRIPTS, ...PAYPAL],
    // PayPal's script adds style elements, whose text is not known when the shop is built.
    style: ["'unsafe-inline'", ...PAYPAL],
    font: PAYPAL,
    connect: ['https://api.stripe.com', ...PAYPAL, ...settings.paymentEmulators],
    frame: [...STRIPE_SCRIPTS, 'https://hooks.stripe.com', ...PAYPAL],
  });
}

/** The policy of the service worker, which fetches pictures from wherever they are. */
export function workerPolicy({ backend }: PolicySettings): Policy {
  const sockets = backend.filter((source) => /^wss?:/.test(source));
  return {
    'default-src': [NONE],
    'script-src': [SELF],
    'connect-src': [SELF, 'https:', 'http:', ...sockets],
  };
}

/** Sources beside the shop's own, by kind. */
interface Others {
  readonly script: readonly string[];
  readonly style: readonly string[];
  readonly font?: readonly string[];
  readonly connect: readonly string[];
  readonly frame: readonly string[];
}

function documentPolicy(settings: PolicySettings, others: Others): Policy {
  return {
    'default-src': [NONE],
    'script-src': [SELF, ...others.script],
    'style-src': [SELF, ...others.style],
    // A product file may name pictures anywhere.
    'img-src': [SELF, 'https:', 'http:', 'data:', 'blob:'],
    'font-src': [SELF, ...(others.font ?? [])],
    'connect-src': [SELF, ...settings.backend, ...others.connect],
    ...(others.frame.length > 0 && { 'frame-src': others.frame }),
    'worker-src': [SELF],
    'manifest-src': [SELF],
    'form-action': [SELF],
    'base-uri': [NONE],
    'frame-ancestors': [NONE],
    'report-uri': [REPORT],
    'report-to': ['report'],
  };
}

/** A policy as a header says it. */
export function policyText(policy: Policy): string {
  return Object.entries(policy)
    .map(([directive, sources]) => [directive, ...sources].join(' '))
    .join('; ');
}

/** A policy as a `<meta>` says it, which holds at whatever address a host serves the document. */
export function policyInDocument(policy: Policy): string {
  const entries = Object.entries(policy).filter(([directive]) => !ONLY_IN_HEADERS.has(directive));
  return policyText(Object.fromEntries(entries));
}
