/** A phone in a test: its database, its auth and a client for data; `setNetwork` decides what happens to requests. */
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@supabase/supabase-js';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { linkParameters } from '../../src/account/link.ts';
import { WeftDatabase } from '../../src/db/database.ts';
import { sessionStore } from '../../src/db/session-store.ts';
import { readShopper } from '../../src/db/shopper-data.ts';
import type { BackendFailure } from '../../src/domain/failure.ts';
import { createAuth } from '../../src/remote/auth/auth.ts';
import type { TestShop } from '../supabase/shop.ts';

/** What the network does to a request: answers it, makes it fail with an error, or lets it through (null). */
export type Network = (request: Request) => Outcome | Promise<Outcome>;
type Outcome = Response | Error | null;

/** A request about data, and the token that it carries; null for none. */
interface DataRequest {
  readonly path: string;
  readonly bearer: string | null;
}

/** What differs from a new phone with the right time. */
export interface PhoneOptions {
  /** The browser's databases; its tabs share them. */
  readonly indexedDB?: IDBFactory;
  /** The phone's clock, in ms. */
  readonly now?: () => number;
  /** Without it the browser has no locks. */
  readonly locks?: LockManager;
  /** How long the auth server may take to renew a session. */
  readonly refreshTimeoutMs?: number;
}

const WORKING_NETWORK: Network = () => null;

/** Opens a phone; its caller closes it. */
export async function openPhone(shop: TestShop, options: PhoneOptions = {}) {
  const { indexedDB = new IDBFactory(), now = Date.now, locks, refreshTimeoutMs } = options;
  const db = new WeftDatabase({ indexedDB, IDBKeyRange });
  await db.open();
  const store = sessionStore({ database: () => db });
  const dataRequests: DataRequest[] = [];
  const refreshes: string[] = [];
  let network = WORKING_NETWORK;

  async function sendOverNetwork(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    const path = request.url.slice(shop.url.length);
    if (!path.startsWith('/auth/')) {
      const header = request.headers.get('authorization');
      dataRequests.push({ path, bearer: header?.replace('Bearer ', '') ?? null });
    }
    if (path.includes('grant_type=refresh_token')) refreshes.push(path);
    const answer = await network(request);
    if (answer instanceof Error) throw answer;
    return answer ?? fetch(request);
  }

  const { url, backend } = shop;
  const auth = createAuth({
    url,
    key: backend.publishableKey,
    store,
    siteUrl: url,
    fetch: sendOverNetwork,
    now,
    locks,
    refreshTimeoutMs,
  });

  /** Requests data with this token. Returns the status. */
  async function requestWith(token: string): Promise<number> {
    const client = createClient(url, backend.publishableKey, {
      accessToken: async () => token,
      global: { fetch: sendOverNetwork },
    });
    // Without the client's own retries, because the tests count requests.
    return (await client.from('products').select('id').limit(1).retry(false)).status;
  }

  return {
    db,
    auth,
    /** Where the session is stored. */
    store,
    /** The requests about data that have left this phone. */
    dataRequests,
    /** The paths of the requests for a refresh that have left this phone. */
    refreshes,
    /** Opens the shop at this address. */
    start: (href: string) => auth.start(linkParameters(href)),
    /** The shopper whom the phone shows. */
    shopper: () => readShopper(db),
    /** Decides what happens to requests from now on; null lets all through. */
    setNetwork(next: Network | null) {
      network = next ?? WORKING_NETWORK;
    },
    /**
     * Requests data as the sync does: once more with a renewed token after a 401. Returns the status, or
     * why no request was sent.
     */
    async requestProducts(uid: string): Promise<number | BackendFailure['kind']> {
      const first = await auth.accessToken(uid);
      if (!first.ok) return first.failure.kind;
      const status = await requestWith(first.value);
      if (status !== 401) return status;
      const second = await auth.refreshNow(uid);
      return second.ok ? requestWith(second.value) : second.failure.kind;
    },
    /** Makes the stored session expire `bySeconds` sooner, and replaces its access token if one is given. */
    async ageSession({ token, bySeconds }: { token?: string; bySeconds: number }): Promise<void> {
      const text = await store.getItem(store.key);
      const session = JSON.parse(text ?? '{}') as { access_token: string; expires_at: number };
      await db.session.put({
        key: store.key,
        value: JSON.stringify({
          ...session,
          access_token: token ?? session.access_token,
          expires_at: session.expires_at - bySeconds,
        }),
      });
    },
    async close() {
      await auth.stop();
      // auth-js may be about to read the store once more.
      await pause(20);
      db.close();
    },
  };
}

/** What `openPhone` returns. */
export type Phone = Awaited<ReturnType<typeof openPhone>>;
