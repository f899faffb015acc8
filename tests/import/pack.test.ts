/** Packing a part's text. */
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pack } from '../../src/import/worker/pack.ts';
import { SEED } from '../random.ts';

/** The text as `pack` takes it: the inside of a JSON string, in UTF-8. */
const insideOf = (text: string) => new TextEncoder().encode(JSON.stringify(text).slice(1, -1));
const unpacked = (base64: string) => gunzipSync(Buffer.from(base64, 'base64')).toString();

test('a packed text is the same after unpacking', async () => {
  const chars = fc.constantFrom('A', ',', '"', '\\', '\n', '\r\n', '\u0001', 'ß', '価', '💎', ' ');
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: chars }));
  await fc.assert(
    fc.asyncProperty(text, async (text) => {
      expect(unpacked(await pack(insideOf(text)))).toBe(text);
    }),
    { seed: SEED },
  );
});

test('a part of many different rows is packed whole, however long', async () => {
  // All numbers differ, because 7,919 and the modulus have no common divisor; so gzip cannot pack them to nothing.
  const rows = Array.from({ length: 40_000 }, (_, i) => `${(i * 7919) % 100_003},"Wool “${i}”"\n`);
  const packed = await pack(insideOf(rows.join('')));
  // `pack` turns 0x8000 bytes into base64 at once, so this part needs more than one turn.
  expect(Buffer.from(packed, 'base64').length).toBeGreaterThan(0x8000);
  expect(unpacked(packed)).toBe(rows.join(''));
});
