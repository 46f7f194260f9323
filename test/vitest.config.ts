import { defineConfig } from 'vitest/config';

const root = new URL('..', import.meta.url).pathname;

// Node keeps what it compiled for the next worker, and the next run.
process.env['NODE_COMPILE_CACHE'] ??= `${root}node_modules/.cache/compiled`;

/**
 * In a minute on two cores: rules, the app and what it stores on SQLite, and the store and the outbox, with
 * their races, on both engines.
 */
export default defineConfig({
  test: {
    root,
    // Values that differ are printed at some length: a run elsewhere leaves nothing but its log.
    chaiConfig: { truncateThreshold: 600 },
    setupFiles: ['test/support/module-resolution.ts', 'test/support/property-seed.ts'],
    // Only for tests that hang: programs that a test starts need seconds on a busy machine.
    testTimeout: 45_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000, interval: 5 } },
    // Nothing here keeps state in its modules, so a worker loads the app once and not for each file.
    isolate: false,
    // One more than a small machine has cores, because some of it waits. With more, all of them only slow each other
    // down.
    maxWorkers: 3,
    // All cores are busy: a garbage collector with threads of its own would only take them from the other workers.
    execArgv: ['--single-threaded-gc', '--min-semi-space-size=32', '--max-semi-space-size=64'],
    // Node runs the sources itself, as the bot does: no bundler reads each module once more for each worker.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.{long,slow,measured,nightly}.test.ts', 'test/chaos/**'],
    globalSetup: ['test/support/stores/postgres-cluster.ts'],
    provide: { engines: ['sqlite'], propertyShare: 0.005, isTimeStill: true },
  },
});
