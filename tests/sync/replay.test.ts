/** What the service worker does with unsaved changes when the shop is closed (Background Sync). */
import { expect, test } from 'vitest';
import { OFFLINE, SIGN_IN_NEEDED } from '../../src/domain/failure.ts';
import type { PendingChanges } from '../../src/db/pending-read.ts';
import type { Change } from '../../src/domain/change.ts';
import type { ShopperRemote } from '../../src/remote/shopper.ts';
import { keptToken, replay } from '../../src/sync/replay.ts';

const COUNT = 120;
const NOW = Date.parse('2026-03-04T10:00:00Z');
/** The worker uses a token only if it stays valid for at least this time. */
const MARGIN_S = 30;
const UID = '0b7e7d3c-0000-4000-8000-000000000001';

const session = (expiresInSeconds: number) =>
  JSON.stringify({
    access_token: 'stored',
    refresh_token: 'never used',
    expires_at: NOW / 1000 + expiresInSeconds,
    user: { id: UID },
  });

test('the stored token is used until shortly before it expires, for its own shopper, and never renewed', async () => {
  const tokenOf = (seconds: number, uid = UID) =>
    keptToken(session(seconds), () => NOW).accessToken(uid);
  expect(await tokenOf(MARGIN_S)).toEqual({ ok: true, value: 'stored' });
  expect(await tokenOf(MARGIN_S - 1)).toEqual(SIGN_IN_NEEDED);
  expect(await tokenOf(-3600)).toEqual(SIGN_IN_NEEDED);
  expect(await tokenOf(60, 'another shopper')).toEqual(SIGN_IN_NEEDED);
  expect(await keptToken('broken', () => NOW).accessToken(UID)).toEqual(SIGN_IN_NEEDED);
  expect(await keptToken(session(60), () => NOW).refreshNow(UID)).toEqual(SIGN_IN_NEEDED);
});

const unsaved = (count: number): PendingChanges => ({
  uid: UID,
  device: 'phone',
  session: session(60),
  changes: Array.from({ length: count }, (_, i): Change => {
    const madeAt = new Date(NOW).toISOString();
    const args = { productId: i, by: 1 };
    return { id: String(i), schema: 1, madeAt, baseVer: 0, kind: 'cart.add', args };
  }),
});

type PushAnswer = Awaited<ReturnType<ShopperRemote['push']>>;

const PUSHED: PushAnswer = { ok: true, value: 1 };

/** A server that gives these answers one after the other, then `PUSHED`; `sent` has the ids of each request. */
function server(...answers: readonly PushAnswer[]) {
  const sent: string[][] = [];
  const push: ShopperRemote['push'] = async (_uid, _device, changes) => {
    sent.push(changes.map(({ id }) => id));
    return answers[sent.length - 1] ?? PUSHED;
  };
  return { sent, push };
}

const { signal } = new AbortController();

test('unsaved changes are sent in the order in which they were made, at most 50 changes at once', async () => {
  const { sent, push } = server();
  expect(await replay(unsaved(COUNT), { push }, signal)).toBe('sent');
  expect(sent.map(({ length }) => length)).toEqual([50, 50, COUNT - 100]);
  expect(sent.flat()).toEqual(Array.from({ length: COUNT }, (_, i) => String(i)));
});

test('after a failure nothing later is sent, and the platform is asked for another attempt', async () => {
  const { sent, push } = server(PUSHED, OFFLINE);
  expect(await replay(unsaved(COUNT), { push }, signal)).toBe('failed');
  expect(sent.length).toBe(2);
});

test('an ended session is left to the page', async () => {
  const { push } = server(SIGN_IN_NEEDED);
  expect(await replay(unsaved(1), { push }, signal)).toBe('sign-in');
});
