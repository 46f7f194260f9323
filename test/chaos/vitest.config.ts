import { defineConfig } from 'vitest/config';

/** They measure milliseconds, so no other test runs beside them. */
const MEASURED = ['morning', 'limits-import', 'controls/catching-up', 'outages', 'hooks'].map(
  (name) => `test/chaos/${name}.test.ts`,
);

/** Tests that take minutes: crashes at every step, replicas side by side, and disturbed stores. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    globalSetup: ['test/support/stores/postgres-cluster.ts', 'test/support/processes/bundle-bot.ts'],
    testTimeout: 300_000,
    // A tally that differs is printed whole.
    chaiConfig: { truncateThreshold: 0 },
    provide: { engines: ['sqlite', 'postgres'] },
    projects: [
      {
        extends: true,
        test: { name: 'measured', include: MEASURED, maxWorkers: 1, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'waiting',
          include: ['test/chaos/**/*.test.ts'],
          exclude: MEASURED,
          // One more than a small machine has cores: they wait for leases, for processes, and for Slack’s rate limits.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
