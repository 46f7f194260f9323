import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    exclude: ['test/chaos/**'],
    globalSetup: ['test/support/postgres-cluster.ts'],
    setupFiles: ['test/support/property-seed.ts'],
    // Only for what hangs: programs that a test starts need seconds on a busy machine.
    testTimeout: 45_000,
    hookTimeout: 60_000,
    // More than a small machine has cores: most of what takes long here waits, for processes and for Slack’s pace.
    maxWorkers: 3,
  },
});
