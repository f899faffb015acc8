/** Phones whose server was restored from a backup. */
import 'fake-indexeddb/auto';
import { describe, expect, test } from 'vitest';
import type { ChangeAction } from '../../src/domain/change.ts';
import { backUp, restore } from '../supabase/restore.ts';
import { openShopForFile } from '../supabase/shop-for-file.ts';
import { numbered, stock } from '../supabase/stock.ts';
import type { Shopper } from '../supabase/shoppers.ts';
import { newAccount, newPhone, type Phone, productIds } from './phones.ts';

const shop = await openShopForFile();
await stock(shop.backend, numbered(20));
const ids = await productIds(shop);

const add = (at: number): ChangeAction[] => [
  { kind: 'cart.add', args: { productId: ids[at] ?? 0, by: 1 } },
];
const addFavourite = (at: number): ChangeAction[] => [
  { kind: 'favourite.add', args: { productId: ids[at] ?? 0 } },
];

/** Makes each change and saves it before the next. */
async function tapAndSave(phone: Phone, changes: readonly ChangeAction[][]): Promise<void> {
  for (const change of changes) {
    await phone.tap(change);
    await phone.save();
  }
}

describe.each([1, 2, 3])(
  'the server was restored from a backup and has lost %i changes',
  (lost) => {
    // As many new changes as were lost give the restored data the version number that the phone holds.
    test('a phone that sends as many new changes shows the same as the server again', async () => {
      const account = await newAccount(shop);
      const phone = await newPhone(shop, account);
      await tapAndSave(phone, [add(0)]);
      await backUp(shop.backend);
      await tapAndSave(phone, Array(lost).fill(add(1)));
      await restore(shop.backend);
      for (let i = 0; i < lost; i++) await phone.tap(addFavourite(2 + i));
      expect(await phone.save()).toBe('saved');
      await expectEqual(account, phone);
      expect((await phone.shown()).favourites).toHaveLength(lost);
    });

    test('a phone that sends nothing receives another phone’s changes', async () => {
      const account = await newAccount(shop);
      const [sender, receiver] = [await newPhone(shop, account), await newPhone(shop, account)];
      await tapAndSave(sender, [add(0)]);
      await backUp(shop.backend);
      await tapAndSave(sender, Array(lost).fill(add(1)));
      await receiver.save();
      await restore(shop.backend);
      const laterSender = await newPhone(shop, account);
      const newChanges = Array.from({ length: lost }, (_, at) => addFavourite(at));
      await tapAndSave(laterSender, newChanges);
      for (const phone of [sender, receiver, laterSender]) {
        expect(await phone.save()).toBe('saved');
        await expectEqual(account, phone);
      }
    });
  },
);

/** Expects that the phone shows what a fresh phone of the account does. */
async function expectEqual(account: Shopper, phone: Phone): Promise<void> {
  const fresh = await newPhone(shop, account);
  await fresh.save();
  expect(await phone.shown()).toEqual(await fresh.shown());
}
