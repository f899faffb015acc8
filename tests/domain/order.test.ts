/** Orders as the database stores them, read into the shop's own types. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMoneyBack } from '../../src/domain/money-back.ts';
import {
  isOrderId,
  ORDER_STATES,
  MAX_ORDER_LINES,
  parseAskedLines,
  parseOrder,
  orderStateWords,
} from '../../src/domain/order.ts';
import { orderNumber } from '../../src/domain/order-number.ts';
import { parseSent } from '../../src/domain/sent.ts';

const TEE = {
  product_id: 2,
  skc: 'B',
  size: '',
  title: 'Tee',
  material: null as string | null,
  unit_minor: 5,
  quantity: 1,
  line: 2,
};
const COAT = {
  ...TEE,
  product_id: 1,
  skc: 'A',
  size: 'M',
  title: 'Coat',
  material: 'Grey wool',
  unit_minor: 1990,
  line: 1,
};
const TOTAL = COAT.unit_minor + TEE.unit_minor;
const row = {
  id: '7f1f2f7e-0b3e-4f6e-9d0a-3c8f2b1a4d5e',
  state: 'paid',
  total_minor: TOTAL,
  mode: 'sandbox',
  address: {
    full_name: 'A',
    address_line1: 'B',
    city: 'C',
    state: 'D',
    postal_code: 'E',
    country: 'GB',
  },
  created_at: '2026-11-21T12:00:00.123456+00:00',
  paid_at: null,
  order_items: [
    { ...TEE, picture: 'javascript:1' },
    { ...COAT, picture: '/a.jpg' },
  ],
};

/** A stored line as `parseOrder` returns it. */
function lineOf(stored: typeof TEE, picture: string | null) {
  const { product_id: productId, unit_minor: unitMinor, line: _, ...sameFields } = stored;
  return { ...sameFields, productId, unitMinor, picture };
}

test('an order is read with its lines in order, and pictures that may be loaded', () => {
  expect(parseOrder(row)).toEqual({
    id: row.id,
    state: 'paid',
    totalMinor: TOTAL,
    mode: 'sandbox',
    address: row.address,
    createdAt: '2026-11-21T12:00:00.123Z',
    paidAt: null,
    ...parseMoneyBack({}),
    ...parseSent({}),
    lines: [lineOf(COAT, '/a.jpg'), lineOf(TEE, null)],
  });
});

test('a malformed order is not read', () => {
  const wrong = [
    null,
    {},
    { ...row, id: 'x' },
    { ...row, state: 'lost' },
    { ...row, total_minor: String(TOTAL) },
    { ...row, mode: 'test' },
    { ...row, created_at: 'yesterday' },
    { ...row, address: { ...row.address, country: null } },
    { ...row, order_items: null },
    { ...row, order_items: [{ ...row.order_items[0], unit_minor: 0.5 }] },
  ];
  expect(wrong.map(parseOrder)).toEqual(wrong.map(() => null));
});

test('an order to a country that the shop no longer delivers to is read as it was placed', () => {
  const address = { ...row.address, country: 'FR' };
  expect(parseOrder({ ...row, address })?.address).toEqual(address);
});

test('of a requested line only product, quantity and a price that is a number are read', () => {
  const line = { id: 3, product_id: 7, quantity: 2, unit_minor: 5, products: {} };
  expect(parseAskedLines([line])).toEqual([{ product_id: 7, quantity: 2, unit_minor: 5 }]);
  expect(parseAskedLines([{ ...line, unit_minor: '5' }])).toEqual([{ product_id: 7, quantity: 2 }]);
});

test('a request whose lines the shop’s page never sends is not read', () => {
  const line = { product_id: 7, quantity: 2 };
  const wrongProducts = ['COAT', -1, 0, 1.5, 1e300, null].map((product_id) => [
    { ...line, product_id },
  ]);
  const many = Array.from({ length: MAX_ORDER_LINES + 1 }, () => line);
  for (const lines of [...wrongProducts, 'coat', [], [null], many]) {
    expect(parseAskedLines(lines), JSON.stringify(lines)).toBeNull();
  }
});

test('an order number has neither digits nor letters that are mistaken for one another', () => {
  // The id begins with 7f1f2f7e. Each digit is replaced by the character at its place in 23456789HKMPRWXY.
  expect(orderNumber(row.id)).toBe('9Y3Y-4Y9X');
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      expect(orderNumber(id)).toMatch(/^[2-9HKMPRWXY]{4}-[2-9HKMPRWXY]{4}$/);
    }),
  );
});

test('every state has words for the shopper, the same only for the two that the shop looks into', () => {
  expect(new Set(ORDER_STATES.map(orderStateWords)).size).toBe(ORDER_STATES.length - 1);
  expect(orderStateWords('needs_review')).toBe(orderStateWords('paid_late'));
});

test('an order’s id is a UUID as the database writes it', () => {
  expect(isOrderId(row.id)).toBe(true);
  expect([row.id.toUpperCase(), ` ${row.id}`, 7, null].filter(isOrderId)).toEqual([]);
});
