import { defineConfig } from 'vitest/config';

/** The tests that `npm test` leaves out: the app on Postgres, crashes by SIGKILL, and slow ones. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    setupFiles: ['test/support/property-seed.ts'],
    testTimeout: 45_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: 'app on Postgres',
          include: ['test/{e2e,doctor}/**/*.test.ts', 'test/digests/clock-changes.test.ts'],
          exclude: ['test/**/*.{long,measured,property}.test.ts'],
          isolate: false,
          globalSetup: ['test/support/stores/postgres-cluster.ts'],
          provide: { engines: ['postgres'] },
        },
      },
      {
        extends: true,
        test: {
          name: 'slow tests of the app on SQLite',
          include: ['test/e2e/**/*.slow.test.ts'],
          isolate: false,
          provide: { engines: ['sqlite'] },
        },
      },
      {
        extends: true,
        test: {
          name: 'properties',
          include: ['test/**/*.property{,.store}.test.ts'],
          isolate: false,
          provide: { engines: ['sqlite'] },
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: ['test/**/*.long.test.ts'],
          globalSetup: ['test/support/stores/postgres-cluster.ts'],
          provide: { engines: ['sqlite', 'postgres'] },
        },
      },
      {
        extends: true,
        test: {
          name: 'measured',
          include: ['test/**/*.measured.test.ts'],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          globalSetup: ['test/support/stores/postgres-cluster.ts'],
          provide: { engines: ['sqlite', 'postgres'] },
        },
      },
    ],
  },
});
