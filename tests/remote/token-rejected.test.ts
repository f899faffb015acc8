/** Answers of the server that reject a token: one renewal, and then waiting, not signing out. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Answer, OFFLINE, SIGN_IN_NEEDED } from '../../src/domain/failure.ts';
import { checkoutRemote } from '../../src/remote/checkout.ts';
import { importsRemote } from '../../src/remote/imports.ts';
import { ordersRemote } from '../../src/remote/orders.ts';
import { shopperRemote } from '../../src/remote/shopper.ts';
import type { TokenSource } from '../../src/remote/auth/token-source.ts';
import { SQLSTATE } from '../supabase/sqlstate.ts';

const UID = '0b7e7d3c-0000-4000-8000-000000000001';
const { signal } = new AbortController();

/** What the server answers to every request, and the tokens that came with the requests. */
let answer: () => Response;
let tokensSent: string[];
beforeEach(() => {
  tokensSent = [];
  vi.stubGlobal('fetch', async (_input: unknown, init: RequestInit) => {
    tokensSent.push(new Headers(init.headers).get('authorization')?.slice('Bearer '.length) ?? '');
    return answer();
  });
});
afterEach(() => vi.unstubAllGlobals());

/** A source that gives the token `first`, and this answer to a renewal. */
const renewing = (renewal: Answer<string>): TokenSource => ({
  accessToken: async () => ({ ok: true, value: 'first' }),
  refreshNow: async () => renewal,
});
const RENEWED = renewing({ ok: true, value: 'second' });
const ENDED = renewing(SIGN_IN_NEEDED);
const UNREACHABLE = renewing(OFFLINE);

const rejection = (status: number, body: object) => () => Response.json(body, { status });
const NO_SUITABLE_KEY = rejection(401, { code: 'PGRST301', message: 'no suitable key was found' });
const { insufficientPrivilege } = SQLSTATE;
const REJECTIONS: [string, () => Response][] = [
  ['401 PGRST301', NO_SUITABLE_KEY],
  ['403', rejection(403, { code: insufficientPrivilege, message: 'not yours' })],
  ['a plain 401 of the gateway', rejection(401, { message: 'Unauthorized' })],
];

const BACKEND = { url: 'https://shop.test', key: 'key' };
/** The four callers that send a token. Each returns the kind of its failure, or null. */
const save = async (tokens: TokenSource) =>
  kindOf(await shopperRemote(BACKEND, tokens).push(UID, 'phone', [], signal));
const readOrders = async (tokens: TokenSource) =>
  kindOf(await ordersRemote(BACKEND, tokens).read(UID, signal));
const pay = async (tokens: TokenSource) =>
  kindOf(await checkoutRemote(tokens, UID).capturePayPalOrder('order'));
const startImport = async (tokens: TokenSource) =>
  kindOf(await importsRemote(tokens).overview(UID));

function kindOf(given: Answer<unknown, { readonly kind: string }>): string | null {
  return given.ok ? null : given.failure.kind;
}

test.each(REJECTIONS)(
  'saving that is answered with %s is tried once more with a renewed token, and asks to sign in only if the auth service has ended the session',
  async (_name, given) => {
    answer = given;
    expect(await save(RENEWED)).toBe('rejected');
    expect(tokensSent).toEqual(['first', 'second']);
    expect(await save(UNREACHABLE)).toBe('offline');
    expect(await save(ENDED)).toBe('sign-in');
  },
);

test.each([
  ['reading orders', readOrders],
  ['paying', pay],
  ['importing', startImport],
])(
  '%s, while the server rejects every token, fails for now, and asks to sign in only if the auth service has ended the session',
  async (_name, ask) => {
    answer = NO_SUITABLE_KEY;
    expect(await ask(RENEWED)).toBe('rejected');
    expect(tokensSent).toEqual(['first', 'second']);
    expect(await ask(ENDED)).toBe('sign-in');
    expect(await ask(UNREACHABLE)).toBe('offline');
  },
);

test.each([
  ['has lost its own secret', rejection(500, { code: 'PGRST300', message: 'no secret' })],
  ['has had too many changes at once', rejection(429, { code: SQLSTATE.tooManyRequests })],
])('a server that %s is not asked with another token', async (_name, given) => {
  answer = given;
  expect(await save(RENEWED)).toBe('rejected');
  expect(tokensSent).toEqual(['first']);
});
