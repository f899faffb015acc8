/** Whether the variables are set, have the right form, and belong together. Asks no service. */
import { publicSecrets, roleOf } from '../build/public-secrets.ts';
import {
  backendSettings,
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
import { smtpSettings } from '../lib/mail.ts';
import { shopSettings } from '../lib/shop-settings.ts';
import { staffRole } from '../lib/staff.ts';
import { readerOf } from './deployment.ts';
import { type Check, fault, type Finding, notChecked, ok } from './finding.ts';

const STRIPE = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'];
const PAYPAL = ['VITE_PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID'];

export const checkSettings: Check = (deployment) => {
  const read = readerOf(deployment);
  const optional = (subject: string, names: readonly string[], ...readers: (() => unknown)[]) =>
    names.some((name) => read(name)?.trim())
      ? checkVariables(subject, ...readers)
      : notChecked(subject, `it would need ${names.join(', ')}`);
  return [
    checkVariables(
      'Keys of Supabase',
      () => backendSettings(read),
      () => required(read, 'VITE_SUPABASE_PUBLISHABLE_KEY'),
    ),
    ...checkKeyForms(read),
    ...publicSecrets(deployment.environment).map((name) =>
      fault(
        name,
        'holds a secret, and variables that begin with VITE_ or SHOP_ are public: rename and rotate it.',
      ),
    ),
    checkVariables('Address of the shop', () => siteUrl(read)),
    checkVariables('Imports', () => importRole(read)),
    checkVariables('Orders to send', () => staffRole(read)),
    optional(
      'Settings of Stripe',
      STRIPE,
      () => stripeSettings(read),
      () => stripeWebhookSecret(read),
    ),
    ...checkStripeModes(read),
    optional(
      'Settings of PayPal',
      PAYPAL,
      () => paypalSettings(read),
      () => paypalWebhookId(read),
    ),
    optional('Messages', ['OPERATOR_WEBHOOK_URL'], () => operatorWebhook(read)),
    read('SMTP_HOST')?.trim()
      ? checkVariables('Mail about orders', () => smtpSettings(read))
      : notChecked(
          'Mail about orders',
          'none is sent to buyers: it would need SMTP_HOST, SMTP_FROM and a password',
        ),
    checkTexts(read),
    optional('Retention', ['RETENTION_DAYS'], () => retentionDays(read)),
  ];
};

function checkVariables(subject: string, ...readers: readonly (() => unknown)[]): Finding {
  for (const read of readers) {
    try {
      read();
    } catch (thrown) {
      if (!(thrown instanceof NotConfigured)) throw thrown;
      return fault(subject, `${thrown.message} .env.example says where to find it.`);
    }
  }
  return ok(subject, 'set, and of the right form');
}

function checkTexts(read: ReadVariable): Finding {
  const found = checkVariables('Texts and addresses', () => shopSettings(read));
  if (found.state === 'fault' || read('SHOP_CONTACT')?.trim()) return found;
  return notChecked('Contact', 'shoppers cannot write to the shop: it would need SHOP_CONTACT');
}

/** A fault for each key of Supabase in the wrong variable. Older keys have no prefix: they are tokens that name a role. */
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
  const words = `The secret key is ${secret}, the publishable one ${publishable}: take both of one mode.`;
  return [fault('Keys of Stripe', words)];
}
