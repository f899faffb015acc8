/**
 * Public settings of the build for payments, all optional. Without them a production build still takes
 * cards, because Stripe's own page needs no key here.
 */

/** Whether this build runs on one machine, with emulators for the providers that have no keys. */
const IS_EMBEDDED = import.meta.env.MODE === 'embedded';

/** Empty in a shop that does not load Stripe.js. */
export const STRIPE_KEY = import.meta.env.VITE_STRIPE_PUBLISHABLE_KEY ?? '';

const PAYPAL_ID = import.meta.env.VITE_PAYPAL_CLIENT_ID ?? '';
/** `production`, `sandbox`, or empty where the functions take no PayPal payment. */
const ENVIRONMENT = import.meta.env.VITE_PAYPAL_ENVIRONMENT;

/** Whether an emulator on this machine stands in for PayPal's SDK. */
export const HAS_PAYPAL_EMULATOR = IS_EMBEDDED && PAYPAL_ID === '';

/** Empty where the shop cannot take PayPal. The emulator takes any id. */
export const PAYPAL_CLIENT_ID = HAS_PAYPAL_EMULATOR ? 'emulator' : ENVIRONMENT && PAYPAL_ID;

/** What PayPal's SDK is started with. Without a client id it is not started. */
export const PAYPAL_ENVIRONMENT =
  HAS_PAYPAL_EMULATOR || ENVIRONMENT === '' ? 'sandbox' : ENVIRONMENT;

/** Whether all payments here are known to be test payments. */
export const IS_TEST =
  !import.meta.env.VITE_HAS_LIVE_KEYS && (IS_EMBEDDED || STRIPE_KEY.startsWith('pk_test_'));
