/**
 * Sends a shop requests over HTTP that are all wrong in some way. No answer may be a failure of the
 * shop (5xx), and none may write anything.
 */
import { randomUUID } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { Chance } from '../model/kit/chance.ts';
import { inParallel } from '../model/kit/cores.ts';
import { tokenFor } from '../supabase/shoppers.ts';
import { COAT_CENTS, openShopOverHttp, type ShopOverHttp } from './shop-over-http.ts';
import type { ShopFacts } from './fuzz-contents.ts';
import { drawRequest, functionNames, type FuzzRequest } from './fuzz-requests.ts';

/** Which requests of a seed to send: `count` of them, with the numbers `from`, `from + step` and so on. */
export interface FuzzShare {
  readonly seed: number;
  readonly from: number;
  readonly count: number;
  readonly step: number;
}

/** The result, as plain data that one process can send to another. */
export interface FuzzResult {
  /** How many were answered. */
  readonly requests: number;
  readonly answers: readonly (readonly [name: string, status: number, count: number])[];
  /** Texts: a request with its answer, or the numbers of the requests of which one has written something. */
  readonly faults: readonly string[];
}

/** After this number of requests all tables are compared with their state before. */
const REQUESTS_PER_BATCH = 500;
const CONCURRENT_REQUESTS = 8;
/** At this number of faults the run ends: a shop that has stopped would fill the report with the same fault. */
const MAX_FAULTS = 20;

/** Opens a shop, sends it the requests and reports every fault. */
export async function fuzz({ seed, from, count, step }: FuzzShare): Promise<FuzzResult> {
  const shop = await openShopOverHttp();
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENT_REQUESTS });
  const answers = new Map<string, Map<number, number>>();
  const faults: string[] = [];
  try {
    const facts = await prepareShop(shop);
    // What is due runs now, so that the fuzzed requests write nothing.
    for (const name of ['messages', 'upkeep']) await shop.call(name, { method: 'POST' });
    const names = functionNames();
    const draw = (number: number): FuzzRequest => {
      const chance = new Chance(seed, number);
      return drawRequest(chance.pick(names), chance, facts);
    };
    const sendNumber = async (number: number): Promise<void> => {
      const request = draw(number);
      const answer = await send(shop.url, request, agent);
      const statuses = answers.get(request.name) ?? new Map<number, number>();
      answers.set(request.name, statuses);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (!isSound(answer)) faults.push(`${number}: ${textOf(request)}\n  ${textOf(answer)}`);
    };
    const stateDigest = async () =>
      JSON.stringify([await shop.databaseDigest(), shop.stripe.checkouts, shop.paypal.checkouts]);

    const numbers = Array.from({ length: count }, (_, i) => from + i * step);
    let before = await stateDigest();
    for (let i = 0; i < count && faults.length < MAX_FAULTS; i += REQUESTS_PER_BATCH) {
      const batch = numbers.slice(i, i + REQUESTS_PER_BATCH);
      await inParallel(CONCURRENT_REQUESTS, batch, sendNumber);
      const after = await stateDigest();
      if (after !== before) faults.push(`${batch[0]} to ${batch.at(-1)}: something was written`);
      before = after;
    }
  } finally {
    agent.destroy();
    await shop.close();
  }
  const answerCounts = [...answers].flatMap(([name, statuses]) =>
    [...statuses].map(([status, times]) => [name, status, times] as const),
  );
  const requests = answerCounts.reduce((sum, [, , times]) => sum + times, 0);
  return { requests, answers: answerCounts, faults };
}

/** Adds up the results of several processes. */
export function sumOf(parts: readonly FuzzResult[]): FuzzResult {
  const counts = new Map<string, [string, number, number]>();
  for (const [name, status, count] of parts.flatMap(({ answers }) => answers)) {
    const sum = counts.get(`${name} ${status}`)?.[2] ?? 0;
    counts.set(`${name} ${status}`, [name, status, sum + count]);
  }
  return {
    requests: parts.reduce((sum, { requests }) => sum + requests, 0),
    answers: [...counts.values()].sort(([a, x], [b, y]) => a.localeCompare(b) || x - y),
    faults: parts.flatMap(({ faults }) => faults),
  };
}

/** The result for the console. */
export function fuzzLines({ requests, answers, faults }: FuzzResult): string[] {
  const names = [...new Set(answers.map(([name]) => name))];
  const countsOf = (name: string) =>
    answers
      .filter(([other]) => other === name)
      .map(([, status, count]) => `${count} × ${status}`)
      .join(', ');
  const failures = answers.filter(([, status]) => status >= 500);
  const failed = failures.reduce((sum, [, , count]) => sum + count, 0);
  const counts = `${requests} requests, ${failed} answers of 5xx, ${faults.length} faults`;
  return [...names.map((name) => `${name.padEnd(24)} ${countsOf(name)}`), ...faults, counts];
}

