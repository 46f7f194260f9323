import { defineConfig } from 'vitest/config';

/**
 * The tests that `npm test` leaves out: crashes by SIGKILL, slow ones, and each other one on the engines that it leaves
 * out. `NIGHTLY=true` also runs what costs most and finds least: all of the app on both engines, every case of the
 * properties, and the files called `*.nightly.test.ts`.
 */
const isNightly = process.env['NIGHTLY'] === 'true';
const propertyShare = isNightly ? 1 : 0.06;
const root = new URL('..', import.meta.url).pathname;

// Node keeps what it compiled for the next worker, for each program that a test starts, and for the next run.
process.env['NODE_COMPILE_CACHE'] ??= `${root}node_modules/.cache/compiled`;

export default defineConfig({
  test: {
    root,
    // Values that differ are printed at some length: a run elsewhere leaves nothing but its log.
    chaiConfig: { truncateThreshold: 600 },
    setupFiles: ['test/support/module-resolution.ts', 'test/support/property-seed.ts'],
    // Only for tests that hang: programs that a test starts need many seconds on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000, interval: 5 } },
    maxWorkers: 3,
    // As for the daily tests: Node runs the sources itself, and its garbage collector takes no cores from other workers.
    execArgv: ['--single-threaded-gc'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      {
        extends: true,
        test: {
          name: 'app on Postgres',
          include: isNightly
            ? ['test/{e2e,programs/doctor}/**/*.test.ts', 'test/features/digests/clock-changes.test.ts']
            : ['test/e2e/**/*.slow.test.ts', 'test/e2e/ask/*.test.ts', 'test/features/digests/clock-changes.test.ts'],
          exclude: ['test/**/*.{long,nightly,measured,property}.test.ts'],
          isolate: false,
          globalSetup: ['test/support/stores/postgres-cluster.ts', 'test/support/processes/bundle-bot.ts'],
          provide: { engines: ['postgres'], isTimeStill: true },
        },
      },
      ...(isNightly
        ? [
            {
              extends: true as const,
              test: {
                name: 'slow tests of the app on SQLite',
                globalSetup: ['test/support/processes/bundle-bot.ts'],
                include: ['test/e2e/**/*.slow.test.ts'],
                isolate: false,
                provide: { engines: ['sqlite' as const], isTimeStill: true },
              },
            },
          ]
        : []),
      {
        extends: true,
        test: {
          // The daily tests run them on SQLite.
          name: 'stores',
          include: ['test/**/*.store.test.ts'],
          // They run on both each time.
          exclude: ['test/core/{store,outbox}/*.test.ts', 'test/**/*.property.store.test.ts'],
          isolate: false,
          globalSetup: ['test/support/stores/postgres-cluster.ts', 'test/support/processes/bundle-bot.ts'],
          provide: { engines: isNightly ? ['sqlite', 'postgres'] : ['postgres'] },
        },
      },
      {
        extends: true,
        test: {
          name: 'properties',
          include: ['test/**/*.property{,.store}.test.ts'],
          isolate: false,
          provide: { engines: ['sqlite'], propertyShare },
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: isNightly ? ['test/**/*.{long,nightly}.test.ts'] : ['test/**/*.long.test.ts'],
          globalSetup: ['test/support/stores/postgres-cluster.ts', 'test/support/processes/bundle-bot.ts'],
          provide: { engines: ['sqlite', 'postgres'], propertyShare },
        },
      },
      {
        extends: true,
        test: {
          name: 'measured',
          include: ['test/**/*.measured.test.ts'],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          globalSetup: ['test/support/stores/postgres-cluster.ts', 'test/support/processes/bundle-bot.ts'],
          provide: { engines: ['sqlite', 'postgres'] },
        },
      },
    ],
  },
});
