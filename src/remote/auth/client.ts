/**
 * The part that needs auth-js: a chunk of its own, which the tab loads when a shopper signs in or is
 * signed in. It holds only the auth part of supabase-js; `createClient` would bring the rest.
 *
 * auth-js keeps its refresh tick of 30 s, its threshold of three ticks and its backoff from 200 ms;
 * `refresh.ts` sends the request and decides what an answer means. `detectSessionInUrl` is off because
 * `link.ts` reads the URL: auth-js leaves the tokens in the history, and signs in with any of them.
 */
import { AuthClient, type AuthError } from '@supabase/supabase-js';
import { type Answer, type BackendFailure, OFFLINE } from '../../domain/failure.ts';
import { fieldsOf, parseJson } from '../../domain/fields.ts';
import { type Renewal, type RefreshOptions, REQUEST_TIMEOUT_MS } from './refresh.ts';
import { storableSession } from './session.ts';

/** The requests to the auth server that a user makes with a form, some with a CAPTCHA's token. */
export interface AccountCalls {
  signIn(email: string, password: string, captcha?: string): Promise<Answer<null>>;
  /** `confirm`: the auth server sends a mail to confirm the address; `signed-in`: the project does without. */
  signUp(
    email: string,
    password: string,
    captcha?: string,
  ): Promise<Answer<'confirm' | 'signed-in'>>;
  resendConfirmation(email: string, captcha?: string): Promise<Answer<null>>;
  sendPasswordReset(email: string, captcha?: string): Promise<Answer<null>>;
  updatePassword(password: string): Promise<Answer<null>>;
}

export type Renew = (refreshToken: string) => Promise<Renewal>;

export function openClient(
  options: RefreshOptions,
  renew: Renew,
  siteUrl: string,
): AccountCalls & { stop(): Promise<void> } {
  const auth = new AuthClient({
    ...authSettings(options, renew),
    storageKey: options.store.key,
    storage: options.store,
    autoRefreshToken: true,
  });

  return {
    async signIn(email, password, captcha) {
      const form = { email, password, options: withCaptcha(captcha) };
      const { error } = await auth.signInWithPassword(form);
      return error ? answerFor(error) : DONE;
    },

    async signUp(email, password, captcha) {
      const form = {
        email,
        password,
        options: { emailRedirectTo: siteUrl, ...withCaptcha(captcha) },
      };
      const { data, error } = await auth.signUp(form);
      if (error) return answerFor(error);
      // Neither a user nor an error: a captive portal's `{}`.
      if (!data.user) return OFFLINE;
      return { ok: true, value: data.session ? 'signed-in' : 'confirm' };
    },

    async resendConfirmation(email, captcha) {
      const options = { emailRedirectTo: siteUrl, ...withCaptcha(captcha) };
      const { error } = await auth.resend({ type: 'signup', email, options });
      return error ? answerFor(error) : DONE;
    },

    async sendPasswordReset(email, captcha) {
      const { error } = await auth.resetPasswordForEmail(email, {
        redirectTo: `${siteUrl}/reset-password`,
        ...withCaptcha(captcha),
      });
      return error ? answerFor(error) : DONE;
    },

    async updatePassword(password) {
      const client = clientForOneCall(options, renew);
      try {
        const { data, error } = await client.updateUser({ password });
        // An earlier request has saved this password, though its answer was lost.
        if (error?.code === 'same_password') return DONE;
        if (error) return answerFor(error);
        // Without an id it is a captive portal's `{}`.
        return data.user.id ? DONE : OFFLINE;
      } finally {
        void client.dispose();
      }
    },

    stop: () => auth.dispose(),
  };
}

/** The settings of both kinds of clients. */
function authSettings(options: RefreshOptions, renew: Renew) {
  return {
    url: `${options.url}/auth/v1`,
    headers: { apikey: options.key },
    fetch: authFetch(options, renew),
    persistSession: true,
    detectSessionInUrl: false,
    // Only a link that this device has asked for signs in: see `link.ts`.
    flowType: 'pkce',
    // A link names its verifier, so a later request for a mail does not make an earlier link useless. GoTrue
    // allows each address of the shop, whatever its query. Source: supabase/auth, internal/utilities/request.go.
    experimental: { appendPkceFlowIdToRedirects: true },
  } as const;
}

