/**
 * The server's configuration, from Netlify's environment variables. `.env.example` lists them.
 *
 * Each capability reads the variables that it needs. When one is missing or malformed, the function
 * answers 503 and the log names the variable; nothing is guessed.
 */

import * as v from 'valibot';

/** Reads one variable; undefined or empty when it is not set. */
export type ReadVariable = (name: string) => string | undefined;

export interface BackendSettings {
  /** Address of the Supabase project, without a slash at its end. */
  readonly url: string;
  /** Gives the rights of `service_role`, which row-level security does not restrict. */
  readonly secretKey: string;
}

/** Variables that are not set or not usable. Answered as 503; `message` goes to the log only. */
export class NotConfigured extends Error {
  override readonly name = 'NotConfigured';
  /** What the caller reads in the answer. */
  readonly sentence: string;

  constructor(message: string, sentence = NOT_SET_UP) {
    super(message);
    this.sentence = sentence;
  }
}

const NOT_SET_UP = 'The shop isn’t set up for that yet. Try again later.';

export const netlifyVariable: ReadVariable = (name) => Netlify.env.get(name);

/** An address without a slash at its end. */
const ORIGIN = v.pipe(
  v.string(),
  v.transform((url) => url.replace(/\/+$/, '')),
  v.check(
    isSafeOrigin,
    'must be an https:// address without a path (http:// only on this machine itself).',
  ),
);

const SECRET_KEY = v.pipe(
  v.string(),
  // A key that was pasted over two lines holds a line break. A request would fail with an error that quotes it.
  v.regex(/^[\w.-]+$/, 'contains invalid characters.'),
  v.check((key) => !key.startsWith('sb_publishable_'), 'holds the publishable key.'),
);

/** @throws NotConfigured */
export function backendSettings(read: ReadVariable = netlifyVariable): BackendSettings {
  return {
    url: required(read, 'VITE_SUPABASE_URL', ORIGIN),
    secretKey: required(read, 'SUPABASE_SECRET_KEY', SECRET_KEY),
  };
}

/**
 * The value of `app_metadata.role` that an importer needs; null where any shopper may import.
 *
 * A person who may import can set a price and buy at it. So a shop that others can reach must say who may
 * import, even while it has no keys of a payment provider: such a price is still there when it gets keys.
 *
 * @throws NotConfigured
 */
export function importRole(read: ReadVariable = netlifyVariable): string | null {
  const role = read('IMPORT_ROLE')?.trim() ?? '';
  if (role === '' && (hasLiveKeys(read) || !isOnThisMachine(read))) {
    const problem = 'IMPORT_ROLE is not set.';
    throw new NotConfigured(
      `${problem} It must name the role of those who may import, or be * for everybody.`,
      `${problem} Set it to the role of the shop’s staff, or to * for everybody, and deploy again.`,
    );
  }
  return role === '' || role === '*' ? null : role;
}

/**
 * The address to which messages for the operator of the shop are sent; null where none is set. It is a
 * secret, so it must be https.
 *
 * @throws NotConfigured
 */
export function operatorWebhook(read: ReadVariable = netlifyVariable): URL | null {
  return optional(read, 'OPERATOR_WEBHOOK_URL', WEBHOOK);
}

const WEBHOOK = v.pipe(
  v.string(),
  v.transform((text) => URL.parse(text)),
  v.custom<URL>(
    (url) => url instanceof URL && url.protocol === 'https:' && url.username + url.password === '',
    'must be an https:// address without a user name.',
  ),
);

/** A whole number from 1 to 99,999. */
const DAYS = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,4}$/, 'must be a whole number of days, such as 3650.'),
  v.transform(Number),
);

/**
 * For how many days after a payment the shop must know who placed an order whose account is deleted;
 * null keeps it for good.
 *
 * @throws NotConfigured
 */
export function retentionDays(read: ReadVariable = netlifyVariable): number | null {
  return optional(read, 'RETENTION_DAYS', DAYS);
}

/** The text of a variable, as a schema describes it; any text without one. @throws NotConfigured */
export function required(read: ReadVariable, name: string): string;
export function required<Value>(
  read: ReadVariable,
  name: string,
  schema: v.GenericSchema<string, Value>,
): Value;
export function required<Value>(
  read: ReadVariable,
  name: string,
  schema?: v.GenericSchema<string, Value>,
): Value | string {
  const text = read(name)?.trim();
  if (!text) throw new NotConfigured(`${name} is not set.`);
  return schema ? parse(name, text, schema) : text;
}

/** As `required`; null where the variable is not set. */
function optional<Value>(
  read: ReadVariable,
  name: string,
  schema: v.GenericSchema<string, Value>,
): Value | null {
  const text = read(name)?.trim();
  return text ? parse(name, text, schema) : null;
}

/** The messages of the schemas follow the name of the variable, and never quote its value. */
function parse<Value>(name: string, text: string, schema: v.GenericSchema<string, Value>): Value {
  const parsed = v.safeParse(schema, text, { abortEarly: true, abortPipeEarly: true });
  if (parsed.success) return parsed.output;
  throw new NotConfigured(`${name} ${parsed.issues[0].message}`);
}

