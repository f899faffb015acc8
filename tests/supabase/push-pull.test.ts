/** `push`, which applies the changes of a phone, and `pull`, which returns what the server has stored. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Change, ChangeAction } from '../../src/domain/change.ts';
import { openShopForFile } from './shop-for-file.ts';
import { addShopper, changeOf, PHONE, pull, push, sell } from './shoppers.ts';
import { SQLSTATE } from './sqlstate.ts';

const PRICE = 129.5;
const MAX_BATCH = 50;
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

const add = (productId: number, by = 1) => changeOf({ kind: 'cart.add', args: { productId, by } });
const set = (productId: number, quantity: number) =>
  changeOf({ kind: 'cart.set', args: { productId, quantity } });
const ids = (changes: readonly Change[]) => changes.map(({ id }) => id);
const removeProduct = (id: number) =>
  shop.backend.query('delete from public.products where id = $1', [id]);

describe('a push', () => {
  test('applies each kind of change, in the order of the batch', async () => {
    const actions: ChangeAction[] = [
      { kind: 'cart.add', args: { productId: coat, by: 2 } },
      { kind: 'cart.add', args: { productId: coat, by: 1 } },
      { kind: 'cart.clear', args: {} },
      { kind: 'cart.set', args: { productId: hat, quantity: 4 } },
      { kind: 'cart.add', args: { productId: coat, by: 5 } },
      { kind: 'cart.remove', args: { productId: hat } },
      { kind: 'cart.set', args: { productId: coat, quantity: 9 } },
      { kind: 'cart.reduce', args: { productId: coat, by: 2 } },
      { kind: 'favourite.add', args: { productId: coat } },
      { kind: 'favourite.add', args: { productId: hat } },
      { kind: 'favourite.remove', args: { productId: coat } },
    ];
    const changes = actions.map(changeOf);
    const { data } = await push(ada, changes);
    expect(await pull(ada, null, ids(changes))).toEqual({
      uid: ada.id,
      device: PHONE,
      ver: (data as { ver: number }).ver,
      stamp: expect.stringMatching(/^[\da-f-]{36}$/) as string,
      cart: [[coat, 7, PRICE]],
      favourites: [hat],
      acks: ids(changes),
      rejected: [],
    });
  });

  test('acknowledges the removal of something that is not there', async () => {
    const changes = [
      changeOf({ kind: 'cart.remove', args: { productId: 0 } }),
      changeOf({ kind: 'cart.clear', args: {} }),
      changeOf({ kind: 'favourite.remove', args: { productId: 0 } }),
    ];
    const before = await pull(ada);
    await push(ada, changes);
    const after = await pull(ada, null, ids(changes));
    expect(after).toMatchObject({ cart: [], favourites: [], acks: ids(changes), rejected: [] });
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

  test('records each change, its phone and the time when it was made, in order', async () => {
    const changes = [add(coat), { ...add(hat), madeAt: 'tomorrow' }, set(coat, 4)];
    await push(ada, changes);
    const { data } = await ada.client.from('applied_changes').select().order('ver');
    expect(data).toMatchObject(
      changes.map(({ id, kind, args }, i) => ({
        change_id: id,
        device_id: PHONE,
        kind,
        args,
        outcome: 'applied',
        code: null,
        made_at: i === 1 ? null : expect.stringMatching(/^\d{4}-/),
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
  const PRODUCT_LEFT = [
    SQLSTATE.foreignKeyViolation,
    'This product is no longer in the shop.',
  ] as const;
  const BAD_QUANTITY = [SQLSTATE.checkViolation, 'A cart holds 1 to 999 of a product.'] as const;
  const NOT_UNDERSTOOD = SQLSTATE.invalidParameter;

  test.each([
    ['adding a product that left the shop', () => add(0), ...PRODUCT_LEFT],
    ['setting the quantity of a product that left the shop', () => set(0, 1), ...PRODUCT_LEFT],
    [
      'a favourite that left the shop',
      () => changeOf({ kind: 'favourite.add', args: { productId: 0 } }),
      ...PRODUCT_LEFT,
    ],
    ['adding more than 999 at once', () => add(hat, 1000), ...BAD_QUANTITY],
    ['adding more than makes 999 together', () => add(coat, 999), ...BAD_QUANTITY],
    ['adding a negative quantity', () => add(coat, -1), ...BAD_QUANTITY],
    ['adding a quantity of 0', () => add(hat, 0), ...BAD_QUANTITY],
    ['setting a quantity of 0', () => set(coat, 0), ...BAD_QUANTITY],
    ['setting more than 999', () => set(coat, 1000), ...BAD_QUANTITY],
    ['adding half a coat', () => add(coat, 1.5), NOT_UNDERSTOOD],
    [
      'a number in quotes',
      () => changeWith({ args: { productId: coat, by: '1' } }),
      NOT_UNDERSTOOD,
    ],
    ['no amount', () => changeWith({ args: { productId: coat } }), NOT_UNDERSTOOD],
    ['no product', () => changeWith({ args: { by: 1 } }), NOT_UNDERSTOOD],
    ['arguments that are not an object', () => changeWith({ args: 7 }), NOT_UNDERSTOOD],
    ['no arguments', () => changeWith({ args: undefined }), NOT_UNDERSTOOD],
    ['an amount beyond all numbers', () => add(hat, 1e30), SQLSTATE.numberOutOfRange],
    ['a product beyond all numbers', () => add(1e30), SQLSTATE.numberOutOfRange],
    [
      'reducing by 0',
      () => changeWith({ kind: 'cart.reduce', args: { productId: coat, by: 0 } }),
      NOT_UNDERSTOOD,
    ],
    [
      'reducing by half a coat',
      () => changeWith({ kind: 'cart.reduce', args: { productId: coat, by: 0.5 } }),
      NOT_UNDERSTOOD,
    ],
    ['no kind', () => changeWith({ kind: undefined }), NOT_UNDERSTOOD],
    ['a kind that is not a text', () => changeWith({ kind: { cart: 'add' } }), NOT_UNDERSTOOD],
    ['schema 0', () => changeWith({ schema: 0 }), NOT_UNDERSTOOD],
    ['a schema that is not a number', () => changeWith({ schema: '2' }), NOT_UNDERSTOOD],
    [
      'more bytes than a change needs',
      () => changeWith({ note: 'x'.repeat(500) }),
      SQLSTATE.textTooLong,
    ],
    ['no schema', () => changeWith({ schema: undefined }), NOT_UNDERSTOOD],
  ] as const)('%s', async (_case, rejectedChange, code: string, message?: string) => {
    const changes = [add(coat), rejectedChange(), add(coat)];
    expect((await push(ada, changes)).error).toBeNull();
    const pulled = await pull(ada, null, ids(changes));
    expect(pulled).toMatchObject({ cart: [[coat, 2, PRICE]], favourites: [], acks: ids(changes) });
    expect(pulled.rejected).toEqual([
      {
        id: changes[1]?.id,
        code,
        message: message ?? 'The shop did not understand this. Reload the page and try again.',
      },
    ]);
    // A rejection is final: the same change is not tried again.
    await push(ada, changes);
    expect(await pull(ada, pulled.ver, ids(changes))).toEqual({
      ...pulled,
      cart: null,
      favourites: null,
    });
  });

  test('changing a line whose product left the shop, though it can be removed', async () => {
    await push(ada, [add(coat, 2)]);
    await removeProduct(coat);
    const changes = [
      set(coat, 1),
      add(coat),
      changeOf({ kind: 'cart.remove', args: { productId: coat } }),
    ];
    await push(ada, changes.slice(0, 2));
    expect((await pull(ada)).cart).toEqual([[coat, 2, PRICE]]);
    await push(ada, changes);
    const { cart, rejected } = await pull(ada, null, ids(changes));
    expect(cart).toEqual([]);
    expect(rejected.map(({ code }) => code)).toEqual([
      SQLSTATE.foreignKeyViolation,
      SQLSTATE.foreignKeyViolation,
    ]);
  });
});

describe('a push is rejected as a whole and changes nothing when it has', () => {
  // JavaScript has no such numbers. In JSON they are short, and as text they take much memory.
  test.each(['1e401', '-1e401', '1e-401', '1e1000'])('the number %s anywhere', async (number) => {
    const change = JSON.stringify({ ...add(coat), note: { deep: [0, 'number'] } });
    const pushed = shop.backend.query(
      `with session as materialized (select set_config('request.jwt.claim.sub', $1, true))
       select public.push($2, $2, $3::jsonb) from session`,
      [ada.id, ada.id, `[${change.replace('"number"', number)}]`],
    );
    await expect(pushed).rejects.toMatchObject({ code: SQLSTATE.invalidParameter });
    expect((await pull(ada)).cart).toEqual([]);
  });

  const additions = (count: number) => Array.from({ length: count }, () => add(coat));

  test.each([
    ['more than 50 changes', () => [additions(MAX_BATCH + 1)], SQLSTATE.invalidParameter],
    [
      'more bytes than changes need',
      () => [[{ ...add(coat), args: 'x'.repeat(64_000) }]],
      SQLSTATE.invalidParameter,
    ],
    ['changes that are not a list', () => [{ changes: [] }], SQLSTATE.invalidParameter],
    ['no changes', () => [null], SQLSTATE.invalidParameter],
    ['no device', () => [[add(coat)], null], SQLSTATE.invalidParameter],
    [
      'a change without an id',
      () => [[add(coat), { ...add(coat), id: undefined }]],
      SQLSTATE.invalidParameter,
    ],
    ['a change that is not an object', () => [[add(coat), 7]], SQLSTATE.invalidParameter],
    [
      'an id that is not a UUID',
      () => [[add(coat), { ...add(coat), id: 'x' }]],
      SQLSTATE.invalidText,
    ],
    [
      'an id in upper case, which Postgres would return in lower case',
      () => [[add(coat), { ...add(coat), id: crypto.randomUUID().toUpperCase() }]],
      SQLSTATE.invalidParameter,
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
    expect(await pull(ada, null, ids(changes))).toEqual(before);
    await shop.backend.query('drop function public.stumble() cascade');
    await push(ada, changes);
    expect((await pull(ada)).cart).toHaveLength(2);
  });

  test('more than 50 changes, but not 50', async () => {
    expect((await push(ada, additions(MAX_BATCH))).error).toBeNull();
    expect((await pull(ada)).cart).toEqual([[coat, MAX_BATCH, PRICE]]);
  });
});
