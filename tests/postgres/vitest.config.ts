import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** `npm run test:postgres`: tests with several sessions at once, on a real PostgreSQL server. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['tests/postgres/*.test.ts'],
    environment: 'node',
    testTimeout: 300_000,
    hookTimeout: 600_000,
    maxWorkers: 1, // each file starts a server of its own and keeps it busy
  },
});