/** Whether an address has no path and cannot be intercepted: it is https, or on this machine itself. */
function isSafeOrigin(url: string): boolean {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.pathname !== '/') return false;
  return parsed.protocol === 'https:' || (parsed.protocol === 'http:' && isLoopback(parsed));
}

/** Whether the shop's database is on this machine, as that of `npm start` is. */
function isOnThisMachine(read: ReadVariable): boolean {
  const url = URL.parse(read('VITE_SUPABASE_URL')?.trim() ?? '');
  return url !== null && isLoopback(url);
}

/** Whether an address is on this machine. */
export function isLoopback({ hostname }: Pick<URL, 'hostname'>): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

export type PaymentMode = 'live' | 'sandbox';

export interface StripeSettings {
  readonly secretKey: string;
  readonly mode: PaymentMode;
  /** Address of an emulator on this machine; null for Stripe itself. */
  readonly apiUrl: URL | null;
}

const STRIPE_KEY = v.pipe(
  v.string(),
  v.regex(/^(?:sk|rk)_(?:live|test)_\w+$/, 'is not a Stripe secret or restricted key.'),
);

/** @throws NotConfigured */
export function stripeSettings(read: ReadVariable = netlifyVariable): StripeSettings {
  const secretKey = required(read, 'STRIPE_SECRET_KEY', STRIPE_KEY);
  const mode = /^.._live_/.test(secretKey) ? 'live' : 'sandbox';
  forbidTestMoney(read, mode);
  return { secretKey, mode, apiUrl: emulatorUrl(read, 'STRIPE_API_URL', mode) };
}

/** The secret with which Stripe signs webhooks. @throws NotConfigured */
export function stripeWebhookSecret(read: ReadVariable = netlifyVariable): string {
  return required(read, 'STRIPE_WEBHOOK_SECRET');
}

export interface PayPalSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly mode: PaymentMode;
  /** Without a slash at its end. */
  readonly apiUrl: string;
}

const MODE = v.picklist(['live', 'sandbox'], 'must be live or sandbox.');

/** Which PayPal the shop uses, on the server and in the page. @throws NotConfigured */
export function paypalMode(read: ReadVariable = netlifyVariable): PaymentMode {
  const mode = required(read, 'PAYPAL_ENVIRONMENT', MODE);
  forbidTestMoney(read, mode);
  return mode;
}

/** Whether any of the keys moves real money. */
export function hasLiveKeys(read: ReadVariable): boolean {
  const isLiveStripe = /^[sr]k_live_/.test(read('STRIPE_SECRET_KEY')?.trim() ?? '');
  return isLiveStripe || read('PAYPAL_ENVIRONMENT')?.trim() === 'live';
}

/** In a shop that takes real money, a shopper who pays with test money would get goods for nothing. */
function forbidTestMoney(read: ReadVariable, mode: PaymentMode): void {
  if (mode === 'live' || !hasLiveKeys(read)) return;
  throw new NotConfigured(
    'STRIPE_SECRET_KEY and PAYPAL_ENVIRONMENT: one is live, so the other must not use test mode.',
  );
}

/** @throws NotConfigured */
export function paypalSettings(read: ReadVariable = netlifyVariable): PayPalSettings {
  const mode = paypalMode(read);
  const host = mode === 'live' ? 'api-m.paypal.com' : 'api-m.sandbox.paypal.com';
  return {
    // The page reads the same variable, so page and server use the same PayPal account.
    clientId: required(read, 'VITE_PAYPAL_CLIENT_ID'),
    clientSecret: required(read, 'PAYPAL_CLIENT_SECRET'),
    mode,
    apiUrl: emulatorUrl(read, 'PAYPAL_API_URL', mode)?.origin ?? `https://${host}`,
  };
}

/** The id of the shop's webhook, by which PayPal verifies a message. @throws NotConfigured */
export function paypalWebhookId(read: ReadVariable = netlifyVariable): string {
  return required(read, 'PAYPAL_WEBHOOK_ID');
}

/**
 * The address that shoppers come back to, without a slash at its end. Netlify sets `URL`. The Host
 * header of a request does not count, because the sender of the request chooses it.
 *
 * @throws NotConfigured
 */
export function siteUrl(read: ReadVariable = netlifyVariable): string {
  return required(read, 'URL', ORIGIN);
}

/**
 * The address of a provider's emulator; null where none is set. Keys must go to the provider or stay on
 * this machine, and live keys must never go to an emulator.
 *
 * @throws NotConfigured
 */
function emulatorUrl(read: ReadVariable, name: string, mode: PaymentMode): URL | null {
  const text = read(name)?.trim();
  if (!text) return null;
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'http:' || !isLoopback(url)) {
    throw new NotConfigured(
      `${name} may only name an emulator on this machine (http://127.0.0.1).`,
    );
  }
  if (mode === 'live') throw new NotConfigured(`${name} must not be set together with live keys.`);
  return url;
}
