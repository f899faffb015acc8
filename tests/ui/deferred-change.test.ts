/** Changes that wait for a login: for how long, for whom, and when they are dropped. */
import { beforeEach, expect, test, vi } from 'vitest';
import type { Answer } from '../../src/domain/failure.ts';
import {
  deferredChange,
  forgetAnyDeferred,
  forgetDeferred,
  onDeferredReady,
  sendWithDeferred,
} from '../../src/ui/deferred-change.ts';
import { askToLogIn } from '../../src/ui/log-in-first.ts';
import { noticeStore } from '../../src/ui/notices.ts';
import { plugInStorage } from '../page-storage.ts';

const WANTED = { kind: 'cart.add', productId: 7, productName: 'Sock' } as const;
const SIGNED_IN: Answer<null> = { ok: true, value: null };
const CONFIRM: Answer<'confirm'> = { ok: true, value: 'confirm' };
const OFFLINE: Answer<never> = { ok: false, failure: { kind: 'offline' } };
const HALF_AN_HOUR_MS = 1_800_000;

let inTab: Map<string, string>;

beforeEach(() => {
  vi.stubGlobal('location', { pathname: '/product/A', search: '?size=M' });
  inTab = plugInStorage('sessionStorage');
  forgetAnyDeferred();
});

/** Taps, and follows the alert's link. Returns the id in the address of the login. */
function tapAndFollow(): string {
  askToLogIn('Please log in to add items to your cart.', WANTED);
  const { href = '', run } = noticeStore.snapshot()?.action ?? {};
  run?.();
  return new URL(href, 'https://weft.test').searchParams.get('add') ?? '';
}

/**
 * The change that waits in this tab. Its `email` is undefined until a form is sent, and then null. Once a form that
 * the change's link opened has signed in, `email` is the address of that form.
 */
const waiting = (afterMs = 0) => deferredChange(Date.now() + afterMs);
const send = (id: string | null, email: string, answer: Answer<unknown>) =>
  sendWithDeferred(id, email, async () => answer);

test('the alert leads to the login and back, and nothing is kept before its link is followed', () => {
  askToLogIn('Please log in to manage favorites.', WANTED);
  const { text, role, action } = noticeStore.snapshot() ?? {};
  expect([text, role, action?.label]).toEqual([
    'Please log in to manage favorites.',
    'alert',
    'Log in',
  ]);
  expect(action?.href).toMatch(/^\/login\?next=%2Fproduct%2FA%3Fsize%3DM&add=[0-9a-f-]{36}$/);
  expect(waiting()).toBeNull();
});

test('what was tapped waits for 30 minutes in this tab, without an owner until a form is sent', () => {
  const id = tapAndFollow();
  expect(waiting()).toMatchObject({ ...WANTED, id });
  expect(waiting()?.email).toBeUndefined();
  expect(waiting(HALF_AN_HOUR_MS - 1000)).toMatchObject({ id });
  expect(waiting(HALF_AN_HOUR_MS + 1000)).toBeNull();
  expect([...inTab], 'and is gone for good').toEqual([]);
});

test('what was tapped belongs to the email address that logs in by the link of its alert, and to no other', async () => {
  const id = tapAndFollow();
  let during;
  await sendWithDeferred(id, 'Ada@weft.test', async () => {
    during = waiting();
    return OFFLINE;
  });
  expect(during, 'nobody’s until the form is answered').toMatchObject({ id, email: null });
  expect(waiting()?.email).toBeNull();
  await send(id, 'ada@weft.test', SIGNED_IN);
  expect(waiting()?.email).toBe('ada@weft.test');
  await send(null, 'ada@weft.test', SIGNED_IN);
  expect(waiting()?.email, 'this login was opened by another link').toBeNull();
});

test('what was tapped is ready as soon as the form of its login is answered', async () => {
  const id = tapAndFollow();
  const emails: unknown[] = [];
  onDeferredReady(() => emails.push(waiting()?.email));
  await send(id, 'ada@weft.test', OFFLINE);
  await send(id, 'Ada@weft.test', SIGNED_IN);
  expect(emails).toEqual(['ada@weft.test']);
});

test('what is dropped or replaced while a form is sent stays so', async () => {
  for (const answer of [SIGNED_IN, CONFIRM]) {
    const id = tapAndFollow();
    await sendWithDeferred(id, 'ada@weft.test', async () => {
      forgetAnyDeferred();
      return answer;
    });
    expect([waiting(), ...inTab]).toEqual([null]);
  }
  const first = tapAndFollow();
  let second;
  await sendWithDeferred(first, 'ada@weft.test', async () => {
    second = tapAndFollow();
    return SIGNED_IN;
  });
  expect(waiting()?.id).toBe(second);
  expect(waiting()?.email).toBeUndefined();
});

test('after a registration that awaits a mail, what was tapped waits for the login in the same tab', async () => {
  const id = tapAndFollow();
  await send(id, 'eve@weft.test', CONFIRM);
  expect(waiting()?.email, 'a login in another tab does nothing here').toBeNull();
  await send(id, 'eve@weft.test', SIGNED_IN);
  expect(waiting()).toMatchObject({ id, email: 'eve@weft.test' });
  forgetDeferred(id);
  expect([...inTab]).toEqual([]);
});

test('in a browser without storage the document remembers what was tapped', () => {
  vi.unstubAllGlobals();
  vi.stubGlobal('location', { pathname: '/', search: '' });
  const id = tapAndFollow();
  expect(waiting()).toMatchObject({ id });
});

test('a stored text that is no such change is ignored', () => {
  for (const text of ['{', '[]', '{"id":1}', '{"id":"a","kind":"cart.clear","productId":1}']) {
    inTab.set('weft-deferred-change', text);
    expect(waiting(), text).toBeNull();
  }
});
