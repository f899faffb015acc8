/** Whether Stripe and PayPal take the keys, and send the shop's webhooks. */
import { fieldsOf, plainText } from '../../src/domain/fields.ts';
import {
  type PayPalSettings,
  paypalSettings,
  paypalWebhookId,
  siteUrl,
  stripeSettings,
  type StripeSettings,
} from '../lib/env.ts';
import { ask, type Deployment, readerOf, settingsOrNull } from './deployment.ts';
import { type Check, fault, type Finding, notChecked, ok } from './finding.ts';

/** Printed after the name VITE_PAYPAL_CLIENT_ID. */
const SWAPPED =
  'and PAYPAL_CLIENT_SECRET are swapped, so a build has published the secret: make a new secret at PayPal, set both, deploy, and delete the old one.';
const EMULATOR = 'it would need the provider itself, not an emulator';

export const checkProviders: Check = async (deployment) => {
  const read = readerOf(deployment);
  const stripe = settingsOrNull(() => stripeSettings(read));
  const paypal = settingsOrNull(() => paypalSettings(read));
  const url = settingsOrNull(() => siteUrl(read)) ?? '';
  return [
    ...(stripe === null ? [] : await checkStripe(deployment, stripe, url)),
    ...(paypal === null ? [] : await checkPayPal(deployment, paypal, url)),
  ];
};

async function checkStripe(
  deployment: Deployment,
  { secretKey, mode, apiUrl }: StripeSettings,
  url: string,
): Promise<readonly Finding[]> {
  const key = 'STRIPE_SECRET_KEY';
  const api = `${apiUrl?.origin ?? 'https://api.stripe.com'}/v1`;
  const headers = { authorization: `Bearer ${secretKey}` };
  const askStripe = (path: string) => ask(deployment, `${api}/${path}`, { headers });
  for (const path of ['checkout/sessions?limit=1', 'events?limit=1']) {
    const { status } = await askStripe(path);
    if (status === 0) return [fault('Stripe', 'does not answer: try again.')];
    if (status !== 200) {
      const words = `Stripe refuses it for ${path} (HTTP ${status}): copy it again, or give a restricted key the rights in .env.example.`;
      return [fault(key, words)];
    }
  }
  const accepted = ok(key, `accepted, ${mode}`);
  const subject = 'Webhook at Stripe';
  if (apiUrl !== null) return [accepted, notChecked(subject, EMULATOR)];
  const { status, fields } = await askStripe('webhook_endpoints?limit=100');
  if (status !== 200) {
    return [accepted, notChecked(subject, 'it would need a key that may list webhooks')];
  }
  const webhooks = Array.isArray(fields['data']) ? fields['data'].map(fieldsOf) : [];
  const address = `${url}/.netlify/functions/stripe-webhook`;
  const own = webhooks.filter((webhook) => webhook['url'] === address);
  if (own.length === 0) return [accepted, fault(subject, `There is none to ${address}: add it.`)];
  // The list has disabled webhooks too, even where an enabled one has the same address.
  if (own.some((webhook) => webhook['status'] === 'enabled')) {
    return [accepted, ok(subject, `enabled, to ${address}`)];
  }
  return [accepted, fault(subject, `The one to ${address} is disabled: enable it at Stripe.`)];
}

async function checkPayPal(
  deployment: Deployment,
  { clientId, clientSecret, mode, apiUrl }: PayPalSettings,
  url: string,
): Promise<readonly Finding[]> {
  const login = (id: string, secret: string) =>
    ask(deployment, `${apiUrl}/v1/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
  const { status, fields } = await login(clientId, clientSecret);
  if (status === 0) return [fault('PayPal', 'does not answer: try again.')];
  if (status !== 200) {
    const swapped = await login(clientSecret, clientId);
    if (swapped.status === 200) return [fault('VITE_PAYPAL_CLIENT_ID', SWAPPED)];
    const words = `PayPal refuses it for this client id and ${mode} (HTTP ${status}): copy both again.`;
    return [fault('PAYPAL_CLIENT_SECRET', words)];
  }
  const accepted = ok('PAYPAL_CLIENT_SECRET', `accepted, ${mode}`);
  const id = settingsOrNull(() => paypalWebhookId(readerOf(deployment)));
  if (id === null) return [accepted]; // `checkSettings` names the missing id
  // PayPal itself has https addresses only.
  if (apiUrl.startsWith('http:')) return [accepted, notChecked('Webhook at PayPal', EMULATOR)];
  const webhook = await ask(
    deployment,
    `${apiUrl}/v1/notifications/webhooks/${encodeURIComponent(id)}`,
    { headers: { authorization: `Bearer ${plainText(fields['access_token'])}` } },
  );
  const address = `${url}/.netlify/functions/paypal-webhook`;
  if (webhook.status !== 200) {
    const words = 'PayPal knows no webhook of this id in this app: copy the Webhook ID again.';
    return [accepted, fault('PAYPAL_WEBHOOK_ID', words)];
  }
  return webhook.fields['url'] === address
    ? [accepted, ok('Webhook at PayPal', `to ${address}`)]
    : [accepted, fault('PAYPAL_WEBHOOK_ID', `names another webhook than ${address}: add that.`)];
}