/** A shop with orders that are paid, and an import that waits for its second part. */
async function prepareShop(shop: ShopOverHttp): Promise<ShopFacts> {
  await shop.restock();
  const { ada, eve, stripe, paypal, products } = shop;
  const orders = [randomUUID(), randomUUID()];
  const evesOrders = [randomUUID(), randomUUID()];
  const adasPayments = await buy(ada, orders);
  const evesPayments = await buy(eve, evesOrders);
  const importId = randomUUID();
  const part = { csv: 'SKC,Retail Price\nPART-1,5\n', importId, part: 0, totalParts: 2 };
  const { status } = await shop.post('upload-csv', part);
  await stripe.webhooks.idle();
  await paypal.webhooks.idle();
  const states = (await shop.orders()).map(({ state }) => state);
  if (states.some((state) => state !== 'paid') || status !== 200) {
    throw new Error(
      `the shop is not as the requests need it: orders ${states.join(', ')}, import ${status}`,
    );
  }
  const bodyOf = (events: readonly { readonly body: string }[]) => events.at(-1)?.body ?? '';
  return {
    ada,
    eve,
    product: products['COAT'] ?? 0,
    unitMinor: COAT_CENTS,
    orders,
    session: adasPayments.session,
    payPalOrder: adasPayments.payPalOrder,
    evesOrder: evesOrders[0] ?? '',
    evesPayPalOrder: evesPayments.payPalOrder,
    importId,
    events: { stripe: bodyOf(stripe.webhooks.events), paypal: bodyOf(paypal.webhooks.events) },
    stripeSecret: stripe.webhookSecret,
    badTokens: badTokens(shop),
  };

  /** Pays one order by card and one with PayPal. */
  async function buy(who: typeof ada, [cardOrder, payPalOrder]: readonly string[]) {
    const page = await shop.createCheckoutSession({ orderId: cardOrder }, who);
    const session = String(page.body['sessionId']);
    stripe.pay(session);
    // The shopper has just paid for the same lines, so the shop would ask; `again` is the answer.
    const { body } = await shop.createPayPalOrder({ orderId: payPalOrder, again: true }, who);
    const orderId = String(body['orderId']);
    paypal.approve(orderId);
    await shop.post('capture-paypal-order', { orderId }, who.token);
    return { session, payPalOrder: orderId };
  }
}

/** Values of the header `authorization` that no function accepts. */
function badTokens(shop: ShopOverHttp): readonly string[] {
  const { ada, eve } = shop;
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const claims = { sub: ada.id, role: 'authenticated', aud: 'authenticated', exp: 4_000_000_000 };
  const unsigned = `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.`;
  const [head, , signature] = eve.token.split('.');
  return [
    '',
    'Bearer',
    'Bearer a.b.c',
    `Basic ${ada.token}`,
    `Bearer ${ada.token}A`,
    `Bearer ${ada.token} ${ada.token}`,
    `Bearer ${unsigned}`,
    `Bearer ${head}.${encode(claims)}.${signature}`,
    `Bearer ${tokenFor(shop, ada.id, -60)}`,
    `Bearer ${tokenFor(shop, randomUUID(), 600)}`,
    `Bearer ${shop.backend.publishableKey}`,
    `Bearer ${shop.backend.secretKey}`,
    `Bearer ${'x'.repeat(4000)}.${'y'.repeat(4000)}.`,
  ];
}

/** The status of a request whose connection was cut: a failure of the shop, like each status from 500 on. */
const CONNECTION_CUT = 599;

interface Answer {
  readonly status: number;
  readonly text: string;
}

function send(url: string, request: FuzzRequest, agent: Agent) {
  return new Promise<Answer>((resolve, reject) => {
    const { name, path = `/.netlify/functions/${name}`, method, query, headers, body } = request;
    const length = body === null ? {} : { 'content-length': String(body.length) };
    const target = `${url}${path}${query}`;
    const sent = httpRequest(target, { method, headers: { ...headers, ...length }, agent });
    sent.on('response', (answer) => {
      const { statusCode = 0 } = answer;
      text(answer).then((text) => resolve({ status: statusCode, text }), reject);
    });
    sent.on('error', (thrown) => resolve({ status: CONNECTION_CUT, text: String(thrown) }));
    sent.end(body ?? undefined);
  });
}

/**
 * Whether an answer is not a failure of the shop. A rejection in JSON must have a sentence, too: at least two
 * words, with a full stop at the end.
 */
function isSound({ status, text }: Answer): boolean {
  if (status >= 500) return false;
  if (status < 400 || !text.startsWith('{')) return true;
  const { error } = JSON.parse(text) as { error?: unknown };
  return /^\S+ .*\.$/s.test(String(error));
}

/** A request or an answer as JSON of 1,000 characters at most, with its bytes as text. */
function textOf(message: object): string {
  const text = JSON.stringify(message, (_, value: unknown) =>
    isBytes(value) ? Buffer.from(value.data).toString('latin1') : value,
  );
  return text.length > 1000 ? `${text.slice(0, 1000)}…` : text;
}

/** Whether a value is the JSON of a Buffer. */
function isBytes(value: unknown): value is { readonly data: readonly number[] } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer';
}
