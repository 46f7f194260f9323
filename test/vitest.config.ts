import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    exclude: ['test/chaos/**'],
    globalSetup: ['test/support/postgres-cluster.ts'],
    testTimeout: 15_000,
    hookTimeout: 30_000,
    // Twice as many as a small machine has cores: most of what takes long here waits, for processes and for Slack’s pace.
    maxWorkers: 4,
  },
});
