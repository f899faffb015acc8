import { expect, test } from 'vitest';
import { moneyBackWords, NO_MONEY_BACK, parseMoneyBack } from '../../src/domain/money-back.ts';
import { parseOrder, wasNeverPaid } from '../../src/domain/order.ts';

const PAID = { ...NO_MONEY_BACK, receivedMinor: 5400 };

test.each([
  ['nothing, where nothing went back', PAID, []],
  [
    'how much of how much was refunded',
    { ...PAID, refundedMinor: 1200 },
    ['Refunded $12.00 of $54.00'],
  ],
  [
    'that a dispute is open, beside a refund',
    { ...PAID, refundedMinor: 5400, dispute: 'open' as const, disputedMinor: 5400 },
    ['Refunded $54.00 of $54.00', 'Disputed: $54.00 is being looked into'],
  ],
  [
    'that the shop keeps the money',
    { ...PAID, dispute: 'won' as const, disputedMinor: 5400 },
    ['Disputed: decided for the shop, so the payment stands'],
  ],
  [
    'that the shopper gets it',
    { ...PAID, dispute: 'lost' as const, disputedMinor: 1200 },
    ['Disputed: decided for you, $12.00 goes back to you'],
  ],
])('an order says %s', (_, back, words) => {
  expect(moneyBackWords(back)).toEqual(words);
});

test('what a later shop says of money that this build does not know is left out', () => {
  expect(
    parseMoneyBack({ received_minor: 5400, refunded_minor: -1, dispute_state: 'appealed' }),
  ).toEqual(PAID);
  expect(parseMoneyBack({})).toEqual(NO_MONEY_BACK);
});

test('an order is unpaid only where no money came and none will', () => {
  const order = (state: string, received: number) => {
    const parsed = parseOrder({
      id: '7f1f2f7e-0b3e-4f6e-9d0a-3c8f2b1a4d5e',
      state,
      total_minor: 5400,
      mode: 'sandbox',
      address: { country: 'US' },
      created_at: '2026-11-21T12:00:00Z',
      paid_at: null,
      order_items: [],
      received_minor: received,
    });
    if (!parsed) throw new Error('not an order');
    return wasNeverPaid(parsed);
  };
  expect(['cancelled', 'expired', 'failed'].map((state) => order(state, 0))).toEqual([
    true,
    true,
    true,
  ]);
  expect(order('pending', 0)).toBe(false);
  expect(order('cancelled', 5400)).toBe(false);
});
