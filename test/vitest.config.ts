import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    exclude: ['test/chaos/**'],
    globalSetup: ['test/support/postgres-cluster.ts'],
    testTimeout: 15_000,
    hookTimeout: 30_000,
    // Two workers: the suite also runs Postgres, Chromium and child processes of the bot on machines with two cores.
    maxWorkers: 2,
  },
});
