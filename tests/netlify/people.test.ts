import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCheckout } from '../../netlify/lib/card-checkout.ts';
import { NotConfigured, retentionDays } from '../../netlify/lib/env.ts';
import { deleteAccount } from '../../netlify/lib/people.ts';
import { reconcile } from '../../netlify/lib/reconcile.ts';
import { captureWalletOrder, createWalletOrder } from '../../netlify/lib/wallet-checkout.ts';
import type { Backend } from '../../supabase/local/backend.ts';
import { refusal } from '../supabase/desk.ts';
import { openTestBackend } from '../supabase/shop.ts';
import { sell } from '../supabase/shoppers.ts';
import { Counter } from './counter.ts';

let backend: Backend;
let counter: Counter;
let coat: number;
/** Accounts that the database left to the auth service. */
let removed: string[];

beforeAll(async () => {
  backend = await openTestBackend();
  ({ COAT: coat = 0 } = await sell({ backend }, { COAT: 129.5 }));
});
afterAll(() => backend.close());
beforeEach(async () => {
  // The emulators begin anew with each counter, and give the same ids again.
  await backend.query('truncate public.orders cascade');
  const id = randomUUID();
  const email = `${id}@weft.test`;
  await backend.query('insert into auth.users (id, email) values ($1, $2)', [id, email]);
  counter = new Counter(backend, id);
  removed = [];
});

const wants = () => counter.wants({ [coat]: 1 });
const leave = () =>
  deleteAccount(
    { ...counter.ports, removeAccount: async (id) => void removed.push(id) },
    counter.desk.user,
  );
async function isThere(): Promise<boolean> {
  const rows = await backend.query('select from auth.users where id = $1', [counter.desk.user]);
  return rows.length > 0;
}
async function orderIs(id: string) {
  const [row] = await backend.query(
    'select state, email, address is null as erased from public.orders where id = $1',
    [id],
  );
  return row;
}

describe('deleting an account', () => {
  test('ends an open payment page first, so that no money comes for somebody who is gone', async () => {
    const { sessionId, orderId } = await createCheckout(counter.ports, wants());
    await leave();
    expect(counter.stripe.sessions.find(({ id }) => id === sessionId)?.status).toBe('expired');
    expect(await isThere()).toBe(false);
    expect(await orderIs(orderId)).toEqual({ state: 'cancelled', email: '', erased: true });
  });

  test('keeps an order that was paid just before, though the shop has not heard of it yet', async () => {
    counter.dropsWebhooks = true;
    const { sessionId, orderId } = await createCheckout(counter.ports, wants());
    counter.stripe.pay(sessionId);
    await leave();
    expect(await orderIs(orderId)).toMatchObject({ state: 'paid', erased: false });
    expect(await isThere()).toBe(false);
  });

  test('waits while a payment that takes days is being confirmed, and says so', async () => {
    const { sessionId, orderId } = await createCheckout(counter.ports, wants());
    counter.stripe.payLater(sessionId);
    await counter.idle();
    const { sentence } = await refusal(leave(), 'payment-under-way');
    expect(sentence).toMatch(/still being confirmed/);
    expect(await isThere()).toBe(true);
    expect(await orderIs(orderId)).toMatchObject({ erased: false });
  });

  test('waits while PayPal has not said whether it took the money', async () => {
    const { orderId: reference } = await createWalletOrder(counter.ports, wants());
    counter.paypal.approve(reference);
    await counter.desk.orders.mayCapture(counter.desk.user, reference);
    await refusal(leave(), 'payment-under-way');
    expect(await isThere()).toBe(true);
    await captureWalletOrder(counter.ports, counter.desk.user, reference);
    await leave();
    expect(await isThere()).toBe(false);
  });

  test('may be asked for again after its answer was lost', async () => {
    await leave();
    await leave();
    expect([await isThere(), removed]).toEqual([false, []]);
  });

  test('leaves the account to the auth service where the database may not delete it', async () => {
    const { orderId } = await createCheckout(counter.ports, wants());
    const ports = {
      ...counter.ports,
      removeAccount: async (id: string) => void removed.push(id),
      call: async (name: string, args: Readonly<Record<string, unknown>>) => {
        const answer = await counter.ports.call(name, args);
        return name === 'erase_account' ? { ...(answer as object), is_removed: false } : answer;
      },
    };
    await deleteAccount(ports, counter.desk.user);
    expect(removed).toEqual([counter.desk.user]);
    expect(await orderIs(orderId)).toMatchObject({ erased: true });
  });
});

describe('how long the shop knows who paid an order', () => {
  test.each([
    ['for good when nothing is set', '', null],
    ['for so many days', ' 3650 ', 3650],
  ])('%s', (_, text, days) => {
    expect(retentionDays(() => text)).toBe(days);
  });

  test.each(['0', '-1', '1.5', '10 years', '1e3', '999999', 'never'])(
    'is not guessed from %s',
    (text) => {
      expect(() => retentionDays(() => text)).toThrow(NotConfigured);
    },
  );

  async function leaveWithBoth() {
    const paid = await createCheckout(counter.ports, wants());
    counter.stripe.pay(paid.sessionId);
    await counter.idle();
    const unpaid = await counter.desk.place({ [coat]: 2 });
    await counter.desk.call('cancel_order', {
      p_order: unpaid.id,
      p_now: counter.desk.now.toISOString(),
    });
    await backend.query('delete from auth.users where id = $1', [counter.desk.user]);
    counter.desk.wait(40 * 24 * 60);
    counter.desk.now.setUTCHours(3, 1);
    return [paid.orderId, unpaid.id] as const;
  }

  test('it is erased at night, once that time is over', async () => {
    const [paid, unpaid] = await leaveWithBoth();
    counter.retentionDays = 60;
    await reconcile(counter.ports);
    expect(await orderIs(paid)).toMatchObject({ erased: false });
    expect(await orderIs(unpaid)).toMatchObject({ erased: true });
    counter.retentionDays = 30;
    await reconcile(counter.ports);
    expect(await orderIs(paid)).toEqual({ state: 'paid', email: '', erased: true });
  });

  test('nothing that was paid is erased while the setting is nonsense, and the log says so', async () => {
    const [paid, unpaid] = await leaveWithBoth();
    const ports = { ...counter.ports, retentionDays: () => retentionDays(() => 'ten years') };
    expect((await reconcile(ports)).neglected).toBeGreaterThan(0);
    expect(await orderIs(paid)).toMatchObject({ erased: false });
    expect(await orderIs(unpaid)).toMatchObject({ erased: true });
    expect(counter.log.join('\n')).toContain('RETENTION_DAYS must be');
  });
});
