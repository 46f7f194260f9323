import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMovableClock } from '../../src/sandbox/clock.ts';
import { startPlatform } from '../../src/sandbox/platform/platform.ts';
import { startSlack, type SandboxSlack } from '../../src/sandbox/slack/index.ts';
import { startBotProcess } from '../support/bot-processes.ts';

const NOW = new Date('2026-03-02T07:00:00Z');

/** An app in a process of its own, with a Slack of its own. */
export interface Contestant {
  slack: SandboxSlack;
  /** Does it answer a command, or only acknowledge it? */
  answers: boolean;
  stop(): Promise<void>;
}

/** The real bot, as it is run in production but for its clock, on the sandbox's Slack and platform. */
export async function startBot(): Promise<Contestant> {
  const clock = createMovableClock(NOW);
  const slack = await startSlack({ clock });
  const platform = await startPlatform({ clock });
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-bench-'));
  const environment = {
    ...slackSettings(slack),
    PLATFORM_BASE_URL: platform.baseUrl,
    PLATFORM_APP_URL: platform.appUrl,
    PLATFORM_API_KEY: platform.apiKeys.manager,
    DATABASE_URL: `file:${join(folder, 'bench.db')}`,
    PORT: '0',
    METRICS_PORT: '0',
    MANAGERS: 'morgan.manager@acme.example',
  };
  const bot = await startBotProcess(environment, NOW);
  return {
    slack,
    answers: true,
    stop: async () => {
      await bot.stop();
      await Promise.all([slack.close(), platform.close()]);
      clock.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A bare Bolt app that acknowledges and does nothing else. */
export async function startBareBolt(): Promise<Contestant> {
  const clock = createMovableClock(NOW);
  const slack = await startSlack({ clock });
  const child = fork(new URL('bare-bolt.ts', import.meta.url), {
    env: { ...slackSettings(slack), PATH: process.env['PATH'] },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  await Promise.race([
    once(child, 'message'),
    ended.then(() => {
      throw new Error('The bare Bolt app ended before it ran');
    }),
  ]);
  return {
    slack,
    answers: false,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await slack.close();
      clock.dispose();
    },
  };
}

function slackSettings(slack: SandboxSlack): Record<string, string> {
  return { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken, SLACK_API_URL: slack.apiUrl };
}
