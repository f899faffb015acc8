/** The permission to choose a new password, which a link in a mail gives a tab for an hour. */
import { afterEach, expect, test, vi } from 'vitest';
import { allowRecovery, endRecovery, mayRecover } from '../../src/account/recovery.ts';
import { plugInStorage } from '../page-storage.ts';

const HOUR_MS = 3_600_000;
const NOON_MS = Date.UTC(2026, 10, 21, 12);

afterEach(() => {
  endRecovery();
  vi.unstubAllGlobals();
});

test('a shopper who has not followed a link may not choose a new password', () => {
  expect(mayRecover('ada', NOON_MS)).toBe(false);
});

test.each([
  ['a browser that stores nothing', () => undefined],
  ['a browser that stores it for the tab', () => plugInStorage('sessionStorage')],
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
  const entries = plugInStorage('sessionStorage');
  allowRecovery('ada', NOON_MS);
  const [[key = '', value = ''] = []] = entries;
  endRecovery();
  expect(entries.size).toBe(0);
  // As after a reload: the page has forgotten it, and the storage has not.
  entries.set(key, value);
  expect(mayRecover('ada', NOON_MS)).toBe(true);
});
