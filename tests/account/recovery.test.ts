/** The permission to choose a new password, which a link in a mail gives a tab for an hour. */
import { afterEach, expect, test, vi } from 'vitest';
import { allowRecovery, endRecovery, mayRecover } from '../../src/account/recovery.ts';

const HOUR_MS = 3_600_000;
const NOON_MS = Date.UTC(2026, 10, 21, 12);

afterEach(() => {
  endRecovery();
  vi.unstubAllGlobals();
});

/** Makes the page's code use a `sessionStorage` in memory, which survives a reload. Returns its entries. */
function plugInSessionStorage(): Map<string, string> {
  const entries = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => entries.set(key, value),
    removeItem: (key: string) => entries.delete(key),
  });
  return entries;
}

test('a shopper who has not followed a link may not choose a new password', () => {
  expect(mayRecover('ada', NOON_MS)).toBe(false);
});

test.each([
  ['a browser that stores nothing', () => undefined],
  ['a browser that stores it for the tab', plugInSessionStorage],
])('in %s a link counts for its shopper and for an hour', (_what, prepare) => {
  prepare();
  allowRecovery('ada', NOON_MS);
  expect(mayRecover('ada', NOON_MS + HOUR_MS - 1)).toBe(true);
  expect(mayRecover('ada', NOON_MS + HOUR_MS)).toBe(false);
  expect(mayRecover('ada', NOON_MS - HOUR_MS)).toBe(false);
  expect(mayRecover('eve', NOON_MS)).toBe(false);
  endRecovery();
  expect(mayRecover('ada', NOON_MS)).toBe(false);
});

test('the permission of a link survives a reload of the page, and is removed when it is used', () => {
  const entries = plugInSessionStorage();
  allowRecovery('ada', NOON_MS);
  const [[key = '', value = ''] = []] = entries;
  endRecovery();
  expect(entries.size).toBe(0);
  entries.set(key, value);
  expect(mayRecover('ada', NOON_MS)).toBe(true);
});
