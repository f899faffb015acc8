/** Refunds and disputes as an order shows them to its shopper. Amounts are in cents. */
import { expect, test } from 'vitest';
import { type MoneyBack, moneyBackWords, parseMoneyBack } from '../../src/domain/money-back.ts';
import { type Order, type OrderState, wasNeverPaid } from '../../src/domain/order.ts';

const NO_MONEY_BACK: MoneyBack = {
  receivedMinor: 0,
  refundedMinor: 0,
  disputedMinor: 0,
  dispute: null,
};

const TOTAL = 5400;
const PAID = { ...NO_MONEY_BACK, receivedMinor: TOTAL };

test.each([
  ['nothing, where nothing went back', PAID, []],
  [
    'how much of how much was refunded',
    { ...PAID, refundedMinor: 1200 },
    ['Refunded $12.00 of $54.00'],
  ],
  [
    'that a dispute is open, beside a refund',
    { ...PAID, refundedMinor: TOTAL, dispute: 'open' as const, disputedMinor: TOTAL },
    ['Refunded $54.00 of $54.00', 'Disputed: $54.00 under review'],
  ],
  [
    'that the shop keeps the money',
    { ...PAID, dispute: 'won' as const, disputedMinor: TOTAL },
    ['Dispute closed: the payment stands'],
  ],
  [
    'that the shopper gets the money',
    { ...PAID, dispute: 'lost' as const, disputedMinor: 1200 },
    ['Dispute closed: $12.00 returned to you'],
  ],
])('an order says %s', (_, back, words) => {
  expect(moneyBackWords(back)).toEqual(words);
});

test('values about money that are missing, or that this build cannot read, count as none', () => {
  expect(
    parseMoneyBack({ received_minor: TOTAL, refunded_minor: -1, dispute_state: 'appealed' }),
  ).toEqual(PAID);
  expect(parseMoneyBack({})).toEqual(NO_MONEY_BACK);
});

test('an order is unpaid only where no money came and none will', () => {
  const isUnpaid = (state: OrderState, receivedMinor: number) =>
    wasNeverPaid({ state, receivedMinor } as Order); // `wasNeverPaid` reads only these fields
  for (const state of ['cancelled', 'expired', 'failed'] as const)
    expect(isUnpaid(state, 0)).toBe(true);
  expect(isUnpaid('pending', 0)).toBe(false);
  expect(isUnpaid('cancelled', TOTAL)).toBe(false);
});

test('staff read of a lost dispute that the customer has the money, not they', () => {
  const back = {
    receivedMinor: 5000,
    refundedMinor: 0,
    disputedMinor: 1200,
    dispute: 'lost',
  } as const;
  const words = ['Dispute closed: $12.00 returned to the customer'];
  expect(moneyBackWords(back, 'the customer')).toEqual(words);
});
