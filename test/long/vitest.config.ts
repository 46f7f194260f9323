import { defineConfig } from 'vitest/config';
import { APP_SUITES, CRASH_SUITES, LONG_APP_SUITES, LONG_SUITES, MEASURED_SUITES, PROPERTY_SUITES } from '../suites.ts';

/** What `npm test` leaves out: the app on Postgres, crashes by SIGKILL, and what takes its time. */
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
          include: APP_SUITES,
          exclude: [...LONG_SUITES, ...CRASH_SUITES],
          isolate: false,
          globalSetup: ['test/support/stores/postgres-cluster.ts'],
          provide: { engines: ['postgres'] },
        },
      },
      {
        extends: true,
        test: { name: 'app on SQLite', include: LONG_APP_SUITES, isolate: false, provide: { engines: ['sqlite'] } },
      },
      {
        extends: true,
        test: { name: 'properties', include: PROPERTY_SUITES, isolate: false, provide: { engines: ['sqlite'] } },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: [...LONG_SUITES, ...CRASH_SUITES],
          exclude: MEASURED_SUITES,
          globalSetup: ['test/support/stores/postgres-cluster.ts'],
          provide: { engines: ['sqlite', 'postgres'], crashes: 'of processes' },
        },
      },
      {
        extends: true,
        test: {
          name: 'measured',
          include: MEASURED_SUITES,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          globalSetup: ['test/support/stores/postgres-cluster.ts'],
          provide: { engines: ['sqlite', 'postgres'] },
        },
      },
    ],
  },
});
