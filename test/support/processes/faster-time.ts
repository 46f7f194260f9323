/**
 * Makes the time of this process run faster, so that a lease of 90 seconds ends after a few: its clocks, and its waits.
 * Imported before everything else. Time also passes while the process is stopped, as in production.
 */
const scale = Number(process.env['TEST_TIME_SCALE'] ?? 1);

if (scale !== 1) {
  const countMs = performance.now.bind(performance);
  performance.now = () => countMs() * scale;
  globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
    apply: (wait, self, [run, delayMs, ...rest]: Parameters<typeof setTimeout>) =>
      Reflect.apply(wait, self, [run, (delayMs ?? 0) / scale, ...rest]),
  });
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (delayMs) => timeout(Math.ceil(delayMs / scale));
}
