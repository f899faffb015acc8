/** Ports for a function in the model: each call waits until the schedule says how it ends. */
import type Stripe from 'stripe';
import type { Message } from '../../../netlify/lib/messages.ts';
import type { Ports } from '../../../netlify/lib/ports.ts';
import type { ModelDatabase, Rows } from './model-database.ts';
import type { Functions } from './functions.ts';
import { KEYS, plainRequest, type ProviderName, type Providers } from './providers.ts';
import type { OutsideCall, Fault, Answer, Run } from './run.ts';

/** The shop's address, which pages and providers get. */
const SITE = 'http://localhost:4173';
/** Nothing listens there: `fetch` hands the requests to the emulator in this process. */
const UNUSED_URL = 'http://127.0.0.1:1';

/** What a function calls, and the code of the function itself. */
export interface Outside {
  readonly functions: Functions;
  readonly database: ModelDatabase;
  readonly providers: Providers;
  /** Called with all rows after each call that the database has not rejected. */
  readonly observe: (rows: Rows) => void;
  /** Called with each mail that the mail server takes. */
  readonly mail: (message: Message) => void;
  /** Called with each line that a function logs. */
  readonly log: (line: string) => void;
}

/** The ports of one run: its database, providers, clock, pauses and log. */
export function portsFor(run: Run, outside: Outside): Ports {
  const { functions } = outside;
  const mode = 'sandbox';
  const fetchFrom = (provider: ProviderName) => fetchPort(run, outside, provider);
  // Made when it is first used, because Stripe's client is large.
  let stripe: Stripe | undefined;
  const paypal = functions.openPayPal(
    { clientId: KEYS.client, clientSecret: KEYS.clientSecret, mode, apiUrl: UNUSED_URL },
    { fetch: fetchFrom('paypal'), now: () => run.now().getTime() },
  );
  return {
    call: databasePort(run, outside),
    cards: () => {
      stripe ??= functions.openStripe(
        { secretKey: KEYS.stripe, mode, apiUrl: null },
        { retries: 0, fetch: fetchFrom('stripe') },
      );
      return { stripe, mode };
    },
    wallet: () => paypal,
    siteUrl: () => SITE,
    retentionDays: () => null,
    // In the embedded database the SQL removes accounts by itself, so this must not be called.
    removeAccount: (userId) =>
      Promise.reject(new Error(`the database has left ${userId} to the auth service`)),
    now: run.now,
    pause: async (ms) => {
      await run.call(simpleCall('pause', `pause ${ms} ms`));
    },
    log: (line) => {
      if (!run.isDead) outside.log(line);
    },
  };
}

/** Asks the auth server whether the shopper's token is still good. Throws the errors of `requireCaller`. */
export async function checkToken(run: Run, { functions }: Outside): Promise<void> {
  const answer = await run.call(simpleCall('auth', 'getUser'));
  if (answer.kind === 'lost') throw new functions.DatabaseUnavailable('auth');
  if (answer.kind === 'rejected')
    throw new functions.HttpError(401, answer.message, { code: 'sign-in' });
}

function databasePort(run: Run, { functions, database, observe }: Outside): Ports['call'] {
  return async (name, args) => {
    const answer = await run.call({
      target: 'database',
      name,
      perform: async (fault) => {
        if (fault === 'lost before') return { kind: 'lost' };
        const served = await database.call(name, args);
        if (served.ok) observe(served.rows);
        if (fault === 'lost after') return { kind: 'lost' };
        if (served.ok) return { kind: 'value', value: served.answer };
        const { code, message, detail } = served;
        return { kind: 'rejected', code, message, detail };
      },
    });
    if (answer.kind === 'value') return answer.value;
    if (answer.kind === 'rejected') {
      throw new functions.DatabaseRejection(answer.code, answer.message, answer.detail);
    }
    throw new functions.DatabaseUnavailable(name);
  };
}

function fetchPort(run: Run, { providers }: Outside, provider: ProviderName): typeof fetch {
  return async (input, init) => {
    // The schedule, not a timeout in real time, decides whether an answer comes.
    const { signal: _, ...initWithoutSignal } = init ?? {};
    const request = await plainRequest(new Request(input, initWithoutSignal));
    const { pathname } = new URL(request.url);
    const call: OutsideCall = {
      target: provider,
      name: `${request.method} ${pathname}`,
      perform: (fault) => providers.send(provider, request, fault),
      begin: () => providers.begin(provider, request),
    };
    // The schedule decides nothing about PayPal's access token.
    const isTokenRequest = pathname === '/v1/oauth2/token';
    const answer = isTokenRequest ? await call.perform(null) : await run.call(call);
    if (answer.kind !== 'http') throw new TypeError('fetch failed');
    return new Response(answer.body, {
      status: answer.status,
      headers: answer.headers.map(([name, value]): [string, string] => [name, value]),
    });
  };
}

/** A call without an effect. */
function simpleCall(target: 'auth' | 'pause', name: string): OutsideCall {
  return { target, name, perform: async (fault) => answerUnder(fault) };
}

function answerUnder(fault: Fault | null): Answer {
  if (fault === null) return { kind: 'value', value: null };
  if (fault !== 'expired') return { kind: 'lost' };
  return { kind: 'rejected', code: '', message: 'Your session is no longer good.', detail: '' };
}
