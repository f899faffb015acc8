import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** `npm run soak -- guards`: the tests of attacks alone, on a shop in which a guard is missing. */
export default defineConfig({
  root: join(import.meta.dirname, '../../..'),
  test: {
    include: [
      'tests/netlify/attack*.test.ts',
      'tests/supabase/erasure.test.ts',
      'tests/supabase/push-limits.test.ts',
      'tests/supabase/orders-{prices-taken-back,reversals,unpaid}.test.ts',
      'tests/postgres/account-deletion.test.ts',
    ],
    environment: 'node',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
  },
});
