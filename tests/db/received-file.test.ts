/** Files from elsewhere: the names under which they are kept and shown, and which file is removed. */
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { findReceived, forgetReceived, plainName } from '../../src/db/received-file.ts';
import { SEED } from '../random.ts';

test.each([
  ['spring 2026 (2).csv', 'spring 2026 (2).csv'],
  ['Größen & Preise, März – 価格.csv', 'Größen & Preise, März _ 価格.csv'],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['C:\\prices.csv', 'C__prices.csv'],
  ['prices\u202evsc.exe', 'prices_vsc.exe'],
  ['<img src=x onerror=alert(1)>', '_img src=x onerror=alert(1)_'],
  ['\u0000\r\n', '___'],
  ['...', 'shared.csv'],
  ['', 'shared.csv'],
  [`${'x'.repeat(300)}.csv`, `${'x'.repeat(76)}.csv`],
])('a file named %j is kept as %j', (name, plain) => {
  expect(plainName(name)).toBe(plain);
});

test('any name becomes one that file systems accept and that has no invisible characters', () => {
  const anyName = fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 120 })
    .map((utf16Units) => String.fromCharCode(...utf16Units)); // lone surrogates included
  fc.assert(
    fc.property(fc.oneof(anyName, fc.string({ unit: 'binary' })), (name) => {
      const plain = plainName(name);
      expect(plain, '1 to 80 allowed characters').toMatch(/^[^\p{C}/\\:*?"<>|]{1,80}$/u);
      expect(plain, 'no dot or space at either end').toMatch(/^[^. ](.*[^. ])?$/su);
      expect(plainName(plain), 'stays the same when it is made plain again').toBe(plain);
    }),
    { seed: SEED },
  );
});

afterEach(() => vi.unstubAllGlobals());

/** A private file system whose folder of received files holds the file that is put into `kept`. */
function fileSystemWith(first: File) {
  const kept = { file: first as File | null };
  const folder = {
    async *values() {
      if (kept.file) yield { kind: 'file', getFile: async () => kept.file };
    },
  };
  const root = {
    getDirectoryHandle: async () => folder,
    removeEntry: async () => {
      kept.file = null;
    },
  };
  const storage = { getDirectory: async () => root };
  vi.stubGlobal('navigator', { locks: navigator.locks, storage });
  return kept;
}

test('a user who declines a file in one tab does not remove the file that was shared after it', async () => {
  const now = Date.now();
  const first = new File(['SKC'], 'first.csv', { lastModified: now - 2 });
  const second = new File(['SKC'], 'second.csv', { lastModified: now - 1 });
  const kept = fileSystemWith(first);
  expect(await findReceived(now)).toBe(first);
  kept.file = second;
  await forgetReceived(first);
  expect(await findReceived(now)).toBe(second);
  await forgetReceived(second);
  expect(await findReceived(now)).toBeNull();
});

test('a logout removes whatever file is kept', async () => {
  const kept = fileSystemWith(new File(['SKC'], 'any.csv'));
  await forgetReceived();
  expect(kept.file).toBeNull();
});
