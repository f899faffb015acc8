/** Whose data are spent on pictures ahead of time. */
import { afterEach, expect, test, vi } from 'vitest';
import { mayLoadAhead } from '../../src/pwa/save-data.ts';

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['the user saves data', { saveData: true }, false, false],
  ['the user saves data, at a first visit', { saveData: true }, true, false],
  ['the user does not save data', { saveData: false }, true, true],
  ['the browser cannot say, at a first visit', undefined, true, false],
  ['the browser cannot say, at a later visit', undefined, false, true],
])('when %s', (_what, connection, isFirstVisit, isAllowed) => {
  vi.stubGlobal('navigator', { connection });
  expect(mayLoadAhead(isFirstVisit)).toBe(isAllowed);
});
