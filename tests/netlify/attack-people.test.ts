/** Requests by which an attacker would read or delete what the shop has about another person. */
import { describe, expect, test } from 'vitest';
import { clientOf } from '../supabase/shop.ts';
import { addShopper } from '../supabase/shoppers.ts';
import { expectAnswer, openShopOverHttpForFile } from './shop-over-http.ts';

const shop = await openShopOverHttpForFile();

const accountExists = async (id: string) =>
  (await shop.backend.query('select from auth.users where id = $1', [id])).length > 0;

describe('deleting an account', () => {
  test('takes its password: being signed in is not enough, nor is another account’s', async () => {
    const password = 'another-secret';
    const mallory = { email: 'mallory@weft.test', password };
    await shop.backend.addAccount(mallory);
    for (const wrong of ['secret-2', password, 'x'.repeat(5000)]) {
      await expectAnswer(shop.post('delete-account', { password: wrong }), 403, 'password');
    }
    for (const missing of [undefined, '', 7]) {
      expect((await shop.post('delete-account', { password: missing })).status).toBe(400);
    }
    expect(await accountExists(shop.ada.id)).toBe(true);
  });

  test('takes a token, and deletes only the account of that token, whatever else the request names', async () => {
    const { password } = shop.ada;
    for (const fields of [{}, { userId: shop.ada.id, email: shop.ada.email }]) {
      expect((await shop.post('delete-account', { password, ...fields }, null)).status).toBe(401);
    }
    const kim = await addShopper(shop, 'kim');
    const fields = { password, userId: shop.ada.id, email: shop.ada.email };
    expect(await shop.post('delete-account', fields, kim.token)).toMatchObject({ status: 200 });
    expect([await accountExists(kim.id), await accountExists(shop.ada.id)]).toEqual([false, true]);
  });

  test('ends its sessions: neither its token nor its refresh token is accepted any more', async () => {
    const lee = await addShopper(shop, 'lee');
    const { data } = await lee.client.auth.getSession();
    const { password } = lee;
    expect((await shop.post('delete-account', { password }, lee.token)).status).toBe(200);
    expect((await shop.post('delete-account', { password }, lee.token)).status).toBe(410);
    expect((await shop.get('export-account', lee.token)).status).toBe(410);
    const { refresh_token = '' } = data.session ?? {};
    expect((await lee.client.auth.refreshSession({ refresh_token })).error).not.toBeNull();
  });

  test('leaves no session behind when it is rejected after the password was right', async () => {
    const sessionCount = async () => (await shop.backend.query('select from auth.sessions')).length;
    await shop.createCheckoutSession();
    await shop.backend.query(`update public.orders set state = 'confirming'`);
    const before = await sessionCount();
    const { password } = shop.ada;
    await expectAnswer(shop.post('delete-account', { password }), 409, 'payment-under-way');
    expect(await sessionCount()).toBe(before);
  });
});

describe('what the shop knows of a person', () => {
  test('is told to that person, and to nobody who merely names them', async () => {
    await shop.createCheckoutSession();
    const own = await shop.get('export-account');
    expect(own).toMatchObject({ status: 200, body: { account: { id: shop.ada.id } } });
    expect(JSON.stringify(own.body), 'the address of the order').toContain('St James');
    const eves = await shop.get(
      `export-account?user=${shop.ada.id}&userId=${shop.ada.id}`,
      shop.eve.token,
    );
    expect(eves).toMatchObject({ status: 200, body: { account: { id: shop.eve.id }, orders: [] } });
    expect(JSON.stringify(eves.body)).not.toContain('St James');
    expect((await shop.get('export-account', null)).status).toBe(401);
  });

  test('is told with what the auth service has: names, times and sessions', async () => {
    const kim = await addShopper(shop, 'kim-who-asks');
    await kim.client.auth.updateUser({ data: { full_name: 'Kim Weaver' } });
    expect(await shop.get('export-account', kim.token)).toMatchObject({
      status: 200,
      body: {
        account: {
          id: kim.id,
          email: kim.email,
          created_at: expect.stringMatching(/^20/),
          last_sign_in_at: expect.stringMatching(/^20/),
          metadata: { full_name: 'Kim Weaver' },
          changing_to: null,
          sessions: expect.arrayContaining([
            { begun_at: expect.stringMatching(/^20/), user_agent: null, ip: null },
          ]),
        },
      },
    });
  });
});

describe('an account whose password a stranger has known', () => {
  const person = { email: 'known@weft.test', password: 'stranger-chose-1' };
  const longData = { note: 'x'.repeat(9000) };

  test('still serves its owner: nobody makes its tokens too long for the shop', async () => {
    await shop.backend.addAccount(person);
    const stranger = clientOf(shop);
    await stranger.auth.signInWithPassword(person);
    expect((await stranger.auth.updateUser({ data: longData })).error).not.toBeNull();
    const smallChanges = Array.from({ length: 9 }, (_, i) => ({ [`note${i}`]: 'x'.repeat(900) }));
    for (const data of smallChanges) await stranger.auth.updateUser({ data });

    const owner = clientOf(shop);
    const { data } = await owner.auth.signInWithPassword(person);
    const token = data.session?.access_token ?? '';
    expect(token.length).toBeLessThan(3000);
    expect((await shop.get('export-account', token)).status).toBe(200);
    expect((await shop.post('delete-account', { password: person.password }, token)).status).toBe(
      200,
    );
  });
});
