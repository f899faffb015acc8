/** When pictures are loaded ahead of time, which costs the user data. */
import { afterEach, expect, test, vi } from 'vitest';
import { mayLoadAhead } from '../../src/pwa/save-data.ts';

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['none where the user saves data', { saveData: true }, false, false],
  ['none where the user saves data, at a first visit', { saveData: true }, true, false],
  ['some where the user does not save data', { saveData: false }, true, true],
  ['none where the browser cannot say, at a first visit', undefined, true, false],
  ['some where the browser cannot say, at a later visit', undefined, false, true],
])('pictures are loaded ahead: %s', (_what, connection, isFirstVisit, isAllowed) => {
  vi.stubGlobal('navigator', { connection });
  expect(mayLoadAhead(isFirstVisit)).toBe(isAllowed);
});
