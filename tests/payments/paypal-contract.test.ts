/**
 * What the shop relies on in PayPal, tested against the emulator and, when PAYPAL_CLIENT_ID and
 * PAYPAL_CLIENT_SECRET are set, against a real sandbox account. Tests in which a buyer acts run against
 * the emulator only.
 */
import { afterAll, describe, expect, test } from 'vitest';
import type { PlacedOrder } from '../../netlify/lib/orders.ts';
import { orderBody } from '../../netlify/lib/paypal-objects.ts';
import { HOME } from '../supabase/buyer.ts';
import { type Answer, basic, payPalsUnderTest, send, token } from './paypal-client.ts';
import { hasSchema, validateOrderRequest } from './paypal-schema.ts';

const subjects = await payPalsUnderTest();
const signedIn = await Promise.all(
  subjects.map(async (subject) => {
    const bearer = { authorization: `Bearer ${await token(subject)}` };
    return { name: subject.name, subject, bearer };
  }),
);
afterAll(() => Promise.all(subjects.map((subject) => subject.close())));

const FULL_ANSWER = { prefer: 'return=representation' };
const newRequestId = () => ({ 'paypal-request-id': crypto.randomUUID() });

/** PayPal's code for why it rejected a request, such as `ORDER_NOT_APPROVED`. */
const issueOf = ({ body }: Answer) =>
  (body['details'] as readonly { issue: string }[] | undefined)?.[0]?.issue;

/** What the shop asks of PayPal for two coats at $27.00, each time in a new order. */
function sampleOrder() {
  const placed: PlacedOrder = {
    id: crypto.randomUUID(),
    email: 'ada@weft.test',
    state: 'pending',
    total_minor: 5400,
    currency: 'USD',
    mode: 'sandbox',
    address: HOME,
    items: [
      { product_id: 1, skc: 'COAT', title: 'Coat', size: 'M', unit_minor: 2700, quantity: 2 },
    ],
  };
  return orderBody(placed, 'https://shop.example');
}
const TOTAL = { currency_code: 'USD', value: '54.00' };

test.skipIf(!hasSchema())(
  'PayPal’s published schema accepts the shop’s order, and no misspelled field',
  () => {
    expect(validateOrderRequest(sampleOrder())).toEqual([]);
    const misspelled = { ...sampleOrder(), intention: 'CAPTURE' };
    expect(validateOrderRequest(misspelled).join()).toContain('intention');
  },
);

describe.each(signedIn)('$name', ({ subject, bearer }) => {
  const create = (
    body: string | object = sampleOrder(),
    headers: Record<string, string> = newRequestId(),
  ) => send(subject, 'POST /v2/checkout/orders', body, { ...bearer, ...headers });
  const show = (id: string) => send(subject, `GET /v2/checkout/orders/${id}`, undefined, bearer);
  const capture = (id: string, headers: Record<string, string> = newRequestId()) =>
    send(subject, `POST /v2/checkout/orders/${id}/capture`, '{}', { ...bearer, ...headers });
  const newOrder = async () => String((await create()).body['id']);

  test('returns a token for the right secret only', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = 'grant_type=client_credentials';
    const ask = (authorization: string) =>
      send(subject, 'POST /v1/oauth2/token', body, { ...form, authorization });
    const good = await ask(basic(subject));
    expect(good).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
    expect(good.body['expires_in']).toBeGreaterThan(60);
    const wrong = await ask(basic({ ...subject, clientSecret: 'wrong' }));
    expect(wrong).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  test('makes an order that the buyer has yet to approve', async () => {
    const made = await create(sampleOrder(), { ...newRequestId(), ...FULL_ANSWER });
    expect(made).toMatchObject({
      status: 201,
      body: {
        status: 'PAYER_ACTION_REQUIRED',
        purchase_units: [
          {
            amount: TOTAL,
            shipping: { address: { postal_code: HOME.postal_code, country_code: HOME.country } },
          },
        ],
      },
    });
    const shown = await show(String(made.body['id']));
    expect(shown).toMatchObject({ status: 200, body: { id: made.body['id'] } });
  });

  test('answers the same request id with the same order, 200 instead of 201', async () => {
    const id = newRequestId();
    const first = await create(sampleOrder(), id);
    const again = await create(sampleOrder(), id);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body['id']).toBe(first.body['id']);
  });

  test('answers 404 for an order that was never made', async () => {
    for (const answer of [await show('5O190127TN364715T'), await capture('5O190127TN364715T')]) {
      expect(answer).toMatchObject({ status: 404, body: { name: 'RESOURCE_NOT_FOUND' } });
      expect(issueOf(answer)).toBe('INVALID_RESOURCE_ID');
    }
  });

  test('does not capture what the buyer has not approved', async () => {
    const answer = await capture(await newOrder());
    expect([answer.status, issueOf(answer)]).toEqual([422, 'ORDER_NOT_APPROVED']);
  });

  describe.skipIf(subject.emulator === undefined)('when the buyer', () => {
    const buyer = () => {
      if (subject.emulator === undefined) throw new Error('Only the emulator has a buyer.');
      return subject.emulator;
    };
    const captureIn = (answer: Answer) => {
      const [unit] = answer.body['purchase_units'] as readonly {
        payments: { captures: readonly Record<string, unknown>[] };
      }[];
      return unit?.payments.captures[0];
    };

    test('has approved, the order is captured once', async () => {
      const id = await newOrder();
      buyer().approve(id);
      expect((await show(id)).body).toMatchObject({ status: 'APPROVED' });
      const requestId = newRequestId();
      const first = await capture(id, requestId);
      expect(first).toMatchObject({ status: 201, body: { id, status: 'COMPLETED' } });
      expect(captureIn(first)).toMatchObject({ status: 'COMPLETED', amount: TOTAL });
      const again = await capture(id, requestId);
      expect([again.status, captureIn(again)]).toEqual([200, captureIn(first)]);
      const other = await capture(id);
      expect([other.status, issueOf(other)]).toEqual([422, 'ORDER_ALREADY_CAPTURED']);
      expect(captureIn(await show(id))).toEqual(captureIn(first));
    });

    test.each([
      ['is completed', 'succeeded', 'COMPLETED'],
      ['is denied', 'failed', 'DECLINED'],
    ] as const)(
      'pays in a way that is pending, the order counts as completed before the capture %s',
      async (_words, outcome, status) => {
        const id = await newOrder();
        buyer().approve(id, 'pending');
        const answer = await capture(id);
        expect(answer).toMatchObject({ status: 201, body: { status: 'COMPLETED' } });
        expect(captureIn(answer)).toMatchObject({ status: 'PENDING' });
        expect(buyer().settle(id, outcome)).toBe(true);
        expect(buyer().settle(id, outcome), 'only once').toBe(false);
        expect(captureIn(await show(id))).toMatchObject({ status });
      },
    );

    test('pays an invoice that was paid before, the second capture is rejected', async () => {
      const body = sampleOrder();
      const ids = [await create(body), await create(body)].map((made) => String(made.body['id']));
      for (const id of ids) buyer().approve(id);
      const [first, second] = [await capture(ids[0] ?? ''), await capture(ids[1] ?? '')];
      expect([first.status, second.status, issueOf(second)]).toEqual([
        201,
        422,
        'DUPLICATE_INVOICE_ID',
      ]);
    });
  });
});
