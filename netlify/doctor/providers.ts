/** Whether Stripe and PayPal take the keys, and know the shop's webhooks. */
import { fieldsOf } from '../../src/domain/fields.ts';
import {
  type PayPalSettings,
  paypalSettings,
  paypalWebhookId,
  siteUrl,
  stripeSettings,
  type StripeSettings,
} from '../lib/env.ts';
import { type Check, type Deployment, fault, type Finding, notChecked, ok } from './finding.ts';
import { jsonIn, requestOrNull } from './request.ts';
import { readerOf, settingsOrNull } from './settings.ts';

/** Printed after the name VITE_PAYPAL_CLIENT_ID. */
const SWAPPED =
  'and PAYPAL_CLIENT_SECRET are swapped, so a build has published the secret: make a new secret at PayPal, set both, deploy, and delete the old one.';
const EMULATOR = 'an emulator has no list of webhooks';

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

interface ProviderAnswer {
  readonly status: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Asks a provider; null where no answer comes in time, or one that is not JSON. */
async function ask(
  deployment: Deployment,
  url: string,
  authorization: string,
  body?: string,
): Promise<ProviderAnswer | null> {
  const response = await requestOrNull(deployment, url, {
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    ...(body === undefined ? {} : { method: 'POST', body }),
  });
  const answer = await jsonIn(response);
  return response === null || answer === null
    ? null
    : { status: response.status, fields: fieldsOf(answer) };
}

async function checkStripe(
  deployment: Deployment,
  { secretKey, mode, apiUrl }: StripeSettings,
  url: string,
): Promise<readonly Finding[]> {
  const api = apiUrl?.origin ?? 'https://api.stripe.com';
  const bearer = `Bearer ${secretKey}`;
  // Asks for the payment of the session too, as the shop does: a restricted key needs one more right for that.
  const query = 'limit=1&expand[]=data.payment_intent';
  const sessions = await ask(deployment, `${api}/v1/checkout/sessions?${query}`, bearer);
  if (sessions === null) return [fault('Stripe', 'does not answer: try again.')];
  if (sessions.status !== 200) {
    return [
      fault(
        'STRIPE_SECRET_KEY',
        `Stripe refuses it (HTTP ${sessions.status}): copy it again, or give a restricted key the rights in .env.example.`,
      ),
    ];
  }
  const events = await ask(deployment, `${api}/v1/events?limit=1`, bearer);
  if (events?.status !== 200) {
    const words = `may not read events (HTTP ${events?.status ?? 'none'}): give the key that right, or no refund is heard of whose webhook is lost.`;
    return [fault('STRIPE_SECRET_KEY', words)];
  }
  const accepted = ok('STRIPE_SECRET_KEY', `accepted, ${mode}`);
  if (apiUrl !== null) return [accepted, notChecked('Webhook at Stripe', EMULATOR)];
  const webhooks = await ask(deployment, `${api}/v1/webhook_endpoints?limit=100`, bearer);
  if (webhooks?.status !== 200) {
    return [accepted, notChecked('Webhook at Stripe', 'this key may not list webhooks')];
  }
  const webhookList = Array.isArray(webhooks.fields['data'])
    ? (webhooks.fields['data'] as unknown[])
    : [];
  const address = `${url}/.netlify/functions/stripe-webhook`;
  // Stripe keeps disabled webhooks in the list, also beside another to the same address.
  const isEnabled = webhookList
    .map(fieldsOf)
    .some((webhook) => webhook['url'] === address && webhook['status'] === 'enabled');
  if (isEnabled) return [accepted, ok('Webhook at Stripe', address)];
  return [accepted, fault('Webhook at Stripe', `There is none to ${address}: add it.`)];
}

async function checkPayPal(
  deployment: Deployment,
  { clientId, clientSecret, mode, apiUrl }: PayPalSettings,
  url: string,
): Promise<readonly Finding[]> {
  const tokenFor = async (id: string, secret: string) => {
    const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
    const address = `${apiUrl}/v1/oauth2/token`;
    const answer = await ask(deployment, address, basic, 'grant_type=client_credentials');
    const token = answer?.status === 200 ? answer.fields['access_token'] : null;
    return { status: answer?.status, token: typeof token === 'string' ? token : null };
  };
  const { status, token } = await tokenFor(clientId, clientSecret);
  if (status === undefined) return [fault('PayPal', 'does not answer: try again.')];
  if (token === null) {
    const swapped = await tokenFor(clientSecret, clientId);
    if (swapped.token !== null) return [fault('VITE_PAYPAL_CLIENT_ID', SWAPPED)];
    const words = `PayPal refuses it for this client id and ${mode} (HTTP ${status}).`;
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
    `Bearer ${token}`,
  );
  const address = `${url}/.netlify/functions/paypal-webhook`;
  if (webhook?.status === 200 && webhook.fields['url'] === address) {
    return [accepted, ok('Webhook at PayPal', address)];
  }
  if (webhook?.status === 200) {
    return [accepted, fault('PAYPAL_WEBHOOK_ID', `names another webhook than ${address}.`)];
  }
  return [accepted, fault('PAYPAL_WEBHOOK_ID', 'PayPal knows no webhook of this id in this app.')];
}
