/**
 * `node src/sandbox/demo/first-start.ts FOLDER COMMAND…`: starts the bot of this command against a simulated Slack and platform,
 * waits until it is connected, and stops it. Node keeps in the folder the code which that start has compiled, for later ones.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realClock } from '../clock.ts';
import { readInstalledApp } from './installed-app.ts';
import { startPlatform } from '../platform/platform.ts';
import { startSlack } from '../slack/index.ts';
import { connectionSettings } from './connection-settings.ts';

const PEOPLE = 5;
const TIMEOUT_MS = 60_000;

const slack = await startSlack({ clock: realClock });
await slack.control.configure(readInstalledApp());
const platform = await startPlatform({ clock: realClock, people: PEOPLE });
const folder = mkdtempSync(join(tmpdir(), 'quartermaster-first-start-'));
try {
  const [cacheFolder, command = process.execPath, ...words] = process.argv.slice(2);
  const bot = spawn(command, words, {
    stdio: ['ignore', 'ignore', 'inherit'],
    // Not where a file with settings may lie.
    cwd: folder,
    env: {
      NODE_COMPILE_CACHE: cacheFolder,
      ...connectionSettings(slack, platform),
      DATABASE_URL: `file:${join(folder, 'first-start.db')}`,
      ERASURES_FILE: join(folder, 'erasures.ndjson'),
      ERASURE_PROOFS_FILE: join(folder, 'erasure-proofs.key'),
      PORT: '0',
      METRICS_PORT: '0',
      LOG_LEVEL: 'error',
    },
  });
  const ended = once(bot, 'exit');
  const isConnected = slack.next('connection', ({ what }) => what === 'opened', { timeoutMs: TIMEOUT_MS });
  await Promise.race([isConnected, ended]);
  bot.kill('SIGTERM');
  const [status] = await ended;
  process.exitCode = status === 0 ? 0 : 1;
} finally {
  await Promise.all([slack.close(), platform.close()]);
  rmSync(folder, { recursive: true, force: true });
}
