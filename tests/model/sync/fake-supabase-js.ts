/**
 * Takes the place of supabase-js in a simulated page: a login through the page's own `fetch` and store, and
 * a realtime channel to the simulated service. Unlike auth-js it has no timer that renews sessions: the page's
 * `token-source.ts` renews a session when it needs a token.
 */
import type { PageHost } from './page-host.ts';

/** A variable in whose scope each page's code runs (page-bundle.ts). */
declare const host: PageHost;

interface AuthOptions {
  readonly url: string;
  readonly storageKey: string;
  readonly storage: { setItem(key: string, value: string): Promise<void> };
  readonly fetch: typeof globalThis.fetch;
}

export class AuthClient {
  #options: AuthOptions;

  constructor(options: AuthOptions) {
    this.#options = options;
  }

  async signInWithPassword(credentials: { readonly email: string; readonly password: string }) {
    const { url, fetch, storage, storageKey } = this.#options;
    try {
      const body = JSON.stringify(credentials);
      const response = await fetch(`${url}/token?grant_type=password`, { method: 'POST', body });
      const text = await response.text();
      if (!response.ok) return { error: { name: 'AuthRetryableFetchError', message: text } };
      await storage.setItem(storageKey, text);
      return { error: null };
    } catch (error) {
      // Like auth-js, it turns network errors into values and throws errors of the store.
      if (error instanceof TypeError) return { error: { name: error.name, message: '' } };
      throw error;
    }
  }

  async dispose(): Promise<void> {}
}

export const REALTIME_SUBSCRIBE_STATES = {
  SUBSCRIBED: 'SUBSCRIBED',
  TIMED_OUT: 'TIMED_OUT',
  CLOSED: 'CLOSED',
  CHANNEL_ERROR: 'CHANNEL_ERROR',
} as const;

export class RealtimeClient {
  #socket = host.realtime();

  async setAuth(): Promise<void> {}

  channel(topic: string) {
    let notify = () => undefined as void;
    const channel = {
      on: (_type: string, _filter: unknown, listener: () => void) => {
        notify = listener;
        return channel;
      },
      subscribe: (listener: (status: string) => void) => {
        // The topic is `shopper:` and the shopper's id.
        this.#socket.join(topic.slice(topic.indexOf(':') + 1), () => notify(), listener);
        return channel;
      },
      unsubscribe: async () => this.#socket.leave(),
    };
    return channel;
  }

  async disconnect(): Promise<void> {
    this.#socket.leave();
  }
}
