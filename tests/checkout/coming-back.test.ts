/** What a shopper reads after coming back from the payment page, perhaps without having paid. */
import { expect, test } from 'vitest';
import { messageOnReturn } from '../../src/checkout/pay/coming-back.ts';
import { OFFLINE, type Rejection, SIGN_IN_NEEDED } from '../../src/domain/failure.ts';
import { successHref } from '../../src/domain/routes.ts';
import type { OrderUpdate } from '../../src/remote/checkout.ts';

const ID = '00000000-0000-4000-8000-000000000000';
const rejected = (status: number, code: string | null): { ok: false; failure: Rejection } => ({
  ok: false,
  failure: { kind: 'rejected', status, code, message: 'Reason.' },
});

test.each([
  ['without a signal', OFFLINE],
  ['after the session has ended', SIGN_IN_NEEDED],
  ['while the server fails', rejected(500, null)],
] as const)(
  'a shopper who comes back %s is told that the outcome is not known',
  (_case, answer) => {
    expect(messageOnReturn(answer, ID)?.text).toContain('don’t know yet');
  },
);

test('a shopper who comes back from the payment page of another account is told nothing', () => {
  expect(messageOnReturn(rejected(404, 'order-unknown'), ID)).toBeNull();
});

test.each([
  ['has answered', true, 'Nothing was charged', '/orders'],
  ['has not answered', false, 'don’t know yet', successHref(ID)],
])('a shopper who comes back unpaid, and the provider %s', (_case, isCurrent, words, href) => {
  const value: OrderUpdate = { status: 'unpaid', orderId: ID, paidBy: null, isCurrent };
  const message = messageOnReturn({ ok: true, value }, ID);
  expect(message?.text).toContain(words);
  expect(message?.link?.href).toBe(href);
});
