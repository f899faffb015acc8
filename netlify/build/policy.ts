/**
 * The Content-Security-Policy of each document: what it may load, and where it may send requests. The
 * backend's host comes from the settings of the build.
 */
import type { PolicySettings } from './policy-settings.ts';

/** Sources by directive, e.g. `{ 'style-src': ["'self'"] }`. */
export type Policy = Readonly<Record<string, readonly string[]>>;

const NONE = "'none'";
const SELF = "'self'";

/** Source: Stripe manual, "Content Security Policy", Stripe.js. */
const STRIPE_SCRIPTS = ['https://js.stripe.com', 'https://*.js.stripe.com'];

/**
 * PayPal publishes no list for version 6 of its SDK. These three hosts are those that the manual of version 5
 * names for every kind of file. Source: developer.paypal.com, "Best Practices".
 */
const PAYPAL = ['https://*.paypal.com', 'https://*.paypalobjects.com', 'https://*.venmo.com'];

/** A directive that browsers ignore in a `<meta>`. Source: W3C, CSP Level 3, section 3.3. */
const ONLY_IN_HEADERS = 'frame-ancestors';

/**
 * The policy of `index.html`, the same for all of its pages: the shopper goes from one to another without
 * loading a document.
 *
 * @param scripts hashes of the inline scripts
 */
export function shopPolicy(settings: PolicySettings, scripts: readonly string[]): Policy {
  const { captcha } = settings;
  return documentPolicy(settings, {
    script: [...scripts, ...captcha],
    frame: captcha,
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

/** The policy of the service worker, which fetches pictures from any host. */
export const WORKER_POLICY: Policy = {
  'default-src': [NONE],
  'script-src': [SELF],
  'connect-src': [SELF, 'https:', 'http:'],
};

/** Sources beside the shop's own, by kind. */
interface ExtraSources {
  readonly script: readonly string[];
  readonly style?: readonly string[];
  readonly font?: readonly string[];
  readonly connect?: readonly string[];
  readonly frame: readonly string[];
}

function documentPolicy(settings: PolicySettings, extra: ExtraSources): Policy {
  return {
    'default-src': [NONE],
    'script-src': [SELF, ...extra.script],
    'style-src': [SELF, ...(extra.style ?? [])],
    // A product file may name pictures anywhere.
    'img-src': [SELF, 'https:', 'http:', 'data:', 'blob:'],
    'font-src': [SELF, ...(extra.font ?? [])],
    'connect-src': [SELF, ...settings.backend, ...(extra.connect ?? [])],
    ...(extra.frame.length > 0 && { 'frame-src': extra.frame }),
    'worker-src': [SELF],
    'manifest-src': [SELF],
    'form-action': [SELF],
    'base-uri': [NONE],
    'frame-ancestors': [NONE],
  };
}

/** A policy as the value of a header. */
export function policyText(policy: Policy): string {
  return Object.entries(policy)
    .map(([directive, sources]) => [directive, ...sources].join(' '))
    .join('; ');
}

/** A policy as the content of a `<meta>`. */
export function policyInDocument(policy: Policy): string {
  const entries = Object.entries(policy).filter(([directive]) => directive !== ONLY_IN_HEADERS);
  return policyText(Object.fromEntries(entries));
}
