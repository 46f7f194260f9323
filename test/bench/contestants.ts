import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebClient } from '@slack/web-api';
import { createMovableClock } from '../../src/sandbox/clock.ts';
import { startPlatform } from '../../src/sandbox/platform/platform.ts';
import { startSlack, type SandboxSlack } from '../../src/sandbox/slack/index.ts';
import { ACTIONS } from '../../src/limits/core/buttons.ts';
import { startBotProcess, type BotProcess } from '../support/processes/bot-processes.ts';

const NOW = new Date('2026-03-02T07:00:00Z');
/** A button whose click is stored before it is acknowledged. */
export const KEPT_ACTION = ACTIONS.retry;

/** An app in a process of its own, with a Slack of its own. */
export interface Contestant {
  slack: SandboxSlack;
  /** Does it answer a command, or only acknowledge it? */
  answers: boolean;
  /** A message in #agent-usage with the button. */
  buttonTs: string;
  stop(): Promise<void>;
}

export type MeasuredBot = Contestant & Pick<BotProcess, 'measure'>;

/** The real bot, as it is run in production but for its clock, on the sandbox's Slack and platform. */
export async function startBot({ platformDelayMs = 0 } = {}): Promise<MeasuredBot> {
  const clock = createMovableClock(NOW);
  const slack = await startSlack({ clock });
  const platform = await startPlatform({ clock });
  if (platformDelayMs > 0) platform.faults.add({ kind: 'slow', delayMs: platformDelayMs });
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
    buttonTs: await postButton(slack),
    measure: () => bot.measure(),
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
    buttonTs: await postButton(slack),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await slack.close();
      clock.dispose();
    },
  };
}

async function postButton(slack: SandboxSlack): Promise<string> {
  const client = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl });
  const button = {
    type: 'button',
    text: { type: 'plain_text', text: 'Retry' },
    action_id: KEPT_ACTION,
    value: 'a1b2',
  } as const;
  const { ts } = await client.chat.postMessage({
    channel: 'agent-usage',
    text: 'A request',
    blocks: [{ type: 'actions', elements: [button] }],
  });
  if (ts === undefined) throw new Error('Slack took the message and did not say which it is');
  return ts;
}

function slackSettings(slack: SandboxSlack): Record<string, string> {
  return { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken, SLACK_API_URL: slack.apiUrl };
}
