import { afterEach, expect, test, vi } from 'vitest';
import { allowRecovery, endRecovery, mayRecover } from '../../src/account/recovery.ts';

const HOUR_MS = 3_600_000;
const NOON_MS = Date.UTC(2026, 10, 21, 12);

afterEach(() => {
  endRecovery();
  vi.unstubAllGlobals();
});

/** What a tab keeps when its page is loaded again. */
function keepInTab(): Map<string, string> {
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  return kept;
}

test('a shopper who has not followed a link may not choose a new password', () => {
  expect(mayRecover('ada', NOON_MS)).toBe(false);
});

test.each([
  ['a browser that keeps nothing', () => undefined],
  ['a browser that keeps it for the tab', keepInTab],
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
  const kept = keepInTab();
  allowRecovery('ada', NOON_MS);
  const [[slot = '', value = ''] = []] = kept;
  endRecovery();
  expect(kept.size).toBe(0);
  kept.set(slot, value);
  expect(mayRecover('ada', NOON_MS)).toBe(true);
});
