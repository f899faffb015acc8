/** The tables with which the check tells products apart: hashed keys, bits and numbers in typed arrays. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BitSet, hasBit, KeyTable, NumberList } from '../../src/import/worker/key-table.ts';
import { TextHash } from '../../src/import/worker/text-hash.ts';

test('a key table numbers keys as a Map would, also when many keys share a slot', () => {
  // The low half chooses the slot, so few distinct low halves collide often. The search for a free slot goes on
  // from the last slot (0xffffffff) to the first.
  const key = fc.tuple(fc.nat(0xffffffff), fc.constantFrom(0, 1, 2, 1023, 1024, 0xffffffff));
  fc.assert(
    fc.property(fc.array(key, { maxLength: 4000 }), (keys) => {
      const table = new KeyTable();
      const map = new Map<string, number>();
      for (const [high, low] of keys) {
        const name = `${high} ${low}`;
        expect(table.find(high, low)).toBe(map.get(name) ?? -1);
        if (!map.has(name)) map.set(name, map.size);
        expect(table.enter(high, low)).toBe(map.get(name));
      }
      expect(table.size).toBe(map.size);
    }),
    { numRuns: 20 },
  );
});

test(
  'a hundred thousand stock codes in five sizes are all different, and found again',
  { tags: 'long' },
  () => {
    const KEYS = 500_000;
    const table = new KeyTable();
    const hash = new TextHash();
    for (const isEntered of [false, true]) {
      for (let i = 0; i < KEYS; i++) {
        const { high, low } = hash.of(`SKC-${Math.floor(i / 5)}`, `${i % 5}`);
        if (isEntered) expect(table.find(high, low)).toBe(i);
        else table.enter(high, low);
      }
      expect(table.size).toBe(KEYS);
    }
  },
);

test('the hash tells a stock code and size from other pairs with the same letters in a row', () => {
  const hash = new TextHash();
  const hashOf = (...texts: readonly string[]) => {
    const { high, low } = hash.of(...texts);
    return { high, low };
  };
  const abAndC = hashOf('AB', 'C');
  expect(hashOf('A', 'BC')).not.toEqual(abAndC);
  expect(hashOf('ABC', '')).not.toEqual(abAndC);
  expect(hashOf('AB', 'C')).toEqual(abAndC);
});

test('the bytes of a bit set hold just the numbers that were added', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(50_000)), (rows) => {
      const set = new BitSet();
      for (const row of rows) set.add(row);
      const bytes = set.toBytes();
      const inBytes = Array.from({ length: 50_010 }, (_, row) => row).filter((row) =>
        hasBit(bytes, row),
      );
      expect(inBytes).toEqual(rows.toSorted((a, b) => a - b));
    }),
    { numRuns: 20 },
  );
});

test('a list of numbers grows to the index that is written', () => {
  const list = new NumberList();
  list.set(5, 7);
  list.set(100_000, 0xffffffff);
  expect([list.at(5), list.at(6), list.at(100_000), list.at(1e9)]).toEqual([7, 0, 0xffffffff, 0]);
});
