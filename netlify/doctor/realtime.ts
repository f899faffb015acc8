/**
 * Whether a shopper's change sends a message to the shopper's phones, and to nobody else. Makes an account for that,
 * joins and pushes with the code of the page, and deletes the account.
 */
import { createClient } from '@supabase/supabase-js';
import { CHANGE_SCHEMA } from '../../src/domain/change.ts';
import type { TokenSource } from '../../src/remote/auth/token-source.ts';
import { realtimeSubscribe, type Subscribe } from '../../src/remote/invalidation.ts';
import { shopperRemote } from '../../src/remote/shopper.ts';
import { backendSettings } from '../lib/env.ts';
import { type Deployment, readerOf, settingsOrNull } from './deployment.ts';
import { type Check, fault, type Finding, notChecked, ok } from './finding.ts';

const SUBJECT = 'Realtime';
const TIMEOUT_MS = 10_000;
/** An account that does not exist. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

export const checkRealtime: Check = async (deployment) => {
  const read = readerOf(deployment);
  const server = settingsOrNull(() => backendSettings(read));
  const key = read('VITE_SUPABASE_PUBLISHABLE_KEY')?.trim();
  if (server === null || !key) return [];
  const clientOf = (apikey: string) =>
    createClient(server.url, apikey, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      global: { fetch: deployment.fetch },
    });
  const { admin } = clientOf(server.secretKey).auth;
  const email = `doctor-${crypto.randomUUID()}@example.com`;
  // Sends no mail.
  const made = await admin.generateLink({ type: 'signup', email, password: crypto.randomUUID() });
  const { user, properties } = made.data;
  if (!user || !properties) {
    return [notChecked(SUBJECT, 'it would need an account, and none could be made')];
  }
  try {
    const code = { type: 'signup', token_hash: properties.hashed_token } as const;
    const { data } = await clientOf(key).auth.verifyOtp(code);
    const token = data.session?.access_token;
    if (token === undefined) return [notChecked(SUBJECT, 'a new account could not log in')];
    return [await checkMessages(deployment, { url: server.url, key }, user.id, token)];
  } finally {
    await admin.deleteUser(user.id);
  }
};

async function checkMessages(
  { fetch }: Deployment,
  backend: { readonly url: string; readonly key: string },
  uid: string,
  token: string,
): Promise<Finding> {
  const giveToken = async () => ({ ok: true, value: token }) as const;
  const tokens: TokenSource = { accessToken: giveToken, refreshNow: giveToken };
  const subscribe = realtimeSubscribe(backend.url, backend.key, tokens);
  const remote = shopperRemote({ ...backend, fetch }, tokens);
  const change = {
    id: crypto.randomUUID(),
    kind: 'cart.clear',
    args: {},
    schema: CHANGE_SCHEMA,
    madeAt: new Date().toISOString(),
    baseVer: 0,
  } as const;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const own = await outcomeOf(subscribe, uid, () => {
    void remote.push(uid, crypto.randomUUID(), [change], signal);
  });
  if (own === 'refused') {
    const words = 'A shopper cannot listen: run `npx supabase db push --remote`, then see';
    return fault(SUBJECT, `${words} Realtime > Settings.`);
  }
  if (own === 'silent') {
    return fault(SUBJECT, 'No message arrives: see Realtime > Settings, and the database’s log.');
  }
  if ((await outcomeOf(subscribe, NOBODY, () => undefined)) !== 'refused') {
    return fault(SUBJECT, 'A shopper may listen to another: run `npx supabase db push --remote`.');
  }
  return ok(SUBJECT, 'a change sends a message to its shopper, and to nobody else');
}

type Outcome = 'heard' | 'refused' | 'silent';

/** Subscribes until a message comes, the subscription ends, or neither does in time. */
async function outcomeOf(
  subscribe: Subscribe,
  uid: string,
  onJoined: () => void,
): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const timer = setTimeout(resolve, TIMEOUT_MS, 'silent');
  const leave = subscribe(uid, {
    onJoined,
    onInvalidate: () => resolve('heard'),
    onEnd: () => resolve('refused'),
  });
  const outcome = await promise;
  clearTimeout(timer);
  leave();
  return outcome;
}
