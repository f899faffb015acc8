/** A phone in a test: its database, its auth and a client for data, with the network at one seam. */
import type { BackendFailure } from '../../src/domain/failure.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@supabase/supabase-js';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { WeftDatabase } from '../../src/db/database.ts';
import { sessionStore } from '../../src/db/identity.ts';
import { readShopper } from '../../src/db/shopper-log.ts';
import { createAuth } from '../../src/remote/auth/auth.ts';
import type { TestShop } from '../supabase/shop.ts';

/** What the network does to a request: an answer, or null to let it through. */
export type Weather = (request: Request) => Outcome | Promise<Outcome>;
type Outcome = Response | Error | null;

/** A request about data, and the token that it carries; null for none. */
export interface DataRequest {
  readonly path: string;
  readonly bearer: string | null;
}

export interface PhoneOptions {
  /** Tabs of one browser share it. */
  readonly indexedDB?: IDBFactory;
  readonly now?: () => number;
  readonly locks?: LockManager;
  /** How long the auth server may take to renew a session. */
  readonly refreshTimeoutMs?: number;
}

const NO_WEATHER: Weather = () => null;

export async function openPhone(shop: TestShop, options: PhoneOptions = {}) {
  const { indexedDB = new IDBFactory(), now = Date.now, locks, refreshTimeoutMs } = options;
  const db = new WeftDatabase({ indexedDB, IDBKeyRange });
  await db.open();
  const store = sessionStore(() => db);
  const dataRequests: DataRequest[] = [];
  const refreshes: string[] = [];
  let weather = NO_WEATHER;

  async function network(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    const path = request.url.slice(shop.url.length);
    if (!path.startsWith('/auth/')) {
      const header = request.headers.get('authorization');
      dataRequests.push({ path, bearer: header?.replace('Bearer ', '') ?? null });
    }
    if (path.includes('grant_type=refresh_token')) refreshes.push(path);
    const answer = await weather(request);
    if (answer instanceof Error) throw answer;
    return answer ?? fetch(request);
  }

  const { url, backend } = shop;
  const auth = createAuth({
    url,
    key: backend.publishableKey,
    store,
    siteUrl: url,
    fetch: network,
    now,
    locks,
    refreshTimeoutMs,
  });

  return {
    db,
    auth,
    store,
    dataRequests,
    /** The paths of the requests for a refresh that have left this phone. */
    refreshes,
    shopper: () => readShopper(db),
    setWeather(next: Weather | null) {
      weather = next ?? NO_WEATHER;
    },
    /** One request about data as the shopper, as the sync makes it: once more after a 401. */
    async requestProducts(uid: string): Promise<number | BackendFailure['kind']> {
      let token = await auth.accessToken(uid);
      for (const isLast of [false, true]) {
        if (!token.ok) return token.failure.kind;
        const bearer = token.value;
        const client = createClient(url, backend.publishableKey, {
          accessToken: async () => bearer,
          global: { fetch: network },
        });
        const { status } = await client.from('products').select('id').limit(1).retry(false);
        if (status !== 401 || isLast) return status;
        token = await auth.refreshNow(uid);
      }
      return 'sign-in';
    },
    /** Makes the stored session expire sooner by so many seconds, and replaces its access token if given. */
    async age({ token, by }: { token?: string; by: number }): Promise<void> {
      const text = await store.getItem(store.key);
      const session = JSON.parse(text ?? '{}') as { access_token: string; expires_at: number };
      await db.session.put({
        key: store.key,
        value: JSON.stringify({
          ...session,
          access_token: token ?? session.access_token,
          expires_at: session.expires_at - by,
        }),
      });
    },
    async close() {
      await auth.stop();
      // A tick of auth-js that is under way reads the store once more.
      await pause(20);
      db.close();
    },
  };
}

export type Phone = Awaited<ReturnType<typeof openPhone>>;
