/** `push`, which applies the changes of a phone, and `pull`, which returns what the server has stored. */
import { beforeEach, describe, expect, test } from 'vitest';
import { openShopForFile } from './shop-for-file.ts';
import {
  addFavourite,
  addShopper,
  addToCart as add,
  changeOf,
  clearCart,
  idsOf,
  PHONE_ID,
  pull,
  push,
  sell,
} from './shoppers.ts';
import { SQLSTATE } from './sqlstate.ts';

const PRICE = 129.5;
const MAX_BATCH = 50;
const INVALID = SQLSTATE.invalidParameter;
let coat: number;
let hat: number;

const shop = await openShopForFile();
const ada = await addShopper(shop, 'ada');
const eve = await addShopper(shop, 'eve');
beforeEach(async () => {
  await shop.backend.query(
    'truncate public.products, public.cart_items, public.favorites, public.applied_changes',
  );
  ({ COAT: coat, HAT: hat } = await sell(shop, { COAT: PRICE, HAT: null }));
});

const set = (productId: number, quantity: number) =>
  changeOf({ kind: 'cart.set', args: { productId, quantity } });

describe('a push', () => {
  test('acknowledges the removal of something that is not there', async () => {
    const changes = [
      changeOf({ kind: 'cart.remove', args: { productId: 0 } }),
      changeOf({ kind: 'cart.reduce', args: { productId: 0, by: 1 } }),
      clearCart(),
      changeOf({ kind: 'favourite.remove', args: { productId: 0 } }),
    ];
    const before = await pull(ada);
    await push(ada, changes);
    const after = await pull(ada, null, idsOf(changes));
    expect(after).toMatchObject({ cart: [], favourites: [], acks: idsOf(changes), rejected: [] });
    // Each change that is remembered takes a version, also one that changes no row.
    expect(after.ver).toBeGreaterThan(before.ver);
  });

  test('applies a change once, though it is repeated in the batch, later, or from another phone', async () => {
    const [first, second] = [add(coat, 2), add(coat, 3)];
    await push(ada, [first, second, first]);
    const { ver } = await pull(ada);
    const again = await push(ada, [second, first], crypto.randomUUID());
    expect(again.data).toEqual({ ver });
    expect(await pull(ada)).toMatchObject({ ver, cart: [[coat, 5, PRICE]] });
  });

  test('records each change, its phone and the time when it was made, if that is a time, in order', async () => {
    const changes = [add(coat), { ...add(hat), madeAt: 'tomorrow' }, set(coat, 4)];
    const aTime = expect.stringMatching(/^\d{4}-/) as string;
    const madeAt = [aTime, null, aTime];
    await push(ada, changes);
    const { data } = await ada.client.from('applied_changes').select().order('ver');
    expect(data).toMatchObject(
      changes.map(({ id, kind, args }, i) => ({
        change_id: id,
        device_id: PHONE_ID,
        kind,
        args,
        outcome: 'applied',
        code: null,
        made_at: madeAt[i],
      })),
    );
  });

  test('applies a change although another shopper has used its id', async () => {
    const change = add(coat);
    await push(ada, [change]);
    await push(eve, [{ ...change, args: { productId: hat, by: 2 } }]);
    expect((await pull(ada)).cart).toEqual([[coat, 1, PRICE]]);
    expect(await pull(eve, null, [change.id])).toMatchObject({
      cart: [[hat, 2, null]],
      acks: [change.id],
    });
  });
});

