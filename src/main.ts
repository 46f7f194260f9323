import { ENDINGS } from './app/endings.ts';
import { startApp, type RunningApp } from './app/app.ts';
import { describeFaults, readConfig, serviceLinksIn, warningsOf } from './core/base/settings/config.ts';
import { readEnvironment } from './core/base/settings/environment.ts';
import { createLogger } from './core/base/log.ts';
import { trustAuthorities } from './core/http/authorities.ts';
import { systemClock } from './core/base/time/clock.ts';

/** A supervisor waits about this long before it kills the process. The next start resumes unfinished work. */
const STOP_TIMEOUT_MS = 25_000;

const environmentReading = readEnvironment(process.env);
const settings = readConfig(environmentReading.environment, environmentReading.faults);
if (!settings.ok) {
  process.stderr.write(`${describeFaults(settings.faults)}\n`);
  process.exit(2);
}
const { config, secrets } = settings;
const log = createLogger(config.logLevel, Object.values(secrets));

const untrusted = trustAuthorities(config.nodeExtraCaCerts);
if (untrusted) {
  process.stderr.write(`${describeFaults([untrusted])}\n`);
  process.exit(2);
}
for (const { name, sentence } of [...serviceLinksIn(environmentReading.environment), ...warningsOf(config)])
  log.warn(`${name} ${sentence}`);

const fail = (message: string, error?: unknown) => {
  log.fatal({ err: error }, message);
  process.exit(1);
};
// A process in an unknown state must not stay alive and deaf: its supervisor restarts it, and the store contains all state.
process.on('unhandledRejection', (error) => fail(ENDINGS.promise, error));
process.on('uncaughtException', (error) => fail(ENDINGS.exception, error));

let app: RunningApp | undefined;
let isStopping = false;
const stop = (signal: string) => {
  if (isStopping) {
    // A person who presses Ctrl+C again wants to exit now. A supervisor that repeats SIGTERM sends SIGKILL in the end.
    if (signal === 'SIGINT') process.exit(1);
    return;
  }
  isStopping = true;
  log.info({ signal }, 'Finishing work before the stop');
  setTimeout(() => fail(ENDINGS.unfinished), STOP_TIMEOUT_MS).unref();
  (app?.stop() ?? Promise.resolve()).then(
    () => process.exit(0),
    (error: unknown) => fail(ENDINGS.stop, error),
  );
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);

try {
  app = await startApp({ config, secrets, clock: systemClock, log, onFatal: (reason) => fail(reason) });
} catch (error) {
  const isExplained =
    error instanceof Error && ['StoreError', 'SlackStartError', 'PortError', 'ErasureListError'].includes(error.name);
  if (isExplained) process.stderr.write(`Quartermaster cannot start. ${error.message}\n`);
  fail(ENDINGS.start, error);
}
