/** Generates products. The same seed gives the same products, from the same sample and pictures. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportRow } from './sample.ts';
import { readSampleCatalogue } from './sample.ts';

const PICTURES = join(import.meta.dirname, '../../public/pictures');
const SIZES = ['XS', 'S', 'M', 'L', 'XL', 'XXL'];

/**
 * Rows for `importRows`: stock codes `GEN-000001` onwards, most in several sizes, with
 * categories, materials and prices in the manner of the sample catalogue.
 */
export function generateProducts(count: number, seed = 1): ImportRow[] {
  const random = randomFrom(seed);
  const sample = readSampleCatalogue();
  const pickFrom = <T>(list: readonly T[]): T | undefined =>
    list[Math.floor(random() * list.length)];
  const pictures = existsSync(PICTURES) ? readdirSync(PICTURES).toSorted() : [];
  const rows: ImportRow[] = [];
  for (let garment = 1; rows.length < count; garment += 1) {
    const example = pickFrom(sample);
    const picture = pickFrom(pictures);
    const common = {
      SKC: `GEN-${String(garment).padStart(6, '0')}`,
      'Images link': picture === undefined || random() < 0.02 ? null : `/pictures/${picture}`,
      'Category 1': example?.['Category 1'] ?? null,
      'Category 2': example?.['Category 2'] ?? null,
      'Category 3': example?.['Category 3'] ?? null,
      'Category 4': example?.['Category 4'] ?? null,
      // From $9 to $409, most of them low.
      'Retail Price': random() < 0.01 ? null : Math.round(900 + random() ** 3 * 40_000) / 100,
      Material: pickFrom(sample)?.Material ?? null,
      'Fabric Composition': pickFrom(sample)?.['Fabric Composition'] ?? null,
    };
    const firstSize = Math.floor(random() * 3); // an index of SIZES
    const sizes =
      random() < 0.3 ? [''] : SIZES.slice(firstSize, firstSize + 1 + Math.floor(random() * 4));
    for (const Size of sizes) {
      if (rows.length < count) rows.push({ ...common, Size });
    }
  }
  return rows;
}

/** mulberry32 by Tommy Ettinger (public domain): small, fast, and good enough for made-up clothes. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