describe('a change that can never succeed is rejected with a sentence, and the others are applied', () => {
  const changeWith = (fields: object) => ({ ...add(coat), ...fields });
  const reduce = (by: number) => changeWith({ kind: 'cart.reduce', args: { productId: coat, by } });
  const PRODUCT_LEFT = [
    SQLSTATE.foreignKeyViolation,
    'This product is no longer in the shop.',
  ] as const;
  const BAD_QUANTITY = [
    SQLSTATE.checkViolation,
    'A cart can hold 1 to 999 of each product.',
  ] as const;

  test.each([
    ['adding a product that left the shop', () => add(0), ...PRODUCT_LEFT],
    ['a favourite that left the shop', () => addFavourite(0), ...PRODUCT_LEFT],
    ['adding what makes more than 999 together', () => add(coat, 999), ...BAD_QUANTITY],
    ['setting a quantity of 0', () => set(coat, 0), ...BAD_QUANTITY],
    ['adding half a coat', () => add(coat, 1.5), INVALID],
    ['a number in quotes', () => changeWith({ args: { productId: coat, by: '1' } }), INVALID],
    ['no arguments', () => changeWith({ args: undefined }), INVALID],
    ['an amount beyond all numbers', () => add(hat, 1e30), SQLSTATE.numberOutOfRange],
    ['reducing by 0', () => reduce(0), INVALID],
    ['a kind that there is not', () => changeWith({ kind: 'cart.gift' }), INVALID],
    ['another schema', () => changeWith({ schema: 2 }), INVALID],
    ['more than 500 bytes', () => changeWith({ note: 'x'.repeat(500) }), SQLSTATE.textTooLong],
  ] as const)('%s', async (_case, rejectedChange, code: string, message?: string) => {
    const changes = [add(coat), rejectedChange(), add(coat)];
    expect((await push(ada, changes)).error).toBeNull();
    const pulled = await pull(ada, null, idsOf(changes));
    expect(pulled).toMatchObject({
      cart: [[coat, 2, PRICE]],
      favourites: [],
      acks: idsOf(changes),
    });
    expect(pulled.rejected).toEqual([
      {
        id: changes[1]?.id,
        code,
        message: message ?? 'Something went wrong. Reload the page and try again.',
      },
    ]);
    // A rejection is final: the same change is not tried again.
    await push(ada, changes);
    const again = await pull(ada, pulled.ver, idsOf(changes), pulled.stamp);
    expect(again).toEqual({ ...pulled, cart: null, favourites: null });
  });
});

const additions = (count: number) => Array.from({ length: count }, () => add(coat));

describe('a push is rejected as a whole and changes nothing when it has', () => {
  const withId = (id: unknown) => ({ ...add(coat), id });

  // In JSON these numbers are short, but Postgres would need much memory for their digits. `push` cannot send
  // them, because JavaScript has no such numbers.
  test.each(['1e401', '1e-401'])('the number %s anywhere', async (number) => {
    const change = JSON.stringify({ ...add(coat), note: { deep: [0, 'number'] } });
    const pushed = shop.backend.query(
      `with session as materialized (select set_config('request.jwt.claim.sub', $1::text, true))
       select public.push($1::uuid, $2, $3::jsonb) from session`,
      [ada.id, PHONE_ID, `[${change.replace('"number"', number)}]`],
    );
    await expect(pushed).rejects.toMatchObject({ code: SQLSTATE.invalidParameter });
    expect((await pull(ada)).cart).toEqual([]);
  });

  test.each([
    ['more than 50 changes', () => [additions(MAX_BATCH + 1)], INVALID],
    ['more bytes than changes need', () => [[{ ...add(coat), args: 'x'.repeat(64_000) }]], INVALID],
    ['changes that are not a list', () => [{ changes: [] }], INVALID],
    ['no device', () => [[add(coat)], null], INVALID],
    ['a change without an id', () => [[add(coat), withId(undefined)]], INVALID],
    [
      'an id in upper case, which Postgres would return in lower case',
      () => [[add(coat), withId(crypto.randomUUID().toUpperCase())]],
      INVALID,
    ],
  ] as [string, () => [unknown, null?], string][])('%s', async (_case, args, code) => {
    const before = await pull(ada);
    expect((await push(ada, ...args())).error?.code).toBe(code);
    expect(await pull(ada)).toEqual(before);
  });

  test('a temporary error of the database, after which the next attempt succeeds', async () => {
    await shop.backend.query(`
      create function public.stumble() returns trigger language plpgsql as $$ begin
        if new.quantity = 13 then raise exception 'busy' using errcode = '55P03'; end if;
        return new;
      end $$`);
    await shop.backend.query(
      'create trigger stumble before insert on public.cart_items for each row execute function public.stumble()',
    );
    const before = await pull(ada);
    const changes = [add(coat, 2), add(hat, 13)];
    expect((await push(ada, changes)).error?.code).toBe(SQLSTATE.lockNotAvailable);
    expect(await pull(ada, null, idsOf(changes))).toEqual(before);
    await shop.backend.query('drop function public.stumble() cascade');
    await push(ada, changes);
    expect((await pull(ada)).cart).toHaveLength(2);
  });
});
