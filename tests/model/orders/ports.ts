/** The ports of a function whose every call to the outside is an effect that the schedule decides. */
import type Stripe from 'stripe';
import type { Ports } from '../../../netlify/lib/payments.ts';
import type { FakeDatabase, Seen } from './fake-database.ts';
import type { Functions } from './functions.ts';
import { KEYS, plain, type ProviderName, type Providers } from './providers.ts';
import type { Effect, Fault, Heard, Run } from './run.ts';

export const SITE = 'http://localhost:4173';
/** Never listened at: requests go to the emulator in this process. */
const NOWHERE = 'http://127.0.0.1:1';

export interface Outside {
  readonly functions: Functions;
  readonly database: FakeDatabase;
  readonly providers: Providers;
  /** Is shown how everything stands after each call of the database. */
  readonly observe: (seen: Seen) => void;
  readonly log: (line: string) => void;
}

export function portsOf(run: Run, outside: Outside): Ports {
  const { functions } = outside;
  const mode = 'sandbox';
  const fetchFrom = (to: ProviderName) => requestPort(run, outside, to);
  // Made when it is asked for: the client of Stripe is a large thing.
  let stripe: Stripe | undefined;
  const wallet = functions.openPayPal(
    { clientId: KEYS.client, clientSecret: KEYS.clientSecret, mode, apiUrl: NOWHERE },
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
    wallet: () => wallet,
    siteUrl: () => SITE,
    retentionDays: () => null,
    now: run.now,
    pause: async (ms) => {
      await run.at(instant('pause', `pause ${ms} ms`));
    },
    log: (line) => {
      if (!run.isDead) outside.log(line);
    },
  };
}

/** Whether the token is still good; only the auth server knows, so it is asked each time. */
export async function checkToken(run: Run, { functions }: Outside): Promise<void> {
  const heard = await run.at(instant('auth', 'getUser'));
  if (heard.kind === 'away') throw new functions.DatabaseUnavailable('auth');
  if (heard.kind === 'refused')
    throw new functions.HttpError(401, heard.message, { code: 'sign-in' });
}

function databasePort(run: Run, { functions, database, observe }: Outside): Ports['call'] {
  return async (name, args) => {
    const heard = await run.at({
      to: 'database',
      what: name,
      perform: async (fault) => {
        if (fault === 'lost before') return { kind: 'away' };
        const served = await database.call(name, args);
        if (served.ok) observe(served.seen);
        if (fault === 'lost after') return { kind: 'away' };
        if (served.ok) return { kind: 'value', value: served.answer };
        const { code, message, detail } = served;
        return { kind: 'refused', code, message, detail };
      },
    });
    if (heard.kind === 'value') return heard.value;
    if (heard.kind === 'refused') {
      throw new functions.DatabaseRejection(heard.code, heard.message, heard.detail);
    }
    throw new functions.DatabaseUnavailable(name);
  };
}

function requestPort(run: Run, { providers }: Outside, to: ProviderName): typeof fetch {
  return async (input, init) => {
    const { signal: _, ...rest } = init ?? {};
    const sent = await plain(new Request(input, rest));
    const { pathname } = new URL(sent.url);
    const isToken = pathname === '/v1/oauth2/token';
    const effect: Effect = {
      to,
      what: `${sent.method} ${pathname}`,
      perform: (fault) => providers.send(to, sent, fault),
      hold: () => providers.hold(to, sent),
    };
    const heard = isToken ? await effect.perform(null) : await run.at(effect);
    if (heard.kind !== 'http') throw new TypeError('fetch failed');
    return new Response(heard.body, {
      status: heard.status,
      headers: heard.headers.map(([name, value]): [string, string] => [name, value]),
    });
  };
}

function instant(to: 'auth' | 'pause', what: string): Effect {
  return { to, what, perform: async (fault) => answerTo(fault) };
}

function answerTo(fault: Fault | null): Heard {
  if (fault === null) return { kind: 'value', value: null };
  if (fault !== 'expired') return { kind: 'away' };
  return { kind: 'refused', code: '', message: 'Your session is no longer good.', detail: '' };
}
