/**
 * Signs shoppers in and out, and hands out their tokens. One store holds the session, and every tab
 * reads it anew each time. A session ends only when the auth server says so or the shopper logs out.
 */
import { type Answer, OFFLINE } from '../../domain/failure.ts';
import type { AccountCalls } from './client.ts';
import type { LinkOutcome } from './link.ts';
import { refresher, type RefreshOptions, REQUEST_TIMEOUT_MS } from './refresh.ts';
import { parseSession } from './session.ts';
import { type TokenSource, tokenSource } from './token-source.ts';

type LinkParameters = Readonly<Record<string, string>>;

interface AuthOptions extends RefreshOptions {
  /** The shop's origin, to which links in mails lead back. */
  readonly siteUrl: string;
}

export interface Auth extends TokenSource, AccountCalls {
  /**
   * Starts with the stored session.
   *
   * @param link what a link from a mail has put into the page's address; null without one
   */
  start(link: LinkParameters | null): Promise<LinkOutcome>;
  /**
   * Ends the session on this device, with or without a network; `forget` removes it from the store. The
   * tab also tells the server, if it can reach it.
   */
  signOutLocally(forget: () => Promise<void>): Promise<void>;
  /** Stops the automatic renewal. */
  stop(): Promise<void>;
}

export function createAuth(options: AuthOptions): Auth {
  const { store, now } = options;
  const renew = refresher(options);
  const tokens = tokenSource(store, renew, now);

  type Client = ReturnType<typeof import('./client.ts').openClient>;
  let loading: Promise<Client> | null = null;
  function client(): Promise<Client> {
    loading ??= import('./client.ts').then(
      ({ openClient }) => openClient(options, renew, options.siteUrl),
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

  async function openLink(link: LinkParameters): Promise<LinkOutcome> {
    const chunk = await import('./link.ts').catch(() => null);
    return chunk ? chunk.openLink(options, renew, link, revoke) : 'offline';
  }

  /** Ends a session at the server. */
  async function revoke(accessToken: string): Promise<void> {
    await options
      .fetch(`${options.url}/auth/v1/logout?scope=local`, {
        method: 'POST',
        headers: { apikey: options.key, authorization: `Bearer ${accessToken}` },
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
        keepalive: true,
      })
      .catch(() => undefined);
  }

  return {
    ...tokens,

    async start(link) {
      const outcome = link ? await openLink(link) : 'none';
      // The client renews the stored session from now on.
      if (parseSession(await store.getItem(store.key))) void client().catch(() => undefined);
      return outcome;
    },

    signIn: (...form) => withClient((loaded) => loaded.signIn(...form)),
    signUp: (...form) => withClient((loaded) => loaded.signUp(...form)),
    resendConfirmation: (...form) => withClient((loaded) => loaded.resendConfirmation(...form)),
    sendPasswordReset: (...form) => withClient((loaded) => loaded.sendPasswordReset(...form)),
    updatePassword: (password) => withClient((loaded) => loaded.updatePassword(password)),

    async signOutLocally(forget) {
      const session = parseSession(await store.getItem(store.key));
      await forget();
      if (session) void revoke(session.accessToken);
    },

    async stop() {
      await (await loading)?.stop();
    },
  };
}
