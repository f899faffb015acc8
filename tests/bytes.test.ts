import { expect, test } from 'vitest';
import { FIRST_SCREEN_LIMIT_BYTES, firstScreenOf } from './bench/bytes.ts';
import { SITE_FOLDER } from './build-once.ts';

test('the scripts of the first screen weigh at most 110 kB, and supabase-js is not among them', () => {
  const { scripts, gzipBytes, withSupabase } = firstScreenOf(SITE_FOLDER);
  expect(scripts.length).toBeGreaterThan(0);
  expect(gzipBytes).toBeGreaterThan(50_000);
  expect(gzipBytes).toBeLessThanOrEqual(FIRST_SCREEN_LIMIT_BYTES);
  expect(withSupabase).toEqual([]);
});
