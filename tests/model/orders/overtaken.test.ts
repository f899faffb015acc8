import { afterAll, expect, test } from 'vitest';
import { openSetup } from './schedule.ts';
import { endAtOnce } from './settle.ts';
import { addToCart } from './shopper.ts';
import { OrderVerdicts } from './verdicts.ts';
import type { ActiveJob } from './world-view.ts';
import { firstFacts } from './facts.ts';
import { World } from './world.ts';
import { requestOfFirstTab } from './written.ts';

const ORDER = '0a000000-0000-4000-8000-000000000001';
const SECOND_MS = 1000;
/** How long Stripe's payment page takes a payment. */
const PAGE_LIFETIME_MS = 60 * 60 * SECOND_MS;

const { database, functions } = await openSetup();
afterAll(() => database.close());

test('a late answer about a payment page that has ended does not disturb the next page of the order', async () => {
  const verdicts = new OrderVerdicts();
  const parts = { database, functions, verdicts };
  await database.begin();
  const world = new World(parts, firstFacts(parts, [0]));
  await addToCart(world, database.products[0] ?? 0, 1);
  const fields = await requestOfFirstTab(world, ORDER);
  const pressPay = () => world.start({ kind: 'card', tab: 0, fields });
  const runUntilCall = async (active: ActiveJob, call: string) => {
    while (active.run.pending?.name !== call) await world.step(active);
  };

  const first = await pressPay();
  // Stripe has made the page, but the function dies before it tells the database.
  await runUntilCall(first, 'record_reference');
  await world.kill(first);
  await world.pass(PAGE_LIFETIME_MS - 30 * SECOND_MS);
  const second = await pressPay();
  // Stripe answers with the same page, which ends before this function tells the database.
  await runUntilCall(second, 'record_reference');
  await world.pass(35 * SECOND_MS);
  const third = await pressPay();
  await runUntilCall(third, 'POST /v1/checkout/sessions');
  const [ended] = world.providers.events;
  expect(ended?.type).toBe('checkout.session.expired');
  await world.finish(await world.startWebhook('stripe', ended?.id ?? ''));
  await world.finish(second);
  expect(second.run.outcome).toMatchObject({ ok: false, error: { status: 409 } });
  await world.finish(third);
  expect(third.run.outcome).toMatchObject({ ok: true, value: { orderId: ORDER } });
  await endAtOnce(world);
  expect(verdicts.violations).toEqual([]);
  await database.rollBack();
});
