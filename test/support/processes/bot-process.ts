/**
 * The real bot in a process of its own, which a test can kill. Over its IPC channel it receives the time and the step
 * of a delivery at which it has to die.
 */
import './faster-time.ts';
import { setFlagsFromString, writeHeapSnapshot } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';
import { startApp } from '../../../src/app/app.ts';
import { readConfig } from '../../../src/core/base/settings/config.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';

const orderSchema = z.discriminatedUnion('order', [
  z.object({ order: z.literal('move'), to: z.string() }),
  z.object({ order: z.literal('die'), at: z.string() }),
  z.object({ order: z.literal('measure') }),
  z.object({ order: z.literal('collect') }),
  z.object({ order: z.literal('snapshot'), path: z.string() }),
]);

const settings = readConfig(process.env);
if (!settings.ok) throw new Error(JSON.stringify(settings.faults));
const { config, secrets } = settings;
const clock = createMovableClock(new Date(process.env['TEST_NOW'] ?? ''));
const log = createLogger(config.logLevel, Object.values(secrets), (line) => void process.stderr.write(line));
let dieAt = '';
let watch: ReturnType<typeof watchProcess> | undefined;

process.on('message', (message) => {
  const order = orderSchema.parse(message);
  if (order.order === 'die') dieAt = order.at;
  else if (order.order === 'move') clock.moveTo(new Date(order.to));
  else if (order.order === 'collect') process.send?.({ heapMb: collectGarbage() });
  else if (order.order === 'snapshot') process.send?.({ snapshot: writeHeapSnapshot(order.path) });
  else {
    watch ??= watchProcess();
    process.send?.({ measured: watch.take() });
  }
});
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => void app.stop().then(() => process.exit(0)));

const app = await startApp({
  config,
  secrets,
  clock,
  // With a time of its own the store is not moved along, as in production.
  ...(process.env['TEST_STORE_TIME'] === 'own' ? {} : { storeTime: () => clock.now() }),
  log,
  onFatal: (reason) => {
    log.fatal(reason);
    process.exit(1);
  },
  checkpoint: (name) => {
    if (name === dieAt) process.kill(process.pid, 'SIGKILL');
  },
  onSettled: (delivery, { state }) => process.send?.({ settled: delivery.key, state }),
});
process.send?.({ ready: app.port });

/** Returns what is left afterwards, in megabytes. */
function collectGarbage(): number {
  setFlagsFromString('--expose-gc');
  z.function({ input: [] }).parse(runInNewContext('gc'))();
  return process.memoryUsage().heapUsed / 1024 ** 2;
}

/**
 * Checks every few milliseconds the memory of the process, and how long it was kept from checking. It measures the
 * processor time of this thread: on a busy machine other programs delay the process too. It begins with the first
 * measurement, because it costs processor time itself.
 */
function watchProcess() {
  const everyMs = 5;
  const memoryMb = () => process.memoryUsage.rss() / 1024 ** 2;
  const threadMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let cpuAtLastTake = process.cpuUsage();
  let looks = 0;
  let peakMemoryMb = 0;
  let worstStallMs = 0;
  let last = { wallMs: performance.now(), threadMs: threadMs() };
  setInterval(() => {
    const now = { wallMs: performance.now(), threadMs: threadMs() };
    const lateMs = now.wallMs - last.wallMs - everyMs;
    worstStallMs = Math.max(worstStallMs, Math.min(lateMs, now.threadMs - last.threadMs));
    last = now;
    looks += 1;
    // Reading it takes a twentieth of a millisecond and more: at each check it would slow the bot down.
    if (looks % 10 === 0) peakMemoryMb = Math.max(peakMemoryMb, memoryMb());
  }, everyMs).unref();
  return {
    /** Returns the measurements since its last call. */
    take: () => {
      const { user, system } = process.cpuUsage(cpuAtLastTake);
      const cpuMs = (user + system) / 1000;
      const seen = { memoryMb: memoryMb(), peakMemoryMb: Math.max(peakMemoryMb, memoryMb()), worstStallMs, cpuMs };
      cpuAtLastTake = process.cpuUsage();
      peakMemoryMb = 0;
      worstStallMs = 0;
      return seen;
    },
  };
}
