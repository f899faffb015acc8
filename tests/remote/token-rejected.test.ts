import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Answer, OFFLINE, SIGN_IN_NEEDED } from '../../src/domain/failure.ts';
import { checkoutRemote } from '../../src/remote/checkout.ts';
import { importsRemote } from '../../src/remote/imports.ts';
import { ordersRemote } from '../../src/remote/orders.ts';
import { shopperRemote } from '../../src/remote/shopper.ts';
import type { TokenSource } from '../../src/remote/auth/token-source.ts';

const UID = '0b7e7d3c-0000-4000-8000-000000000001';
const { signal } = new AbortController();

/** What the server says to every request, and with which tokens it was asked. */
let answer: () => Response;
let asked: string[];
beforeEach(() => {
  asked = [];
  vi.stubGlobal('fetch', async (_input: unknown, init: RequestInit) => {
    asked.push(new Headers(init.headers).get('authorization')?.slice('Bearer '.length) ?? '');
    return answer();
  });
});
afterEach(() => vi.unstubAllGlobals());

const renewing = (second: Answer<string>): TokenSource => ({
  accessToken: async () => ({ ok: true, value: 'first' }),
  refreshNow: async () => second,
});
const RENEWED = renewing({ ok: true, value: 'second' });
const ENDED = renewing(SIGN_IN_NEEDED);
const AWAY = renewing(OFFLINE);

const rejection = (status: number, body: object) => () => Response.json(body, { status });
const PASSING: [string, () => Response][] = [
  ['401 PGRST301', rejection(401, { code: 'PGRST301', message: 'no suitable key was found' })],
  ['42501', rejection(403, { code: '42501', message: 'not yours' })],
  ['a plain 401 of the gateway', rejection(401, { message: 'Unauthorized' })],
];

/** The four places that ask with a token: why what they were asked for did not happen. */
const PLACES: readonly (readonly [string, (tokens: TokenSource) => Promise<unknown>])[] = [
  [
    'saving changes',
    async (tokens) => {
      const remote = shopperRemote({ url: 'https://shop.test', key: 'key' }, tokens);
      return kindOf(await remote.push(UID, 'phone', [], signal));
    },
  ],
  [
    'reading orders',
    async (tokens) => {
      const remote = ordersRemote({ url: 'https://shop.test', key: 'key' }, tokens);
      return kindOf(await remote.read(UID, signal));
    },
  ],
  [
    'paying',
    async (tokens) => kindOf(await checkoutRemote(tokens, UID).capturePayPalOrder('order')),
  ],
  ['importing', async (tokens) => kindOf(await importsRemote(tokens).rights(UID))],
];

function kindOf(given: Answer<unknown, { readonly kind: string }>): string | null {
  return given.ok ? null : given.failure.kind;
}

describe.each(PASSING)('the server answers %s, whatever the token', (_name, given) => {
  beforeEach(() => {
    answer = given;
  });

  test('saving waits, with one renewed token, as long as the auth service gives them out', async () => {
    const [, saving] = PLACES[0] ?? [];
    expect(await saving?.(RENEWED)).toBe('rejected');
    expect(asked).toEqual(['first', 'second']);
    expect(await saving?.(AWAY)).toBe('offline');
    expect(await saving?.(ENDED)).toBe('sign-in');
  });
});

describe.each(PLACES)('%s, while the server rejects every token', (_name, ask) => {
  beforeEach(() => {
    answer = rejection(401, { code: 'PGRST301', message: 'no suitable key was found' });
  });

  test('fails for now and does not end a session that the auth service has just renewed', async () => {
    expect(await ask(RENEWED)).toBe('rejected');
    expect(asked).toEqual(['first', 'second']);
  });

  test('asks to sign in only when the auth service has ended the session', async () => {
    expect(await ask(ENDED)).toBe('sign-in');
    expect(await ask(AWAY)).toBe('offline');
    expect(asked).toEqual(['first', 'first']);
  });
});

test('a server that has lost its own secret is not asked with another token', async () => {
  answer = rejection(500, { code: 'PGRST300', message: 'Server lacks JWT secret' });
  expect(await PLACES[0]?.[1](RENEWED)).toBe('rejected');
  expect(await PLACES[1]?.[1](RENEWED)).toBe('rejected');
  expect(asked).toEqual(['first', 'first']);
});

test('a server that has had too many changes at once is asked again later', async () => {
  answer = rejection(429, { code: 'PT429', message: 'Too many changes at once.' });
  expect(await PLACES[0]?.[1](RENEWED)).toBe('rejected');
  expect(asked).toEqual(['first']);
});
