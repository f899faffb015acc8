/** Whether site and functions answer, and the webhooks accept only what their provider has signed. */
import Stripe from 'stripe';
import { paypalWebhookId, siteUrl, stripeWebhookSecret } from '../lib/env.ts';
import { type Reply, ask, type Deployment, readerOf, settingsOrNull } from './deployment.ts';
import { type Check, fault, type Finding, notChecked, ok } from './finding.ts';

export const checkSite: Check = async (deployment) => {
  const read = readerOf(deployment);
  const url = settingsOrNull(() => siteUrl(read));
  if (url === null) return [];
  const home = await ask(deployment, url);
  if (home.status === 0)
    return [fault('Site', `${url} does not answer: check URL and the domain.`)];
  const location = home.headers.get('location');
  if (location !== null) {
    return [fault('Site', `${url} leads on to ${location}: set URL to the address it ends at.`)];
  }
  if (home.status !== 200) {
    return [fault('Site', `${url} answers ${home.status}: deploy the shop.`)];
  }
  const secret = settingsOrNull(() => stripeWebhookSecret(read));
  const webhookId = settingsOrNull(() => paypalWebhookId(read));
  return [
    ok('Site', `${url} answers`),
    await checkCatalogue(deployment, url),
    await checkFunctions(deployment, url),
    secret === null
      ? notChecked('Stripe’s signature', 'it would need STRIPE_WEBHOOK_SECRET')
      : await checkStripeSignature(deployment, url, secret),
    webhookId === null
      ? notChecked('PayPal’s signature', 'it would need PAYPAL_WEBHOOK_ID')
      : await checkPayPalSignature(deployment, url),
  ];
};

/** Pages read the catalogue at the site's own address, and the CDN keeps what they read. */
async function checkCatalogue(deployment: Deployment, url: string): Promise<Finding> {
  const subject = 'Catalogue';
  const address = `${url}/catalogue/head`;
  const first = await ask(deployment, address);
  if (first.status !== 200 || typeof first.fields['stamp'] !== 'string') {
    const words = `${address} does not lead to the catalogue (HTTP ${first.status}): deploy the whole of dist/.`;
    return fault(subject, words);
  }
  // A CDN that works answers a second request within 15 s itself, and says so (RFC 9211).
  const { headers } = await ask(deployment, address);
  if (/;\s*hit\b/.test(headers.get('cache-status') ?? '')) return ok(subject, 'comes from the CDN');
  const words =
    'is read, but the CDN does not keep it, so every visitor’s request reaches the database: look at the headers of its answer.';
  return fault(subject, words);
}

/** Sends a token that no account has. The function answers 401 only if the auth service took the site's own key. */
async function checkFunctions(deployment: Deployment, url: string): Promise<Finding> {
  const subject = 'Functions';
  const address = `${url}/.netlify/functions/order-status?order=${crypto.randomUUID()}`;
  const headers = { authorization: 'Bearer doctor.no.token' };
  const answer = await ask(deployment, address, { headers });
  if (answer.status === 401) return ok(subject, 'reach the backend with the site’s own key');
  const words = `The site’s functions do not reach the backend (HTTP ${answer.status}): set SUPABASE_SECRET_KEY there and deploy.`;
  return fault(subject, words);
}

/** Sends a signed event of a type that the shop ignores. The shop must accept it, and changes nothing. */
async function checkStripeSignature(
  deployment: Deployment,
  url: string,
  secret: string,
): Promise<Finding> {
  const subject = 'Stripe’s signature';
  const payload = JSON.stringify({
    id: 'evt_doctor',
    object: 'event',
    type: 'product.created',
    created: Math.floor(Date.now() / 1000),
    livemode: false,
    data: { object: { id: 'prod_doctor', object: 'product' } },
  });
  const stripe = new Stripe('sk_test_unused');
  const signature = await stripe.webhooks.generateTestHeaderStringAsync({ payload, secret });
  const answer = await ask(deployment, `${url}/.netlify/functions/stripe-webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body: payload,
  });
  if (answer.status === 200) return ok(subject, 'the site believes this secret');
  if (answer.status === 400) {
    return fault(subject, 'The site has another STRIPE_WEBHOOK_SECRET: set it there and deploy.');
  }
  return fault(subject, wordsFor(answer, 'STRIPE_WEBHOOK_SECRET and STRIPE_SECRET_KEY'));
}

/** Only PayPal can sign its messages, so this sends one without a signature, which must be refused. */
async function checkPayPalSignature(deployment: Deployment, url: string): Promise<Finding> {
  const subject = 'PayPal’s signature';
  const answer = await ask(deployment, `${url}/.netlify/functions/paypal-webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ event_type: 'CATALOG.PRODUCT.CREATED' }),
  });
  if (answer.status === 400) return ok(subject, 'a message without one is refused');
  if (answer.status === 200) return fault(subject, 'A message without one is believed: deploy.');
  return fault(subject, wordsFor(answer, 'the variables of PayPal'));
}

/** @param names the variables without which the function answers 503 */
function wordsFor({ status }: Reply, names: string): string {
  if (status === 0) return 'The webhook does not answer: deploy the shop.';
  if (status === 503) return `It is not set up on the site: set ${names} there and deploy.`;
  return `The webhook answers ${status}: look into the function’s log.`;
}
