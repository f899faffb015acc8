/** How much the first screen and the stored files may weigh, compressed by gzip. */
import { expect, test } from 'vitest';
import {
  FIRST_SCREEN_LIMIT_BYTES,
  firstScreenOf,
  PRECACHE_LIMIT_BYTES,
  precacheOf,
  sum,
} from './bench/bytes.ts';
import { SITE_FOLDER } from './build-once.ts';

test('the scripts of the first screen weigh at most 100 kB, and supabase-js is not among them', () => {
  const { scripts, gzipBytes, withSupabase } = firstScreenOf(SITE_FOLDER);
  expect(scripts.length).toBeGreaterThan(0);
  expect(gzipBytes, 'the scripts were found').toBeGreaterThan(50_000);
  expect(gzipBytes).toBeLessThanOrEqual(FIRST_SCREEN_LIMIT_BYTES);
  expect(withSupabase).toEqual([]);
});

test('the files that a phone stores to open the shop offline weigh at most 285 kB', () => {
  const gzipBytes = sum(precacheOf(SITE_FOLDER), 'gzipBytes');
  expect(gzipBytes, 'the files were found').toBeGreaterThan(150_000);
  expect(gzipBytes).toBeLessThanOrEqual(PRECACHE_LIMIT_BYTES);
});
