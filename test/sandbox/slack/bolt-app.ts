/** A real Bolt app on a sandbox's Slack, in either transport. */
import { App, HTTPReceiver, LogLevel, SocketModeReceiver } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { WebClient } from '@slack/web-api';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { startSlack, type SandboxSlack, type SlackOptions } from '../../../src/sandbox/slack/index.ts';

export interface Bench {
  slack: SandboxSlack;
  clock: MovableClock;
  /** A client of its own: no retries, quiet. */
  client: WebClient;
}

/** Starts a Slack that stops when the test ends. */
export async function openSlack(options: Partial<SlackOptions> = {}): Promise<Bench> {
  const clock = createMovableClock(new Date('2026-03-02T08:00:00Z'), { frozen: true });
  const slack = await startSlack({ clock, ...options });
  onTestFinished(async () => {
    await slack.close();
    clock.dispose();
  });
  return { slack, clock, client: quietClient(slack) };
}

export function quietClient(slack: SandboxSlack, token = slack.botToken): WebClient {
  const retryConfig = { retries: 0 };
  return new WebClient(token, { slackApiUrl: slack.apiUrl, retryConfig, logLevel: LogLevel.ERROR, logger: silent });
}

const silent = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  setLevel: () => {},
  getLevel: () => LogLevel.ERROR,
  setName: () => {},
};

/** Starts a Bolt app that stops when the test ends; `register` adds its listeners. */
export async function startApp(
  slack: SandboxSlack,
  register: (app: App) => void,
  {
    transport = 'socket',
    clientPingTimeoutMs = 300,
  }: { transport?: 'socket' | 'http'; clientPingTimeoutMs?: number } = {},
): Promise<App> {
  const clientOptions = { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } };
  const http = new HTTPReceiver({ signingSecret: slack.signingSecret, logger: silent });
  const receiver =
    transport === 'http'
      ? http
      : new SocketModeReceiver({
          appToken: slack.appToken,
          logger: silent,
          // How soon it detects a dead link, and how long it waits before it reconnects.
          clientPingTimeout: clientPingTimeoutMs,
          installerOptions: { clientOptions: { ...clientOptions } },
        });
  const app = new App({ token: slack.botToken, receiver, clientOptions, logger: silent });
  register(app);
  const started = await app.start(0);
  onTestFinished(async () => void (await app.stop()));
  if (transport === 'http') slack.setEventsUrl(`http://127.0.0.1:${portOf(started)}/slack/events`);
  return app;
}

/** The port that a Node server listens on. */
export function portOf(server: unknown): number {
  if (typeof server !== 'object' || server === null || !('address' in server) || typeof server.address !== 'function') {
    throw new Error('Bolt gave no server');
  }
  const address: AddressInfo = server.address();
  return address.port;
}

export const plain = (text: string) => ({ type: 'plain_text' as const, text });
export const section = (text: string) => ({ type: 'section' as const, text: { type: 'mrkdwn' as const, text } });
export const button = (actionId: string, value = 'v') => ({
  type: 'actions' as const,
  block_id: 'row',
  elements: [{ type: 'button' as const, action_id: actionId, text: plain('Go'), value }],
});
export const textInput = (blockId: string, actionId: string) => ({
  type: 'input' as const,
  block_id: blockId,
  label: plain('Amount'),
  element: { type: 'plain_text_input' as const, action_id: actionId },
});
export const modal = (callbackId: string, blocks: KnownBlock[] = [textInput('amount', 'value')], extra = {}) => ({
  type: 'modal' as const,
  callback_id: callbackId,
  title: plain('Limits'),
  submit: plain('Send'),
  blocks,
  ...extra,
});

/** Code of a refused call: `channel_not_found`. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'accepted',
    (error: unknown) => platformData(error).error,
  );
}

/** Slack's answer to a refused call. */
export function platformData(error: unknown): { error: string; messages: string[] } {
  if (!(error instanceof Error) || !('data' in error)) throw error;
  const data = error.data;
  if (typeof data !== 'object' || data === null || !('error' in data)) throw error;
  const metadata = 'response_metadata' in data ? data.response_metadata : undefined;
  const messages =
    typeof metadata === 'object' && metadata !== null && 'messages' in metadata && Array.isArray(metadata.messages)
      ? metadata.messages.map(String)
      : [];
  return { error: String(data.error), messages };
}
