import { defineConfig } from 'vitest/config';

/** The journeys in all engines, `npm run test:engines`. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['*.test.ts'],
    globalSetup: ['../build-once.ts', 'install.ts'],
    expect: { poll: { timeout: 60_000, interval: 200 } },
    testTimeout: 600_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
  },
});
