import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCheckout } from '../../netlify/lib/card-checkout.ts';
import { NotConfigured, retentionDays } from '../../netlify/lib/env.ts';
import { deleteAccount } from '../../netlify/lib/people.ts';
import { reconcile } from '../../netlify/lib/reconcile.ts';
import { captureWalletOrder, createWalletOrder } from '../../netlify/lib/wallet-checkout.ts';
import type { Backend } from '../../supabase/local/backend.ts';
import { expectRejected } from '../supabase/buyer.ts';
import { openTestBackend } from '../supabase/shop.ts';
import { sell } from '../supabase/shoppers.ts';
import { InProcessShop } from './in-process-shop.ts';

let backend: Backend;
let inProcess: InProcessShop;
let coat: number;
/** Accounts that the database left to the auth service. */
let removed: string[];

beforeAll(async () => {
  backend = await openTestBackend();
  ({ COAT: coat = 0 } = await sell({ backend }, { COAT: 129.5 }));
});
afterAll(() => backend.close());
beforeEach(async () => {
  // The emulators begin anew with each inProcess, and give the same ids again.
  await backend.query('truncate public.orders cascade');
  const id = randomUUID();
  const email = `${id}@weft.test`;
  await backend.query('insert into auth.users (id, email) values ($1, $2)', [id, email]);
  inProcess = new InProcessShop(backend, id);
  removed = [];
});

const wants = () => inProcess.requestFor({ [coat]: 1 });
const leave = () =>
  deleteAccount(
    { ...inProcess.ports, removeAccount: async (id) => void removed.push(id) },
    inProcess.buyer.id,
  );
async function isThere(): Promise<boolean> {
  const rows = await backend.query('select from auth.users where id = $1', [inProcess.buyer.id]);
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
    const { sessionId, orderId } = await createCheckout(inProcess.ports, wants());
    await leave();
    expect(inProcess.stripe.sessions.find(({ id }) => id === sessionId)?.status).toBe('expired');
    expect(await isThere()).toBe(false);
    expect(await orderIs(orderId)).toEqual({ state: 'cancelled', email: '', erased: true });
  });

  test('keeps an order that was paid just before, though the shop has not heard of it yet', async () => {
    inProcess.dropsWebhooks = true;
    const { sessionId, orderId } = await createCheckout(inProcess.ports, wants());
    inProcess.stripe.pay(sessionId);
    await leave();
    expect(await orderIs(orderId)).toMatchObject({ state: 'paid', erased: false });
    expect(await isThere()).toBe(false);
  });

  test('waits while a payment that takes days is being confirmed, and says so', async () => {
    const { sessionId, orderId } = await createCheckout(inProcess.ports, wants());
    inProcess.stripe.payLater(sessionId);
    await inProcess.idle();
    const { sentence } = await expectRejected(leave(), 'payment-under-way');
    expect(sentence).toMatch(/still being confirmed/);
    expect(await isThere()).toBe(true);
    expect(await orderIs(orderId)).toMatchObject({ erased: false });
  });

  test('waits while PayPal has not said whether it took the money', async () => {
    const { orderId: reference } = await createWalletOrder(inProcess.ports, wants());
    inProcess.paypal.approve(reference);
    await inProcess.buyer.orders.mayCapture(inProcess.buyer.id, reference);
    await expectRejected(leave(), 'payment-under-way');
    expect(await isThere()).toBe(true);
    await captureWalletOrder(inProcess.ports, inProcess.buyer.id, reference);
    await leave();
    expect(await isThere()).toBe(false);
  });

  test('may be asked for again after its answer was lost', async () => {
    await leave();
    await leave();
    expect([await isThere(), removed]).toEqual([false, []]);
  });

  test('leaves the account to the auth service where the database may not delete it', async () => {
    const { orderId } = await createCheckout(inProcess.ports, wants());
    const ports = {
      ...inProcess.ports,
      removeAccount: async (id: string) => void removed.push(id),
      call: async (name: string, args: Readonly<Record<string, unknown>>) => {
        const answer = await inProcess.ports.call(name, args);
        return name === 'erase_account' ? { ...(answer as object), is_removed: false } : answer;
      },
    };
    await deleteAccount(ports, inProcess.buyer.id);
    expect(removed).toEqual([inProcess.buyer.id]);
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
    const paid = await createCheckout(inProcess.ports, wants());
    inProcess.stripe.pay(paid.sessionId);
    await inProcess.idle();
    const unpaid = await inProcess.buyer.place({ [coat]: 2 });
    await inProcess.buyer.call('cancel_order', {
      p_order: unpaid.id,
      p_now: inProcess.buyer.now.toISOString(),
    });
    await backend.query('delete from auth.users where id = $1', [inProcess.buyer.id]);
    inProcess.buyer.waitMinutes(40 * 24 * 60);
    inProcess.buyer.now.setUTCHours(3, 1);
    return [paid.orderId, unpaid.id] as const;
  }

  test('it is erased at night, once that time is over', async () => {
    const [paid, unpaid] = await leaveWithBoth();
    inProcess.retentionDays = 60;
    await reconcile(inProcess.ports);
    expect(await orderIs(paid)).toMatchObject({ erased: false });
    expect(await orderIs(unpaid)).toMatchObject({ erased: true });
    inProcess.retentionDays = 30;
    await reconcile(inProcess.ports);
    expect(await orderIs(paid)).toEqual({ state: 'paid', email: '', erased: true });
  });

  test('nothing that was paid is erased while the setting is nonsense, and the log says so', async () => {
    const [paid, unpaid] = await leaveWithBoth();
    const ports = { ...inProcess.ports, retentionDays: () => retentionDays(() => 'ten years') };
    expect((await reconcile(ports)).neglected).toBeGreaterThan(0);
    expect(await orderIs(paid)).toMatchObject({ erased: false });
    expect(await orderIs(unpaid)).toMatchObject({ erased: true });
    expect(inProcess.log.join('\n')).toContain('RETENTION_DAYS must be');
  });
});
