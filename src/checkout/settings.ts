/**
 * What the build knows about payments: public names from the environment, all optional. Without
 * them a production build still takes cards, because Stripe's own page needs no key here.
 */

/** The shop of one machine, where emulators take the place of providers without keys. */
export const IS_EMBEDDED = import.meta.env.MODE === 'embedded';

/** Empty where Stripe.js is not wanted. */
export const STRIPE_KEY = import.meta.env.VITE_STRIPE_PUBLISHABLE_KEY ?? '';

const PAYPAL_ID = import.meta.env.VITE_PAYPAL_CLIENT_ID ?? '';
/** Empty where the shop does not say which PayPal it uses. */
const PAYPAL = import.meta.env.VITE_PAYPAL_ENVIRONMENT;

/** Whether PayPal's SDK is played by the emulator of this machine. */
export const HAS_PAYPAL_STAND_IN = IS_EMBEDDED && PAYPAL_ID === '';

/** Empty where the shop cannot take PayPal. The emulator takes any name. */
export const PAYPAL_CLIENT_ID = HAS_PAYPAL_STAND_IN ? 'emulator' : PAYPAL && PAYPAL_ID;

export const PAYPAL_ENVIRONMENT = HAS_PAYPAL_STAND_IN || PAYPAL === '' ? 'sandbox' : PAYPAL;

/** Whether what is paid here is known to be play money. */
export const IS_TEST =
  !import.meta.env.VITE_HAS_LIVE_KEYS && (IS_EMBEDDED || STRIPE_KEY.startsWith('pk_test_'));
