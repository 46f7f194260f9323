import { defineConfig } from 'vitest/config';
import { APP_SUITES, LONG_SUITES, PAGE_SUITES, STORE_SUITES } from './suites.ts';

const root = new URL('..', import.meta.url).pathname;

/** In about two minutes on two cores: rules, the app on SQLite, the store and its races on both engines, and the page in a browser. */
export default defineConfig({
  test: {
    root,
    setupFiles: ['test/support/property-seed.ts'],
    // Only for what hangs: programs that a test starts need seconds on a busy machine.
    testTimeout: 45_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    // Nothing here keeps state in its modules, so a worker loads the app once and not for each file.
    isolate: false,
    // More than a small machine has cores: much of what takes long here waits.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: 'app',
          include: APP_SUITES,
          exclude: LONG_SUITES,
          provide: { engines: ['sqlite'], crashes: 'in process', propertyShare: 0.25 },
        },
      },
      {
        extends: true,
        test: {
          name: 'store',
          include: STORE_SUITES,
          exclude: LONG_SUITES,
          globalSetup: ['test/support/stores/postgres-cluster.ts'],
          provide: { engines: ['sqlite', 'postgres'] },
        },
      },
      {
        extends: true,
        test: {
          name: 'page',
          include: PAGE_SUITES,
          sequence: { groupOrder: 1 },
          provide: { engines: ['sqlite'] },
        },
      },
      {
        extends: true,
        test: {
          name: 'rules',
          include: ['test/**/*.test.ts'],
          exclude: [...APP_SUITES, ...STORE_SUITES, ...LONG_SUITES, ...PAGE_SUITES, 'test/chaos/**'],
          provide: { engines: ['sqlite'], propertyShare: 0.1 },
        },
      },
    ],
  },
});
