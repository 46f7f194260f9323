import { defineConfig } from 'vitest/config';

/** What takes minutes: crashes at every step, and replicas side by side. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/chaos/**/*.test.ts'],
    globalSetup: ['test/support/postgres-cluster.ts'],
    testTimeout: 300_000,
    maxWorkers: 1,
  },
});
