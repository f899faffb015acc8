/** Renewing a session while the auth service is down: all tabs share one budget of failing requests. */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { WeftDatabase } from '../../src/db/database.ts';
import { failureBudget } from '../../src/db/failure-budget.ts';
import { debtStore } from '../debt-store.ts';
import { sessionStore } from '../../src/db/identity.ts';
import { createAuth } from '../../src/remote/auth/auth.ts';
import { refresher } from '../../src/remote/auth/refresh.ts';

const USER = { id: '0b7e7d3c-0000-4000-8000-000000000001', email: 'ada@weft.test' };
const sessionOf = (token: string) => ({
  access_token: token,
  refresh_token: `${token}-refresh`,
  expires_at: 0,
  user: USER,
});
const SESSION = JSON.stringify(sessionOf('old'));
/** What one failed request costs of the budget, in ms. */
const COST_MS = 5100;
/** How many requests about a session may fail in a row. */
const MAX_IN_A_ROW = 7;

test('all tabs together ask an auth server that is down seven times, and once more five seconds later', async () => {
  const db = new WeftDatabase({ indexedDB: new IDBFactory(), IDBKeyRange });
  const store = sessionStore(() => db);
  await store.setItem(store.key, SESSION);
  let nowMs = 0;
  let requests = 0;
  const now = () => nowMs;
  const debt = debtStore();
  const tabs = [1, 2, 3].map(() =>
    refresher({
      url: 'https://shop.test',
      key: 'key',
      store,
      now,
      locks: undefined,
      budget: failureBudget(now, debt),
      fetch: async () => {
        requests += 1;
        throw new TypeError('Failed to fetch');
      },
    }),
  );
  // As often in a row as auth-js tries.
  for (let i = 0; i < 8; i++) {
    for (const renew of tabs) expect(await renew('old-refresh')).toEqual({ kind: 'offline' });
  }
  expect(requests).toBe(MAX_IN_A_ROW);
  nowMs += COST_MS;
  for (const renew of tabs) await renew('old-refresh');
  expect(requests).toBe(MAX_IN_A_ROW + 1);
  db.close();
});

test.each([
  ['fails counts as well', () => new TypeError('Failed to fetch'), false, 2],
  [
    'succeeds does not count',
    () => Response.json({ ...sessionOf('new'), expires_in: 3600 }),
    true,
    1,
  ],
] as const)(
  'a request whose token the server rejects counts, and a renewal after it that %s',
  async (_, answer, isOk, failures) => {
    const db = new WeftDatabase({ indexedDB: new IDBFactory(), IDBKeyRange });
    const store = sessionStore(() => db);
    await store.setItem(store.key, SESSION);
    const debt = debtStore();
    const auth = createAuth({
      url: 'https://shop.test',
      siteUrl: 'https://shop.test',
      key: 'key',
      store,
      now: () => 0,
      locks: undefined,
      budget: failureBudget(() => 0, debt),
      fetch: async () => {
        const outcome = answer();
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
    });
    // The shop calls `refreshNow` after the server rejected a token.
    expect(await auth.refreshNow(USER.id)).toMatchObject({ ok: isOk });
    expect(debt.read()).toBe(failures * COST_MS);
    await auth.stop();
    db.close();
  },
);
