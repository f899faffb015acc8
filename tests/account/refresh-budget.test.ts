import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { WeftDatabase } from '../../src/db/database.ts';
import { failureBudget } from '../../src/db/failure-budget.ts';
import { debtStore } from '../debt-store.ts';
import { sessionStore } from '../../src/db/identity.ts';
import { refresher } from '../../src/remote/auth/refresh.ts';

const SESSION = JSON.stringify({
  access_token: 'access',
  refresh_token: 'refresh',
  expires_at: 0,
  user: { id: '0b7e7d3c-0000-4000-8000-000000000001', email: 'ada@weft.test' },
});

test('all tabs together ask an auth server that is down eight times, and once more five seconds later', async () => {
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
  // As often in a row as auth-js would.
  for (let i = 0; i < 8; i++) {
    for (const renew of tabs) expect(await renew('refresh')).toEqual({ kind: 'offline' });
  }
  expect(requests).toBe(8);
  nowMs += 5300;
  for (const renew of tabs) await renew('refresh');
  expect(requests).toBe(9);
  db.close();
});
