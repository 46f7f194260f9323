import { RATE_LIMITED, spreadBackOffMs, waitAskedMs } from '../../../base/time/back-off.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { WebAPIPlatformError, WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Logger } from '../../../base/log.ts';
import type { Network } from '../../../http/network.ts';
import { SlackStartError } from '../../client/identity.ts';
import { readSlackFault } from '../../client/errors.ts';
import { type Envelope, type SocketLink, openSocketLink } from './socket-link.ts';
import { wordsIn } from '../../../base/text/word-list.ts';
import type { App, Receiver } from '@slack/bolt';
import { clientOptions } from '../../client/clients.ts';
import { deliver } from '../deliver.ts';

export interface SocketSupervisor {
  /** Resolves at the first connection. @throws SlackStartError if Slack refuses the app token */
  start(): Promise<void>;
  stop(): Promise<void>;
  fault(): string | undefined;
}

/** Payloads that Slack sent on the old connection before the new one was greeted arrive within this time. */
const HANDOVER_MS = 1_000;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;
/** A connection that ends sooner counts as a failure: reconnecting at once would repeat it in an endless loop. */
const SHORTEST_LIFE_MS = 500;

/** Codes that Slack will not take back: https://docs.slack.dev/reference/methods/apps.connections.open */
const HOPELESS_CODES = wordsIn(
  'not_authed invalid_auth token_revoked token_expired account_inactive user_removed_from_team team_disabled',
  'not_allowed_token_type missing_scope',
);

const answerSchema = z.looseObject({ url: z.url({ protocol: /^wss?$/ }) });

/**
 * When Slack announces a close, which it does every few hours, the next connection is open before the old one is
 * closed. When Slack cannot be reached, it retries without end, with pauses that grow to a minute. It uses real time,
 * because a connection knows no other.
 */
function superviseSocket(deps: {
  /** Uses the app token. */
  client: WebClient;
  network: Network;
  log: Logger;
  /** Runs on the connection on which the payload came while that is open. */
  onEnvelope: (envelope: Envelope, acknowledge: (payload?: object) => boolean) => void;
  /** Slack refuses the app token for good. */
  onFatal: (reason: string) => void;
}): SocketSupervisor {
  const { log } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  /** The connections that were greeted and are not closed. */
  const ready = new Set<SocketLink>();
  const open = new Set<SocketLink>();
  let lostAtMs = performance.now();
  let supervision = Promise.resolve();

  const connect = async (): Promise<{ link: SocketLink; endReason: Promise<string> }> => {
    const { url } = answerSchema.parse(await deps.client.apps.connections.open({}));
    signal.throwIfAborted();
    const opening = Promise.withResolvers<void>();
    const ending = Promise.withResolvers<string>();
    const link = openSocketLink(url, deps.network, {
      opened: () => {
        ready.add(link);
        opening.resolve();
      },
      envelope: (envelope) => deps.onEnvelope(envelope, (payload) => link.acknowledge(envelope.id, payload)),
      closingSoon: (reason) => {
        opening.reject(new Error(`Slack turned the connection away (${reason})`));
        ending.resolve(reason);
      },
      closed: (reason) => {
        open.delete(link);
        if (ready.delete(link) && ready.size === 0) lostAtMs = performance.now();
        opening.reject(new Error(reason));
        ending.resolve(reason);
      },
    });
    open.add(link);
    await opening.promise.catch((error: unknown) => {
      link.close();
      throw error;
    });
    return { link, endReason: ending.promise };
  };

  const run = async (onFirst: () => void) => {
    let failures = 0;
    let current: SocketLink | undefined;
    while (!signal.aborted) {
      try {
        const { link, endReason } = await connect();
        const sinceMs = performance.now();
        retire(current, signal);
        current = link;
        onFirst();
        log.info('Connected to Slack by Socket Mode');
        const reason = await endReason;
        if (signal.aborted) return;
        log.info({ reason }, 'The connection to Slack ends; opening another');
        failures = performance.now() - sinceMs < SHORTEST_LIFE_MS ? failures + 1 : 0;
        if (failures > 0) await pause(pauseMs(failures, undefined), signal);
      } catch (error) {
        const reason = fatalReason(error);
        if (reason) throw new SlackStartError(reason, { cause: error });
        if (signal.aborted) return;
        failures += 1;
        const waitMs = pauseMs(failures, error);
        log.warn({ err: error, failures, waitMs }, 'Connecting to Slack failed; trying again');
        await pause(waitMs, signal);
      }
    }
  };

  return {
    start: () =>
      new Promise<void>((resolve, reject) => {
        let isStarted = false;
        const onFirst = () => {
          isStarted = true;
          resolve();
        };
        supervision = run(onFirst).catch((error: unknown) => {
          if (!isStarted) return reject(error instanceof Error ? error : new Error(String(error)));
          deps.onFatal(error instanceof Error ? error.message : String(error));
        });
      }),
    stop: async () => {
      stopping.abort();
      for (const link of open) link.close();
      // The closed links end any wait for them; a pending request to Slack ends by its own timeout.
      await Promise.race([supervision, delay(HANDOVER_MS * 2, undefined, { ref: false })]);
    },
    fault: () =>
      ready.size > 0 ? undefined : `No connection to Slack for ${Math.round((performance.now() - lostAtMs) / 1000)} s`,
  };
}

