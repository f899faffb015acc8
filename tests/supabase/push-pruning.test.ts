/** When the database deletes its record of applied changes. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Change } from '../../src/domain/change.ts';
import { clientOf } from './shop.ts';
import { openShopForFile } from './shop-for-file.ts';
import { addShopper, addToCart, pull, push, sell } from './shoppers.ts';
import { SQLSTATE } from './sqlstate.ts';

const DAY_MS = 86_400_000;
/** The nightly maintenance deletes older records. The database refuses to delete any of the last year. */
const KEPT_DAYS = 400;

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');
const { COAT: coat } = await sell(shop, { COAT: 129.5 });
beforeEach(() => shop.backend.query('truncate public.cart_items, public.applied_changes'));

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const prune = (before: string | null) =>
  clientOf(shop, shop.backend.secretKey).rpc('prune_applied_changes', { p_before: before });

/** Pushes a change and dates it back by so many days. */
async function pushDaysAgo(days: number): Promise<Change> {
  const change = addToCart(coat);
  await push(ada, [change]);
  const dateBack = 'update public.applied_changes set applied_at = $1 where change_id = $2';
  await shop.backend.query(dateBack, [daysAgo(days), change.id]);
  return change;
}

describe('changes of long ago', () => {
  test('are deleted from the record, and newer ones are still applied only once', async () => {
    await pushDaysAgo(KEPT_DAYS + 1);
    await pushDaysAgo(KEPT_DAYS + 100);
    const young = await pushDaysAgo(KEPT_DAYS - 1);
    const before = await pull(ada, null, [young.id]);
    expect((await prune(daysAgo(KEPT_DAYS))).data).toBe(2);
    expect(await pull(ada, null, [young.id])).toEqual(before);
    await push(ada, [young]);
    expect(await pull(ada, null, [young.id])).toEqual(before);
    expect((await prune(daysAgo(KEPT_DAYS))).data).toBe(0);
  });

  test('are not deleted from the record while a phone may still send them again', async () => {
    const change = await pushDaysAgo(300);
    for (const before of [daysAgo(0), daysAgo(364), null]) {
      expect((await prune(before)).error?.code).toBe(SQLSTATE.invalidParameter);
    }
    expect((await pull(ada, null, [change.id])).acks).toEqual([change.id]);
  });
});
