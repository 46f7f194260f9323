import { App, SocketModeReceiver, type Receiver } from '@slack/bolt';
import type { Config, Secrets } from '../config.ts';
import type { Route } from '../http/server.ts';
import type { Logger } from '../log.ts';
import { clientOptions, toSlackLogger } from './clients.ts';
import { createHttpReceiver } from './http-receiver.ts';
import type { BotIdentity } from './identity.ts';
import { superviseSocket } from './socket-supervisor.ts';

export const EVENTS_PATH = '/slack/events';

/** How Slack reaches us. */
export interface SlackConnection {
  app: App;
  /** HTTP only: what answers requests to `EVENTS_PATH`. */
  route?: Route;
  /** Resolves when Slack can reach us, as far as that can be known. */
  start(): Promise<void>;
  /** Takes nothing more. */
  stop(): Promise<void>;
  /** `undefined` when in order, else what is wrong. */
  fault(): string | undefined;
}

/**
 * Makes the Bolt app on the transport of the settings.
 *
 * @param onDeaf Slack cannot reach us and it does not mend itself: the process should end, for its supervisor to restart it
 */
export function createSlackConnection(parts: {
  config: Config;
  secrets: Secrets;
  identity: BotIdentity;
  log: Logger;
  onDeaf: (reason: string) => void;
}): SlackConnection {
  return parts.config.slackTransport === 'socket' ? createSocketConnection(parts) : createHttpConnection(parts);
}

type ConnectionParts = Parameters<typeof createSlackConnection>[0];

function createApp(parts: ConnectionParts, receiver: Receiver): App {
  const { identity, secrets, config, log } = parts;
  const app = new App({
    receiver,
    // The token was checked at the start. Bolt's own check ends the process from inside a promise that nobody holds.
    authorize: () =>
      Promise.resolve({
        botToken: secrets.slackBotToken,
        botUserId: identity.botUserId,
        teamId: identity.teamId,
        ...(identity.botId ? { botId: identity.botId } : {}),
      }),
    convoStore: false,
    clientOptions: clientOptions(config.slackApiUrl, log),
    logger: toSlackLogger(log),
  });
  app.error((error) => {
    // Listeners only acknowledge, so what comes here was never acknowledged: Slack shows the person that it failed.
    log.error({ err: error }, 'Slack delivered something that could not be acknowledged');
    return Promise.resolve();
  });
  return app;
}

function createSocketConnection(parts: ConnectionParts): SlackConnection {
  const receiver = new SocketModeReceiver({
    appToken: parts.secrets.slackAppToken ?? '',
    logger: toSlackLogger(parts.log),
    // Its own reconnecting leaves a gap of five seconds at each refresh and loses a failed attempt as an unhandled rejection
    // (slackapi/node-slack-sdk#2656), so the supervisor does it.
    autoReconnectEnabled: false,
    // Pongs later than its 5 s default are common and cost a connection each: slackapi/bolt-js#2496.
    clientPingTimeout: 15_000,
    installerOptions: { clientOptions: clientOptions(parts.config.slackApiUrl, parts.log) },
  });
  const app = createApp(parts, receiver);
  const supervisor = superviseSocket({ client: receiver.client, log: parts.log, onDeaf: parts.onDeaf });
  return { app, start: () => supervisor.start(), stop: () => supervisor.stop(), fault: () => supervisor.fault() };
}

function createHttpConnection(parts: ConnectionParts): SlackConnection {
  const receiver = createHttpReceiver({
    path: EVENTS_PATH,
    signingSecret: parts.secrets.slackSigningSecret ?? '',
    // Slack's time stamps are real time, whatever clock the bot is handed.
    nowMs: () => Date.now(),
  });
  return {
    app: createApp(parts, receiver),
    route: receiver.route,
    start: () => Promise.resolve(),
    stop: async () => {
      await receiver.stop();
    },
    fault: () => undefined,
  };
}
