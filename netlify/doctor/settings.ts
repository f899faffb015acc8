/** Whether the variables are set, have the right form, and belong together. Asks no service. */
import { publicSecrets, roleOf } from '../build/public-secrets.ts';
import {
  backendSettings,
  hasLiveKeys,
  importRole,
  NotConfigured,
  operatorWebhook,
  paypalSettings,
  paypalWebhookId,
  type ReadVariable,
  required,
  retentionDays,
  siteUrl,
  stripeSettings,
  stripeWebhookSecret,
} from '../lib/env.ts';
import { type Check, type Deployment, fault, type Finding, notChecked, ok } from './finding.ts';

export const checkSettings: Check = (deployment) => {
  const read = readerOf(deployment);
  return [
    checkComplete('Supabase', [() => backendSettings(read), () => publicBackend(read)]),
    checkComplete('Address of the shop', [() => siteUrl(read)]),
    ...checkKeyForms(read),
    ...publicSecrets(deployment.environment).map((name) =>
      fault(name, 'holds a secret, and VITE_ variables are public: rename and rotate it.'),
    ),
    checkPayment('Card payments', read, STRIPE, [
      () => stripeSettings(read),
      () => stripeWebhookSecret(read),
    ]),
    checkPayment('PayPal', read, PAYPAL, [() => paypalSettings(read), () => paypalWebhookId(read)]),
    ...checkStripeModes(read),
    checkImportRole(read),
    checkNotices(read),
    ...(read('RETENTION_DAYS')?.trim()
      ? [checkComplete('RETENTION_DAYS', [() => retentionDays(read)])]
      : []),
  ];
};

const STRIPE = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'];
const PAYPAL = [
  'VITE_PAYPAL_CLIENT_ID',
  'PAYPAL_CLIENT_SECRET',
  'PAYPAL_ENVIRONMENT',
  'PAYPAL_WEBHOOK_ID',
];

export function readerOf({ environment }: Pick<Deployment, 'environment'>): ReadVariable {
  return (name) => environment[name];
}

/** What `read` returns, or null where its variables are not set or not usable. */
export function settingsOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof NotConfigured) return null;
    throw thrown;
  }
}

function checkComplete(subject: string, readers: readonly (() => unknown)[]): Finding {
  for (const read of readers) {
    try {
      read();
    } catch (thrown) {
      if (!(thrown instanceof NotConfigured)) throw thrown;
      return fault(subject, `${thrown.message} .env.example says where to find it.`);
    }
  }
  return ok(subject, 'its variables are set');
}

function checkPayment(
  subject: string,
  read: ReadVariable,
  names: readonly string[],
  readers: readonly (() => unknown)[],
): Finding {
  if (names.every((name) => !read(name)?.trim())) {
    return notChecked(subject, `not set up: the shop answers 503 until ${names[0]} is set.`);
  }
  return checkComplete(subject, readers);
}

/** A fault for each key of Supabase that is of another kind; the older keys are tokens that name their role. */
function checkKeyForms(read: ReadVariable): readonly Finding[] {
  const forms = [
    ['VITE_SUPABASE_PUBLISHABLE_KEY', 'sb_publishable_', 'anon'],
    ['SUPABASE_SECRET_KEY', 'sb_secret_', 'service_role'],
  ] as const;
  return forms.flatMap(([name, prefix, role]) => {
    const key = read(name)?.trim() ?? '';
    if (key === '' || key.startsWith(prefix) || roleOf(key) === role) return [];
    return [fault(name, `is not a key of this kind: copy the one that begins with ${prefix}.`)];
  });
}

/** A fault where one key of Stripe is for live payments and the other for test payments. */
function checkStripeModes(read: ReadVariable): readonly Finding[] {
  // `pk_`, `rk_` or `sk_`: a publishable, restricted or secret key.
  const modeOf = (name: string) => /^[prs]k_(live|test)_/.exec(read(name)?.trim() ?? '')?.[1];
  const secret = modeOf('STRIPE_SECRET_KEY');
  const publishable = modeOf('VITE_STRIPE_PUBLISHABLE_KEY');
  if (secret === undefined || publishable === undefined || secret === publishable) return [];
  return [
    fault('Stripe', `one key is ${secret}, the other ${publishable}: take both of one mode.`),
  ];
}

function checkNotices(read: ReadVariable): Finding {
  const subject = 'Notices';
  if (read('OPERATOR_WEBHOOK_URL')?.trim()) {
    return checkComplete(subject, [() => operatorWebhook(read)]);
  }
  return notChecked(
    subject,
    'OPERATOR_WEBHOOK_URL is not set: read the log of the function messages each day',
  );
}

function checkImportRole(read: ReadVariable): Finding {
  const subject = 'Imports';
  try {
    const role = importRole(read);
    if (role !== null) return ok(subject, `for ${role}`);
    if (!hasLiveKeys(read)) return ok(subject, 'for every signed-in user');
    // No fault, because the owner has chosen it: with live keys only an explicit `*` leads here.
    return ok(
      subject,
      'IMPORT_ROLE is *: every shopper may import, and so set prices and buy at them',
    );
  } catch (thrown) {
    if (thrown instanceof NotConfigured) return fault(subject, thrown.message);
    throw thrown;
  }
}

export interface PublicBackend {
  /** Of the Supabase project, without a slash at its end. */
  readonly url: string;
  /** Acts as any visitor. */
  readonly publishableKey: string;
}

/** @throws NotConfigured */
export function publicBackend(read: ReadVariable): PublicBackend {
  const { url } = backendSettings(read);
  return { url, publishableKey: required(read, 'VITE_SUPABASE_PUBLISHABLE_KEY') };
}