function retire(link: SocketLink | undefined, stopping: AbortSignal): void {
  if (!link) return;
  void pause(HANDOVER_MS, stopping).then(() => link.close());
}

async function pause(waitMs: number, stopping: AbortSignal): Promise<void> {
  await delay(waitMs, undefined, { signal: stopping }).catch(() => undefined);
}

/**
 * The pause that Slack asks for, and at least one that grows with each failure. Pure.
 *
 * @param failures the number of failures in a row, from 1
 * @param random from 0 to 1, so that replicas that lost Slack together do not all reconnect together
 */
export function pauseMs(failures: number, error: unknown, random: () => number = Math.random): number {
  const fault = error === undefined ? undefined : readSlackFault(error);
  if (fault?.kind === 'rate_limited')
    return waitAskedMs(fault.askedMs, spreadBackOffMs({ ...RATE_LIMITED, attempt: failures }, random));
  return spreadBackOffMs({ firstMs: FIRST_PAUSE_MS, longestMs: MAX_PAUSE_MS, attempt: failures }, random);
}

function fatalReason(error: unknown): string | undefined {
  if (!(error instanceof WebAPIPlatformError) || !HOPELESS_CODES.has(error.data.error)) return undefined;
  return `Slack does not accept SLACK_APP_TOKEN (${error.data.error}): make an app-level token with connections:write again.`;
}

export interface SocketReceiver extends Receiver {
  supervisor: SocketSupervisor;
}

/** Bolt's own receiver has one connection at a time, and cannot control when it is closed. */
export function createSocketReceiver(deps: {
  appToken: string;
  apiUrl: string;
  network: Network;
  log: Logger;
  onFatal: (reason: string) => void;
}): SocketReceiver {
  const { log, network } = deps;
  let app: App | undefined;
  const supervisor = superviseSocket({
    client: new WebClient(deps.appToken, clientOptions(deps.apiUrl, log, { network })),
    network,
    log,
    onFatal: deps.onFatal,
    onEnvelope: (envelope, acknowledge) => {
      if (app) void receive({ app, log }, envelope, acknowledge);
    },
  });
  return {
    supervisor,
    init: (boltApp) => {
      app = boltApp;
    },
    start: () => supervisor.start(),
    stop: () => supervisor.stop(),
  };
}

async function receive(
  { app, log }: { app: App; log: Logger },
  { id, payload, ...retry }: Envelope,
  acknowledge: (answer?: object) => boolean,
): Promise<void> {
  let isAcknowledged = false;
  const ack = (answer?: unknown) => {
    const isSent = isAcknowledged || acknowledge(payloadOf(answer));
    isAcknowledged = true;
    // Slack shows the person an error, so what they sent must not be done.
    return isSent
      ? Promise.resolve()
      : Promise.reject(new Error('The connection was closed before the acknowledgement'));
  };
  try {
    await deliver(app, { body: Object(payload), ack, ...retry }, (incoming) => {
      if (incoming.kind === 'unhandled') return ack(incoming.answer);
      log.warn({ envelope: id }, 'Slack sent an event of an unknown shape');
      return ack();
    });
  } catch (error) {
    log.warn({ err: error, envelope: id }, 'Slack sent an unreadable event');
    await ack();
  }
}

function payloadOf(answer: unknown): object | undefined {
  if (typeof answer === 'string') return answer === '' ? undefined : { text: answer };
  return typeof answer === 'object' && answer !== null ? answer : undefined;
}
