import { afterEach, expect, test, vi } from 'vitest';
import { connection } from '../../src/db/connection.ts';
import { isInUse } from '../../src/pwa/in-use.ts';

vi.stubGlobal('location', new URL('https://shop.weft.test/'));
const noElements = { querySelector: () => null, querySelectorAll: () => [], hasFocus: () => false };
vi.stubGlobal('document', noElements);
afterEach(() => vi.restoreAllMocks());

test('a new version does not reload a tab whose data are in memory only, because they would be lost', () => {
  expect(isInUse()).toBe(false);
  vi.spyOn(connection, 'kept', 'get').mockReturnValue('memory');
  expect(isInUse()).toBe(true);
});
