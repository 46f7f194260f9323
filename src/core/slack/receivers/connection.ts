import { App, type Receiver } from '@slack/bolt';
import type { Config, Secrets } from '../../base/settings/config.ts';
import type { Route } from '../../http/server.ts';
import type { Network } from '../../http/network.ts';
import type { Logger } from '../../base/log.ts';
import { clientOptions, toSlackLogger } from '../client/clients.ts';
import { createHttpReceiver } from './http-receiver.ts';
import type { BotIdentity } from '../client/identity.ts';
import { type SignedBodyDeps, createSignatureCheck } from './signed-body.ts';
import { createSocketReceiver } from './socket/socket-supervisor.ts';

export const EVENTS_PATH = '/slack/events';

export interface SlackConnection {
  app: App;
  /** Serves `EVENTS_PATH`; in HTTP mode only. */
  route?: Route;
  /** Resolves when Slack can reach us, as far as that can be known. */
  start(): Promise<void>;
  stop(): Promise<void>;
  fault(): string | undefined;
}

/** @param onFatal Slack refuses the app token for good: the process should end with this sentence */
export function createSlackConnection(deps: {
  config: Config;
  secrets: Secrets;
  identity: BotIdentity;
  log: Logger;
  network: Network;
  onFatal: (reason: string) => void;
}): SlackConnection {
  return deps.config.slackTransport === 'socket' ? createSocketConnection(deps) : createHttpConnection(deps);
}

/** Slack’s timestamps are of the real time, whatever clock the bot is given. */
export const slackSignature = (signingSecret: string): SignedBodyDeps => ({
  isSigned: createSignatureCheck(signingSecret),
  nowMs: () => Date.now(),
});

type ConnectionDeps = Parameters<typeof createSlackConnection>[0];

function createApp(deps: ConnectionDeps, receiver: Receiver): App {
  const { identity, secrets, config, log, network } = deps;
  const app = new App({
    receiver,
    // The token was checked at the start. Bolt's own check fails in an unhandled promise, which ends the process.
    authorize: () =>
      Promise.resolve({
        botToken: secrets.slackBotToken,
        botUserId: identity.botUserId,
        teamId: identity.teamId,
        ...(identity.botId ? { botId: identity.botId } : {}),
      }),
    convoStore: false,
    clientOptions: clientOptions(config.slackApiUrl, log, { network }),
    logger: toSlackLogger(log),
  });
  app.error((error) => {
    // Listeners only acknowledge, so this request was never acknowledged, and Slack shows the person an error.
    log.error({ err: error }, 'Acknowledging an event from Slack failed');
    return Promise.resolve();
  });
  return app;
}

function createSocketConnection(deps: ConnectionDeps): SlackConnection {
  const receiver = createSocketReceiver({
    appToken: deps.secrets.slackAppToken ?? '',
    apiUrl: deps.config.slackApiUrl,
    log: deps.log,
    network: deps.network,
    onFatal: deps.onFatal,
  });
  const app = createApp(deps, receiver);
  const { supervisor } = receiver;
  return { app, start: () => supervisor.start(), stop: () => supervisor.stop(), fault: () => supervisor.fault() };
}

function createHttpConnection(deps: ConnectionDeps): SlackConnection {
  const receiver = createHttpReceiver({
    path: EVENTS_PATH,
    ...slackSignature(deps.secrets.slackSigningSecret ?? ''),
  });
  return {
    app: createApp(deps, receiver),
    route: receiver.route,
    start: () => Promise.resolve(),
    stop: async () => {
      await receiver.stop();
    },
    fault: () => undefined,
  };
}
