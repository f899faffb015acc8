/**
 * Signs shoppers in and out, and hands out their tokens. One store holds the session, and every tab
 * reads it anew each time. A session ends only when the auth server says so or the shopper logs out.
 */
import { type Answer, OFFLINE } from '../../domain/failure.ts';
import type { AccountCalls } from './client.ts';
import type { AskToSignIn, LinkOutcome } from './link.ts';
import { refresher, type RefreshOptions, REQUEST_TIMEOUT_MS, requestRenewal } from './refresh.ts';
import { linkTokens, parseSession } from './session.ts';
import { type TokenSource, tokenSource } from './token-source.ts';

export interface AuthOptions extends Omit<RefreshOptions, 'fetch' | 'now' | 'locks'> {
  readonly fetch?: typeof globalThis.fetch;
  readonly now?: () => number;
  readonly locks?: LockManager | undefined;
  /** The shop's origin, to which links in mails lead back. */
  readonly siteUrl: string;
}

export interface Auth extends TokenSource, AccountCalls {
  /** Starts with the stored session, or with the tokens of a link from a mail. */
  start(href: string, ask: AskToSignIn): Promise<LinkOutcome>;
  /**
   * Ends the session on this device, with or without a network; `forget` removes it from the store. The
   * tab also tells the server, if it can reach it.
   */
  signOutLocally(forget: () => Promise<void>): Promise<void>;
  /** Stops the automatic renewal. */
  stop(): Promise<void>;
}

export function createAuth(given: AuthOptions): Auth {
  const options: RefreshOptions = {
    url: given.url,
    key: given.key,
    store: given.store,
    fetch: given.fetch ?? ((...request) => globalThis.fetch(...request)),
    now: given.now ?? Date.now,
    locks: 'locks' in given ? given.locks : globalThis.navigator?.locks,
    refreshTimeoutMs: given.refreshTimeoutMs,
  };
  const { store, now } = options;
  const renew = refresher(options);
  const tokens = tokenSource(store, renew, now);

  type Client = ReturnType<typeof import('./client.ts').openClient>;
  let loading: Promise<Client> | null = null;
  function client(): Promise<Client> {
    loading ??= import('./client.ts').then(
      ({ openClient }) => openClient(options, renew, given.siteUrl),
      (error: unknown) => {
        loading = null; // the chunk was not loaded: the next call tries again
        throw error;
      },
    );
    return loading;
  }

  async function withClient<T>(call: (loaded: Client) => Promise<Answer<T>>): Promise<Answer<T>> {
    const loaded = await client().catch(() => null);
    return loaded ? call(loaded) : OFFLINE;
  }

  async function openLink(
    inLink: Readonly<Record<string, string>>,
    ask: AskToSignIn,
  ): Promise<LinkOutcome> {
    const chunk = await import('./link.ts').catch(() => null);
    return chunk ? chunk.openLink(options, inLink, ask, revoke) : 'offline';
  }

  function requestLogout(accessToken: string): Promise<Response | null> {
    return options
      .fetch(`${options.url}/auth/v1/logout?scope=local`, {
        method: 'POST',
        headers: { apikey: options.key, authorization: `Bearer ${accessToken}` },
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
        keepalive: true,
      })
      .catch(() => null);
  }

  /**
   * Ends a session at the server. The server refuses an access token that has expired, but would go on to renew
   * the session. So a refused request is sent once more, with a renewed token.
   */
  async function revoke(accessToken: string, refreshToken?: string): Promise<void> {
    const answer = await requestLogout(accessToken);
    if (refreshToken !== undefined && (answer?.status === 401 || answer?.status === 403)) {
      const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
      const renewed = await requestRenewal(options, refreshToken, signal);
      const session = renewed.kind === 'session' ? parseSession(renewed.text) : null;
      if (session) await requestLogout(session.accessToken);
    }
  }

  return {
    ...tokens,

    async start(href, ask) {
      const inLink = linkTokens(href);
      const outcome = inLink ? await openLink(inLink, ask) : 'none';
      if (parseSession(await store.getItem(store.key))) {
        // The client renews the stored session from now on.
        void client().catch(() => undefined);
      } else if (outcome === 'none') {
        // No session is stored. Deleting it once more marks the shopper's session as ended (`db/identity.ts`).
        await store.replaceIf(store.key, (stored) => parseSession(stored) === null, null);
      }
      return outcome;
    },

    signIn: (...form) => withClient((loaded) => loaded.signIn(...form)),
    signUp: (...form) => withClient((loaded) => loaded.signUp(...form)),
    sendPasswordReset: (...form) => withClient((loaded) => loaded.sendPasswordReset(...form)),
    updatePassword: (password) => withClient((loaded) => loaded.updatePassword(password)),

    async signOutLocally(forget) {
      const session = parseSession(await store.getItem(store.key));
      await forget();
      if (session) void revoke(session.accessToken, session.refreshToken);
    },

    async stop() {
      await (await loading)?.stop();
    },
  };
}
