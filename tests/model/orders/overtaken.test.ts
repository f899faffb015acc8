import { afterAll, expect, test } from 'vitest';
import { FakeDatabase } from './fake-database.ts';
import { loadFunctions } from './functions.ts';
import { endAtOnce } from './settle.ts';
import { addToCart, reload } from './shopper.ts';
import { OrderVerdicts } from './verdicts.ts';
import type { ActiveJob } from './world-view.ts';
import { firstFacts } from './facts.ts';
import { World } from './world.ts';

const ORDER = '0a000000-0000-4000-8000-000000000001';
const SECOND_MS = 1000;
/** How long a payment page of Stripe can be paid. */
const PAGE_LIFE_MS = 60 * 60 * SECOND_MS;

const database = await FakeDatabase.open();
const functions = await loadFunctions();
afterAll(() => database.close());

test('a late answer about a payment page that has ended does not disturb the next page of the order', async () => {
  const verdicts = new OrderVerdicts();
  const parts = { database, functions, verdicts, checksTokens: false };
  await database.begin();
  const world = await World.open(parts, firstFacts(parts, [0]));
  await addToCart(world, database.products[0] ?? 0, 1);
  const [tab] = world.facts.tabs;
  if (!tab) throw new Error('there is no tab');
  await reload(world, tab);
  const press = () => world.start({ kind: 'card', tab: 0, fields: world.cartRequest(tab, ORDER) });
  const runUntil = async (active: ActiveJob, call: string) => {
    while (active.run.pending?.name !== call) await world.step(active);
  };

  const lost = await press();
  // The page was made, but its function dies before the database hears of it.
  await runUntil(lost, 'record_reference');
  await world.kill(lost);
  await world.pass(PAGE_LIFE_MS - 30 * SECOND_MS);
  const early = await press();
  // The same page again; it ends before this function can say so to the database.
  await runUntil(early, 'record_reference');
  await world.pass(35 * SECOND_MS);
  const late = await press();
  await runUntil(late, 'POST /v1/checkout/sessions');
  const [ended] = world.providers.events;
  expect(ended?.type).toBe('checkout.session.expired');
  await world.finish(await world.startWebhook('stripe', ended?.id ?? ''));
  await world.finish(early);
  expect(early.run.outcome).toMatchObject({ ok: false, error: { status: 409 } });
  await world.finish(late);
  expect(late.run.outcome).toMatchObject({ ok: true, value: { orderId: ORDER } });
  await endAtOnce(world);
  expect(verdicts.violations).toEqual([]);
  await database.rollBack();
});
