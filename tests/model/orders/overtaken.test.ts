import { afterAll, expect, test } from 'vitest';
import { FakeDatabase } from './fake-database.ts';
import { loadFunctions } from './functions.ts';
import { endDead } from './settle.ts';
import { addToCart, reload } from './shopper.ts';
import { OrderVerdicts } from './verdicts.ts';
import type { Going } from './world-view.ts';
import { firstFacts } from './facts.ts';
import { World } from './world.ts';

const ORDER = '0a000000-0000-4000-8000-000000000001';
const SECOND_MS = 1000;
const PAGE_LIVES_MS = 60 * 60 * SECOND_MS;

const database = await FakeDatabase.open();
const functions = await loadFunctions();
afterAll(() => database.close());

test('an answer about a payment page that has ended finds the next one begun, and the shop goes on', async () => {
  const verdicts = new OrderVerdicts();
  const parts = { database, functions, verdicts, checksTokens: false };
  await database.begin();
  const world = await World.open(parts, firstFacts(parts, [0]));
  await addToCart(world, database.products[0] ?? 0, 1);
  const [tab] = world.facts.tabs;
  if (!tab) throw new Error('there is no tab');
  await reload(world, tab);
  const press = () => world.start({ kind: 'card', tab: 0, fields: world.fieldsFor(tab, ORDER) });
  const until = async (going: Going, call: string) => {
    while (going.run.pending?.what !== call) await world.step(going, null);
  };

  const lost = await press();
  await until(lost, 'record_reference');
  await world.kill(lost, false);
  await world.pass(PAGE_LIVES_MS - 30 * SECOND_MS, () => false);
  const early = await press();
  await until(early, 'record_reference');
  await world.pass(35 * SECOND_MS, () => false);
  const late = await press();
  await until(late, 'POST /v1/checkout/sessions');
  const [ended] = world.providers.events;
  expect(ended?.type).toBe('checkout.session.expired');
  await world.finish(await world.startMessage('stripe', ended?.id ?? ''));
  await world.finish(early);
  expect(early.run.outcome).toMatchObject({ ok: false, error: { status: 409 } });
  await world.finish(late);
  expect(late.run.outcome).toMatchObject({ ok: true, value: { orderId: ORDER } });
  await endDead(world);
  expect(verdicts.violations).toEqual([]);
  await database.rollBack();
});