/** Of clients for one call: auth-js warns of two clients with one key. */
const OTHER_KEY = 'one-call';

/**
 * A client that reads the device's session and verifiers, and keeps to itself what it writes or removes. auth-js stores
 * the session of a call's answer, or the one that it read before. That would replace whoever is signed in by then:
 * another shopper, nobody after a logout, a token that was renewed meanwhile. It also removes a verifier when the
 * server did not answer. It keeps the verifiers of the last five requests only, so used ones need no removal.
 */
export function clientForOneCall(options: RefreshOptions, renew: Renew) {
  const { store } = options;
  const own = new Map<string, string>();
  return new AuthClient({
    ...authSettings(options, renew),
    storageKey: OTHER_KEY,
    storage: {
      getItem: async (name) => own.get(name) ?? store.getItem(name.replace(OTHER_KEY, store.key)),
      setItem: async (name, value) => void own.set(name, value),
      removeItem: async (name) => void own.delete(name),
    },
    autoRefreshToken: false,
  });
}

/** auth-js sends the token as `gotrue_meta_security`. */
function withCaptcha(captchaToken = ''): { captchaToken?: string } {
  return captchaToken === '' ? {} : { captchaToken };
}

const DONE: Answer<null> = { ok: true, value: null };

/**
 * The `fetch` of auth-js. Sends refreshes through `renew`. Other requests get a timeout, and a session in
 * their answer gets an expiry by the phone's clock.
 */
function authFetch({ fetch, now }: RefreshOptions, renew: Renew): typeof globalThis.fetch {
  return async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    if (address.includes('grant_type=refresh_token')) return asResponse(await renewFrom(init));
    const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    const response = await fetch(input, { ...init, signal });
    const isLogin = address.includes('grant_type=');
    if (!response.ok || !(isLogin || address.includes('/signup'))) return response;
    const text = await response.text();
    const session = storableSession(parseJson(text), now());
    if (session !== null) return json(session, 200);
    // A captive portal's page. auth-js treats a `TypeError` as a network error, not as a rejection.
    if (isLogin) throw new TypeError('the answer is not a session');
    return json(text, response.status); // a registration that awaits a mail
  };

  function renewFrom(init: RequestInit | undefined): Promise<Renewal> {
    const body = typeof init?.body === 'string' ? parseJson(init.body) : null;
    const { refresh_token } = fieldsOf(body);
    if (typeof refresh_token !== 'string') throw new TypeError('a refresh without its token');
    return renew(refresh_token);
  }
}

/** A renewal as a response for auth-js. A session is stored already, so storing it again is harmless. */
function asResponse(renewal: Renewal): Response {
  if (renewal.kind === 'session') return json(renewal.text, 200);
  if (renewal.kind === 'ended') return json('{"error_code":"session_not_found"}', 400);
  throw new TypeError('no answer from the auth server');
}

function json(body: string, status: number): Response {
  return new Response(body, { status, headers: { 'content-type': 'application/json' } });
}

type AuthFailure = Pick<AuthError, 'name' | 'message'> &
  Partial<Pick<AuthError, 'code' | 'status'>>;

interface Failed {
  readonly ok: false;
  readonly failure: BackendFailure;
}

/** Converts an error of auth-js. An answer without a GoTrue code is not from the auth server. */
export function answerFor({ code, status = 0, name, message }: AuthFailure): Failed {
  const isAnswer = typeof code === 'string' && status >= 400 && status < 500;
  const isSessionGone = name === 'AuthSessionMissingError'; // has no code in auth-js
  if (!isAnswer && !isSessionGone) return OFFLINE;
  const rejection = {
    kind: 'rejected',
    status,
    code: code ?? 'session_not_found',
    message,
  } as const;
  return { ok: false, failure: rejection };
}
