/** Random requests to every function, with a printed seed. `RUNS=20000` sends more. Random files: csv/fuzz.test.ts. */
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { quickOrFull } from '../full-run.ts';
import { SEED } from '../random.ts';
import { addShopper, tokenFor } from '../supabase/shoppers.ts';
import { openShopOverHttp } from './shop-over-http.ts';
import { fetchUnnormalised } from './small-site.ts';

const RUNS = Number(process.env['RUNS'] ?? quickOrFull(200, 2000));
/** A minute for the start, and 50 ms for each request. */
const TIMEOUT_MS = 60_000 + RUNS * 50;
const SETTINGS = { numRuns: RUNS, seed: SEED };

const shop = await openShopOverHttp();
afterAll(() => shop.close());
await shop.restock();
const { ada, eve } = shop;
const { token: staffToken } = await addShopper(shop, 'pat', 'staff');
const { orderId, sessionId } = (await shop.createCheckoutSession()).body as Record<string, string>;
shop.stripe.pay(sessionId ?? '');
await shop.stripe.webhooks.idle();
const payPalOrder = await shop.approvedPayPalOrder({ again: true });
await shop.post('capture-paypal-order', { orderId: payPalOrder });
await shop.paypal.webhooks.idle();
// What is due runs now, so that later calls of these functions write nothing.
for (const name of ['messages', 'upkeep', 'reconcile']) await shop.call(name, { method: 'POST' });

const FUNCTIONS = join(import.meta.dirname, '../../netlify/functions');
const NAMES = readdirSync(FUNCTIONS).map((file) => file.replace(/\.ts$/, ''));

/** What pages send to the functions that take JSON. All use the same few ids, so that requests meet. */
const UPLOAD = {
  csv: 'SKC,Size,Retail Price\nFUZZ-1,M,5\n',
  importId: '00000000-0000-4000-8000-000000000001',
  part: 0,
  totalParts: 2,
  fileName: 'spring.csv',
  fileDigest: '0'.repeat(64),
  blankCellsClear: true,
  leftOut: { replaced: 1, rejected: 2, skipped: 3 },
  isRange: true,
  kept: [['FUZZ-2', null]],
  hidden: [['FUZZ-3', 'M']],
};
const BODIES: Readonly<Record<string, object>> = {
  'create-checkout-session': shop.cardRequest({ orderId, shownTotal: 1, again: false }),
  'create-paypal-order': shop.payPalRequest({ orderId, shownTotal: 1, again: false }),
  'capture-paypal-order': { orderId: payPalOrder },
  'delete-account': { password: 'not the password' },
  'upload-csv': UPLOAD,
  'undo-import': { importId: UPLOAD.importId },
  'end-import': { importId: UPLOAD.importId, confirmed: 0 },
};

const ORDER_CHANGE = {
  change: 'send',
  orders: [{ id: orderId, refunded_minor: 0 }],
  carrier: 'DHL',
  tracking_url: 'https://track.example/1',
  outcome: 'paid',
  note: 'a note',
};

const PRODUCT_CHANGE = {
  importId: 'c0ffee00-0000-4000-8000-000000000007',
  seen: [['COAT', '', null]],
  values: { 'Retail Price': '12.50', Material: 'Wool' },
  offSale: false,
  undo: null,
};

/** A text of any UTF-16 code units, also of halves of surrogate pairs and NUL, and texts that break programs. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.nat(0xffff), { maxLength: 40 }).map((codes) => String.fromCharCode(...codes)),
  fc.constantFrom('\0', '\ud800', '%00', '%ff', '__proto__', '../..', `'; drop table x; --`),
  fc.constantFrom('x'.repeat(20_000), '[', '1e999', 'null', eve.id, payPalOrder),
);
const anyValue = fc.oneof(
  anyText,
  fc.constantFrom<unknown>(null, true, [], {}, [[]], 0, -1, 0.5, 100, 2 ** 53, 1e300, '', [7]),
  fc.jsonValue({ maxDepth: 3 }),
);
/** Bodies in which one field, at any depth, has another value, is missing, or was added. */
function spoilt(body: object): fc.Arbitrary<unknown> {
  const fields = Object.entries(body);
  const change = (name: string, value: unknown) => ({ ...body, [name]: value });
  const inner = fields.filter(([, value]) => typeof value === 'object' && value !== null);
  const deeper = inner.map(([name, value]: [string, object]) =>
    spoilt(value).map((other) =>
      change(name, Array.isArray(value) ? Object.values(other as object) : other),
    ),
  );
  return fc.oneof(
    fc
      .tuple(
        fc.constantFrom(...fields.map(([name]) => name)),
        fc.option(anyValue, { nil: undefined }),
      )
      .map(([name, value]) => change(name, value)),
    fc.tuple(anyText, anyValue).map(([name, value]) => change(name, value)),
    ...deeper,
  );
}

