/** Whether the site answers as it was built, and its webhooks accept only what their provider has signed. */
import Stripe from 'stripe';
import { siteUrl, stripeWebhookSecret, paypalWebhookId } from '../lib/env.ts';
import { rulesOfFolder } from '../local/rules.ts';
import { type Check, type Deployment, fault, type Finding, notChecked, ok } from './finding.ts';
import { requestOrNull } from './request.ts';
import { readerOf, settingsOrNull } from './settings.ts';

export const checkHosting: Check = async (deployment) => {
  const read = readerOf(deployment);
  const url = settingsOrNull(() => siteUrl(read));
  if (url === null) return [];
  const home = await requestOrNull(deployment, url);
  if (home === null) return [fault('Site', `${url} does not answer: check URL and the domain.`)];
  const location = home.headers.get('location');
  if (location !== null) {
    return [fault('Site', `${url} leads on to ${location}: set URL to the address it ends at.`)];
  }
  if (home.status !== 200)
    return [fault('Site', `${url} answers ${home.status}: deploy the shop.`)];
  const secret = settingsOrNull(() => stripeWebhookSecret(read));
  const webhookId = settingsOrNull(() => paypalWebhookId(read));
  return [
    ok('Site', `${url} answers`),
    checkPolicy(home.headers, url, read('VITE_SUPABASE_URL') ?? ''),
    checkHeadersAsBuilt(home.headers, deployment.siteFolder),
    await checkUnknownPath(deployment, url),
    await checkCatalogue(deployment, url, read('VITE_SUPABASE_PUBLISHABLE_KEY') ?? ''),
    await checkFunctions(deployment, url),
    secret === null
      ? notChecked('Stripe’s webhook', 'STRIPE_WEBHOOK_SECRET is not set')
      : await checkStripeWebhook(deployment, url, secret),
    webhookId === null
      ? notChecked('PayPal’s webhook', 'PAYPAL_WEBHOOK_ID is not set')
      : await checkPayPalWebhook(deployment, url),
  ];
};

function checkPolicy(headers: Headers, url: string, backendUrl: string): Finding {
  const subject = 'Headers';
  const csp = headers.get('content-security-policy');
  if (csp === null) {
    return fault(subject, 'The site has no Content-Security-Policy: deploy the whole of dist/.');
  }
  const sourcesOf = (directive: string) => new RegExp(`${directive} ([^;]*)`).exec(csp)?.[1];
  const connect = (sourcesOf('connect-src') ?? sourcesOf('default-src') ?? '').split(' ');
  const host = URL.parse(backendUrl)?.host ?? '';
  const ownHost = URL.parse(url)?.host;
  const isAllowed = connect.some((source) => {
    const name = source === "'self'" ? ownHost : source.replace(/^\w+:\/\//, '');
    if (name === undefined) return false;
    return name === host || (name.startsWith('*.') && host.endsWith(name.slice(1)));
  });
  if (isAllowed) return ok(subject, 'the policy lets pages reach the backend');
  return fault(subject, `The policy keeps pages from ${host}: set VITE_SUPABASE_URL and deploy.`);
}

function checkHeadersAsBuilt(headers: Headers, siteFolder: string): Finding {
  const subject = 'Headers as built';
  const built = rulesOfFolder(siteFolder)().headersFor('/');
  if (built.size === 0)
    return notChecked(subject, 'it would need `npm run build` with these variables');
  const differing = [...built].filter(([name, value]) => headers.get(name) !== value);
  if (differing.length === 0) return ok(subject, `the site answers with all ${built.size}`);
  const names = differing.map(([name]) => name).join(', ');
  return fault(
    subject,
    `The site has another ${names} than dist/: build and deploy the same tree.`,
  );
}

async function checkUnknownPath(deployment: Deployment, url: string): Promise<Finding> {
  const answer = await requestOrNull(deployment, `${url}/doctor/no-such-page`);
  if (answer?.status === 404) return ok('Unknown addresses', 'answered 404');
  const words = `answered ${answer?.status ?? 'not at all'} instead of 404: a rewrite takes them all.`;
  return fault('Unknown addresses', words);
}

/** Pages read the catalogue at the site's own address (netlify/build/site-rules.ts). */
async function checkCatalogue(deployment: Deployment, url: string, key: string): Promise<Finding> {
  const subject = 'Catalogue';
  const address = `${url}/rest/v1/products?select=id&limit=1`;
  const answer = await requestOrNull(deployment, address, { headers: { apikey: key } });
  const isJson = answer?.headers.get('content-type')?.includes('json') ?? false;
  if (answer?.status === 200 && isJson) return ok(subject, 'can be read at the site’s address');
  const words = `${url}/rest/v1/products does not lead to the backend: deploy the whole of dist/.`;
  return fault(subject, words);
}

/** Sends a token that no account has, about which a function asks the auth service with the site's own key. */
async function checkFunctions(deployment: Deployment, url: string): Promise<Finding> {
  const subject = 'Functions';
  const address = `${url}/.netlify/functions/order-status?order=${crypto.randomUUID()}`;
  const headers = { authorization: 'Bearer doctor.no.token' };
  const answer = await requestOrNull(deployment, address, { headers });
  if (answer?.status === 401) return ok(subject, 'reach the backend with the site’s own key');
  const words = `The site’s functions do not reach the backend (${answer?.status ?? 'no answer'}): set SUPABASE_SECRET_KEY there and deploy.`;
  return fault(subject, words);
}

/** Sends a signed event of a type that the shop ignores. The shop must accept it, and changes nothing. */
async function checkStripeWebhook(
  deployment: Deployment,
  url: string,
  secret: string,
): Promise<Finding> {
  const subject = 'Stripe’s webhook';
  const body = JSON.stringify({
    id: 'evt_doctor',
    object: 'event',
    type: 'product.created',
    created: Math.floor(deployment.now().getTime() / 1000),
    livemode: false,
    data: { object: { id: 'prod_doctor', object: 'product' } },
  });
  const stripe = new Stripe('sk_test_unused');
  const signature = await stripe.webhooks.generateTestHeaderStringAsync({ payload: body, secret });
  const answer = await requestOrNull(deployment, `${url}/.netlify/functions/stripe-webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body,
  });
  if (answer?.status === 200) return ok(subject, 'believes this secret');
  if (answer?.status === 400) {
    return fault(subject, 'The site has another STRIPE_WEBHOOK_SECRET, or its clock is wrong.');
  }
  return fault(subject, describeFailure(answer, 'STRIPE_WEBHOOK_SECRET and STRIPE_SECRET_KEY'));
}

/** Only PayPal can sign its messages, so this sends one without a signature, which must be refused. */
async function checkPayPalWebhook(deployment: Deployment, url: string): Promise<Finding> {
  const subject = 'PayPal’s webhook';
  const answer = await requestOrNull(deployment, `${url}/.netlify/functions/paypal-webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ event_type: 'CATALOG.PRODUCT.CREATED' }),
  });
  if (answer?.status === 400) return ok(subject, 'refuses a message that PayPal did not sign');
  if (answer?.status === 200) return fault(subject, 'It believes a message without a signature.');
  return fault(subject, describeFailure(answer, 'the variables of PayPal'));
}

/** @param names the variables without which the function answers 503 */
function describeFailure(answer: Response | null, names: string): string {
  if (answer === null) return 'It does not answer.';
  if (answer.status === 503) return `It is not set up on the site: set ${names} there and deploy.`;
  return `It answers ${answer.status}: look into the function’s log.`;
}
