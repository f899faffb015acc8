/** Which products the device remembers to have shown. */
import { beforeEach, expect, test } from 'vitest';
import { noteViewed, viewedCodes, viewedKey } from '../../src/ui/viewed.ts';
import { plugInStorage } from '../page-storage.ts';

beforeEach(() => void plugInStorage('localStorage'));

test('the device remembers the last five products, each once, the newest first', () => {
  for (const skc of ['A', 'B', 'C', 'D', 'E', 'F', 'C']) noteViewed(skc);
  expect(viewedCodes()).toEqual(['C', 'F', 'E', 'D', 'B']);
});

test.each([
  ['', []],
  ['null', []],
  ['{}', []],
  ['["A"', []],
  ['[1, "A", null]', ['A']],
])('of the stored text %j only stock codes are read', (text, codes) => {
  viewedKey.write(text);
  expect(viewedCodes()).toEqual(codes);
});
