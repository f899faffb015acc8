/** What only the emulator has: its webhooks and injected faults. */
import { describe, expect, test } from 'vitest';
import { LocalPayPal } from '../../netlify/local/paypal/paypal.ts';
import { sampleOrder, payPalInProcess, send, token } from './paypal-client.ts';
import { WebhookReceiver } from './webhook-receiver.ts';

const HOOK_URL = 'https://shop.example/.netlify/functions/paypal-webhook';

/** An emulator that sends its webhooks to a receiver, and the shop's requests to it, with the shop's access token. */
async function openPayPal() {
  const receiver = new WebhookReceiver();
  const paypal = new LocalPayPal({ webhook: { url: HOOK_URL, send: receiver.send } });
  const subject = payPalInProcess(paypal);
  const authorization = `Bearer ${await token(subject)}`;
  const call = (route: string, body?: string | object, id: string = crypto.randomUUID()) =>
    send(subject, route, body, { authorization, 'paypal-request-id': id });
  const newOrder = async () =>
    String((await call('POST /v2/checkout/orders', sampleOrder())).body['id']);
  const show = (id: string) => call(`GET /v2/checkout/orders/${id}`);
  const capture = (id: string, requestId?: string) =>
    call(`POST /v2/checkout/orders/${id}/capture`, '{}', requestId);
  return { receiver, paypal, call, newOrder, show, capture };
}

/** The shop's request to verify the first webhook. It contains the webhook's body byte for byte. */
function verificationOf({ paypal, receiver }: Awaited<ReturnType<typeof openPayPal>>): string {
  const [{ body, headers } = { body: '{}', headers: new Headers() }] = receiver.received;
  const fields = {
    auth_algo: headers.get('paypal-auth-algo'),
    cert_url: headers.get('paypal-cert-url'),
    transmission_id: headers.get('paypal-transmission-id'),
    transmission_sig: headers.get('paypal-transmission-sig'),
    transmission_time: headers.get('paypal-transmission-time'),
    webhook_id: paypal.webhookId,
  };
  return `${JSON.stringify(fields).slice(0, -1)},"webhook_event":${body}}`;
}

const VERIFY = 'POST /v1/notifications/verify-webhook-signature';

describe('webhooks', () => {
  test('report an approval, and the API verifies their signature', async () => {
    const scene = await openPayPal();
    const id = await scene.newOrder();
    scene.paypal.approve(id);
    await scene.paypal.webhooks.idle();
    const request = verificationOf(scene);
    expect(await scene.call(VERIFY, request)).toMatchObject({
      status: 200,
      body: { verification_status: 'SUCCESS' },
    });
    expect(scene.receiver.events).toMatchObject([
      {
        event_type: 'CHECKOUT.ORDER.APPROVED',
        resource_type: 'checkout-order',
        resource: { id, status: 'APPROVED' },
      },
    ]);
    expect(scene.receiver.received[0]?.headers.get('paypal-cert-url')).toMatch(
      /^https:\/\/api\.sandbox\.paypal\.com\//,
    );
  });

  test('report each step of a capture, and which order it is for', async () => {
    const scene = await openPayPal();
    for (const [instrument, outcome] of [
      ['good', undefined],
      ['pending', 'succeeded'],
      ['pending', 'failed'],
      ['refused', undefined],
    ] as const) {
      const id = await scene.newOrder();
      scene.paypal.approve(id, instrument);
      await scene.capture(id);
      if (outcome !== undefined) scene.paypal.settle(id, outcome);
    }
    await scene.paypal.webhooks.idle();
    const captures = scene.receiver.events.filter((event) => event['resource_type'] === 'capture');
    expect(
      captures.map(({ event_type: type, resource }) => [
        type,
        (resource as { status: string }).status,
      ]),
    ).toEqual([
      ['PAYMENT.CAPTURE.COMPLETED', 'COMPLETED'],
      ['PAYMENT.CAPTURE.PENDING', 'PENDING'],
      ['PAYMENT.CAPTURE.COMPLETED', 'COMPLETED'],
      ['PAYMENT.CAPTURE.PENDING', 'PENDING'],
      ['PAYMENT.CAPTURE.DENIED', 'DECLINED'],
      ['PAYMENT.CAPTURE.DECLINED', 'DECLINED'],
    ]);
    for (const { resource } of captures) {
      expect(resource).toHaveProperty('supplementary_data.related_ids.order_id');
    }
    // Two captures are completed: of the good instrument, and the pending one that succeeded.
    expect(scene.paypal.receipts).toHaveLength(2);
  });

  test.each<[string, (request: string, webhook: string) => string]>([
    ['signed otherwise', (sent) => sent.replace(/"transmission_sig":"\w/, '"transmission_sig":"x')],
    ['changed on the way', (sent) => sent.replace('54.00', '0.01')],
    [
      'not signed at all',
      (sent) => sent.replace(/"transmission_sig":"\w+"/, '"transmission_sig":null'),
    ],
    ['parsed and written again', (sent) => JSON.stringify(JSON.parse(sent))],
    [
      'followed by another event',
      (sent, webhook) =>
        `${sent.slice(0, -1)},"webhook_event":${webhook.replace('54.00', '0.01')}}`,
    ],
    [
      'sent to another shop',
      (sent) => sent.replace(/"webhook_id":"\w+"/, '"webhook_id":"0EH40505U7160970P"'),
    ],
  ])('that are %s do not pass the verification', async (_manipulation, forge) => {
    const scene = await openPayPal();
    scene.paypal.approve(await scene.newOrder());
    await scene.paypal.webhooks.idle();
    const genuine = verificationOf(scene);
    const forged = forge(genuine, scene.receiver.received[0]?.body ?? '');
    expect(forged).not.toBe(genuine);
    const { body } = await scene.call(VERIFY, forged);
    expect(body).toEqual({ verification_status: 'FAILURE' });
  });
});

describe('faults', () => {
  const CAPTURE = /\/capture$/;

  test.each([
    ['500 before it did anything', 'fail', 'before'],
    ['500 after it did everything', 'fail', 'after'],
    ['a connection cut before the request arrived', 'cut', 'before'],
    ['a connection cut before the answer arrived', 'cut', 'after'],
  ] as const)('after %s, a repeated request captures once', async (_case, kind, moment) => {
    const { paypal, newOrder, capture, show } = await openPayPal();
    const id = await newOrder();
    paypal.approve(id);
    const requestId = crypto.randomUUID();
    paypal.faults.next(CAPTURE, { kind, moment });
    const first = capture(id, requestId);
    if (kind === 'cut') await expect(first).rejects.toThrow('fetch failed');
    else {
      expect(await first).toMatchObject({ status: 500, body: { name: 'INTERNAL_SERVER_ERROR' } });
    }
    const statuses = { before: ['APPROVED', 201], after: ['COMPLETED', 200] } as const;
    const [orderStatus, httpStatus] = statuses[moment];
    expect((await show(id)).body['status']).toBe(orderStatus);
    expect((await capture(id, requestId)).status).toBe(httpStatus);
    expect(paypal.receipts).toMatchObject([{ sourceId: id, amountMinor: 5400, currency: 'USD' }]);
  });
});
