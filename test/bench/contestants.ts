import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { createMovableClock } from '../../src/sandbox/demo/movable-clock.ts';
import { startPlatform } from '../../src/sandbox/platform/platform.ts';
import { startSlack, type SandboxSlack, type SlackOptions } from '../../src/sandbox/slack/index.ts';
import { EVENTS_PATH } from '../../src/core/slack/receivers/connection.ts';
import { ACTIONS } from '../../src/features/limits/core/limit-buttons.ts';
import { startBotProcess, type BotProcess } from '../support/processes/bot-processes.ts';
import type { Courier } from './courier.ts';

const NOW = new Date('2026-03-02T07:00:00Z');
/** A button whose click is stored before it is acknowledged. */
export const KEPT_ACTION = ACTIONS.retry;
const readySchema = z.tuple([z.object({ ready: z.number() })]).rest(z.unknown());

/** An app in a process of its own, with a Slack of its own. */
export interface Contestant {
  slack: SandboxSlack;
  /** Whether it answers a command, or only acknowledges it. */
  answers: boolean;
  /** A message in #agent-usage with the button. */
  buttonTs: string;
  stop(): Promise<void>;
}

export type MeasuredBot = Contestant & Pick<BotProcess, 'measure'>;

interface ContestantOptions {
  /** Delivers over HTTP; without it the app uses Socket Mode. */
  courier?: Courier;
}

/** The real bot, run as in production except for its clock, on the sandbox's Slack and platform. */
export async function startBot({
  courier,
  platformDelayMs = 0,
}: ContestantOptions & { platformDelayMs?: number } = {}): Promise<MeasuredBot> {
  const clock = createMovableClock(NOW);
  const slack = await startSlack({ clock, ...deliveryOver(courier) });
  const platform = await startPlatform({ clock });
  if (platformDelayMs > 0) platform.faults.add({ kind: 'slow', delayMs: platformDelayMs });
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-bench-'));
  const environment = {
    ...slackSettings(slack, courier),
    PLATFORM_BASE_URL: platform.baseUrl,
    PLATFORM_APP_URL: platform.appUrl,
    PLATFORM_API_KEY: platform.apiKeys.manager,
    DATABASE_URL: `file:${join(folder, 'bench.db')}`,
    PORT: '0',
    MANAGERS: 'morgan.manager@acme.example',
  };
  const bot = await startBotProcess(environment, NOW);
  slack.setEventsUrl(`http://127.0.0.1:${bot.port}${EVENTS_PATH}`);
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
export async function startBareBolt({ courier }: ContestantOptions = {}): Promise<Contestant> {
  const clock = createMovableClock(NOW);
  const slack = await startSlack({ clock, ...deliveryOver(courier) });
  const child = fork(new URL('bare-bolt.js', import.meta.url), {
    env: { ...slackSettings(slack, courier), PATH: process.env['PATH'] },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const message = await Promise.race([
    once(child, 'message'),
    ended.then(() => {
      throw new Error('The bare Bolt app ended before it ran');
    }),
  ]);
  const [{ ready: port }] = readySchema.parse(message);
  slack.setEventsUrl(`http://127.0.0.1:${port}${EVENTS_PATH}`);
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

function deliveryOver(courier: Courier | undefined): Pick<SlackOptions, 'transport' | 'postRequest'> {
  return courier ? { transport: 'http', postRequest: courier.post } : {};
}

function slackSettings(slack: SandboxSlack, courier: Courier | undefined): Record<string, string> {
  return {
    SLACK_BOT_TOKEN: slack.botToken,
    ...(courier ? { SLACK_SIGNING_SECRET: slack.signingSecret } : { SLACK_APP_TOKEN: slack.appToken }),
    SLACK_API_URL: slack.apiUrl,
  };
}
