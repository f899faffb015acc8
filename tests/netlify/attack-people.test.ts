/** What anybody may send to learn what the shop knows of somebody else, or to have it forgotten. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addShopper } from '../supabase/shoppers.ts';
import type { ShopOverHttp } from './shop-over-http.ts';
import { openShopOverHttp } from './shop-over-http.ts';

let at: ShopOverHttp;

beforeAll(async () => {
  at = await openShopOverHttp();
});
afterAll(() => at.close());
beforeEach(() => at.restock());

const get = (name: string, token: string | null) =>
  at.call(name, { headers: token === null ? {} : { authorization: `Bearer ${token}` } });
const isThere = async (id: string) =>
  (await at.backend.query('select from auth.users where id = $1', [id])).length > 0;

describe('deleting an account', () => {
  test('takes its password: being signed in is not enough, nor is another account’s', async () => {
    const password = 'another-secret';
    const mallory = { email: 'mallory@weft.test', password };
    await at.backend.addAccount(mallory);
    for (const wrong of ['secret-2', 'Secret-1', ' secret-1', password, 'x'.repeat(5000)]) {
      const { status, body } = await at.post('delete-account', { password: wrong });
      expect([status, body['code']]).toEqual([403, 'password']);
    }
    for (const none of [undefined, '', null, 7, ['secret-1']]) {
      expect((await at.post('delete-account', { password: none })).status).toBe(400);
    }
    expect(await isThere(at.ada.id)).toBe(true);
  });

  test('takes a token, and only that account goes whose token it is', async () => {
    const { password } = at.ada;
    for (const more of [{}, { userId: at.ada.id, email: at.ada.email }]) {
      expect((await at.post('delete-account', { password, ...more }, null)).status).toBe(401);
    }
    const kim = await addShopper(at, 'kim');
    const asked = { password, userId: at.ada.id, email: at.ada.email };
    expect(await at.post('delete-account', asked, kim.token)).toMatchObject({ status: 200 });
    expect([await isThere(kim.id), await isThere(at.ada.id)]).toEqual([false, true]);
  });

  test('ends its sessions: neither its token nor its refresh token is worth anything', async () => {
    const lee = await addShopper(at, 'lee');
    const { data } = await lee.client.auth.getSession();
    const { password } = lee;
    expect((await at.post('delete-account', { password }, lee.token)).status).toBe(200);
    expect((await at.post('delete-account', { password }, lee.token)).status).toBe(401);
    expect((await get('export-account', lee.token)).status).toBe(401);
    const { refresh_token = '' } = data.session ?? {};
    expect((await lee.client.auth.refreshSession({ refresh_token })).error).not.toBeNull();
  });

  test('leaves no session behind when it is refused after the password was right', async () => {
    const count = async () => (await at.backend.query('select from auth.sessions')).length;
    const order = String(
      (await at.post('create-checkout-session', at.cardRequest())).body['orderId'],
    );
    const set = `update public.orders set state = 'confirming' where id = $1`;
    await at.backend.query(set, [order]);
    const before = await count();
    const { password } = at.ada;
    const { status, body } = await at.post('delete-account', { password });
    expect([status, body['code']]).toEqual([409, 'payment-under-way']);
    expect(await count()).toBe(before);
  });
});

describe('what the shop knows of a person', () => {
  test('is told to that person, and to nobody who merely names them', async () => {
    await at.post('create-checkout-session', at.cardRequest());
    const own = await get('export-account', at.ada.token);
    expect(own).toMatchObject({ status: 200, body: { account: { id: at.ada.id } } });
    expect(JSON.stringify(own.body)).toContain('St James');
    const eves = await get(`export-account?user=${at.ada.id}&userId=${at.ada.id}`, at.eve.token);
    expect(eves).toMatchObject({ status: 200, body: { account: { id: at.eve.id }, orders: [] } });
    expect(JSON.stringify(eves.body)).not.toContain('St James');
    expect((await get('export-account', null)).status).toBe(401);
  });

  test('is, of an account that is gone, no more than that it is', async () => {
    const max = await addShopper(at, 'max');
    const asked = () => get(`account-deleted?user=${max.id}`, null);
    expect(await asked()).toEqual({ status: 200, body: { deleted: false } });
    await at.post('delete-account', { password: max.password }, max.token);
    expect(await asked()).toEqual({ status: 200, body: { deleted: true } });
    const nobody = await get(`account-deleted?user=${randomUUID()}`, null);
    expect(nobody.body).toEqual({ deleted: false });
    for (const odd of ['', '?user=', '?user=1', `?user=${max.id}'`]) {
      expect((await get(`account-deleted${odd}`, null)).status).toBe(400);
    }
  });
});