const anyMethod = fc.constantFrom('POST', 'POST', 'GET', 'GET', 'PUT', 'DELETE', 'HEAD', 'OPTIONS');
const anyType = fc.constantFrom('application/json', 'text/plain', 'application/jsonp', ' ');
const anyHeader = anyText.map((text) => text.replaceAll(/[^\x20-\x7e\xa0-\xff]/g, '').slice(0, 60));
const bytes = fc.uint8Array({ maxLength: 80 }).map((list) => Buffer.from(list));
const anyQuery = fc
  .array(
    fc.tuple(
      fc.constantFrom('order', 'session_id', 'products', 'categories', 'size', 'file', 'x[]'),
      fc.oneof(anyText, fc.constantFrom('1', '-1', '0', '99999', `cs_${'x'.repeat(40)}`)),
    ),
    { maxLength: 2 },
  )
  .map((pairs) =>
    pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&'),
  );
const anyStaffQuery = fc
  .tuple(fc.constantFrom('list', 'search', 'order', 'after', 'csv'), anyText)
  .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
const anyBody = fc.oneof(
  bytes,
  fc.json().map((json) => Buffer.from(json)),
  fc
    .tuple(fc.constantFrom(...Object.values(BODIES)), fc.option(fc.nat(300)))
    .map(([body, cutAt]) => Buffer.from(JSON.stringify(body).slice(0, cutAt ?? undefined))),
  fc
    .constantFrom(...shop.stripe.webhooks.events, ...shop.paypal.webhooks.events)
    .map(({ body }) => Buffer.from(body)),
);

/** Values of the header `authorization` that no function accepts. */
const badTokens = [
  '',
  'Bearer a.b.c',
  `Basic ${ada.token}`,
  `Bearer ${ada.token}A`,
  `Bearer ${tokenFor(shop, ada.id, -60)}`,
  `Bearer ${tokenFor(shop, randomUUID(), 600)}`,
  `Bearer ${shop.backend.secretKey}`,
];

interface Request {
  readonly name: string;
  readonly method: string;
  readonly query: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer | null;
}

const statuses = new Set<number>();

/** Sends a request, and expects a result or a rejection with a sentence, but no failure of the shop. */
async function expectSound({ name, method, query, headers, body }: Request): Promise<void> {
  const path = `/.netlify/functions/${name}${query === '' ? '' : `?${query}`}`;
  const answer = await fetchUnnormalised(shop, path, { method, headers, ...(body && { body }) });
  const text = answer.body.toString();
  statuses.add(answer.status);
  expect(answer.status, text).toBeLessThan(500);
  if (answer.status >= 400 && text.startsWith('{')) {
    const { error } = JSON.parse(text) as { error?: unknown };
    expect(error).toMatch(/^\S+ .*\.$/s);
  }
}

test(
  'whatever a stranger sends, no function fails, and none writes anything',
  { timeout: TIMEOUT_MS },
  async () => {
    const strangers = fc.record({
      name: fc.constantFrom(...NAMES),
      method: anyMethod,
      query: anyQuery,
      headers: fc.record({
        authorization: fc.constantFrom(...badTokens),
        'content-type': anyType,
        'stripe-signature': anyHeader,
        'paypal-transmission-sig': anyHeader,
        'paypal-cert-url': anyHeader,
      }),
      body: fc.option(anyBody),
    });
    await shop.expectNothingDone(() =>
      fc.assert(fc.asyncProperty(strangers, expectSound), SETTINGS),
    );
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 405]));
  },
);

test(
  'whatever a signed-in client sends, it gets a result or a sentence, and the shop never fails',
  { timeout: TIMEOUT_MS },
  async () => {
    statuses.clear();
    const authorization = `Bearer ${ada.token}`;
    const json = { authorization, 'content-type': 'application/json' };
    const post = (name: string, bodies: fc.Arbitrary<unknown>) =>
      bodies.map((body): Request => {
        const text = JSON.stringify(body) ?? '';
        return { name, method: 'POST', query: '', headers: json, body: Buffer.from(text) };
      });
    const reads = fc
      .tuple(fc.constantFrom('imports', 'order-status', 'export-account', 'sitemap'), anyQuery)
      .map(([name, query]): Request => {
        return { name, method: 'GET', query, headers: { authorization }, body: null };
      });
    const byStaff = { authorization: `Bearer ${staffToken}`, 'content-type': 'application/json' };
    const staffReads = anyStaffQuery.map((query): Request => {
      return { name: 'staff-orders', method: 'GET', query, headers: byStaff, body: null };
    });
    const productReads = anyStaffQuery.map((query): Request => {
      const products = query.replace(/^order/, 'code');
      const name = 'staff-products';
      return { name, method: 'GET', query: products, headers: byStaff, body: null };
    });
    const changes = fc
      .oneof(
        post('change-orders', spoilt(ORDER_CHANGE)),
        post('change-products', spoilt(PRODUCT_CHANGE)),
      )
      .map((request) => {
        return { ...request, headers: byStaff };
      });
    const requests = fc.oneof(
      reads,
      staffReads,
      productReads,
      changes,
      ...Object.entries(BODIES).map(([name, body]) => post(name, spoilt(body))),
    );
    await fc.assert(fc.asyncProperty(requests, expectSound), SETTINGS);
    // The requests reach the checks of the functions, and some reach the database.
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 409]));
  },
);
