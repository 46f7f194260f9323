import { setTimeout as delay } from 'node:timers/promises';
import type { SocketModeReceiver } from '@slack/bolt';
import { WebAPIPlatformError } from '@slack/web-api';
import type { Logger } from '../log.ts';
import { SlackStartError } from './identity.ts';

export interface SocketSupervisor {
  /** Resolves at the first connection. @throws SlackStartError when Slack refuses the app token */
  start(): Promise<void>;
  stop(): Promise<void>;
  fault(): string | undefined;
}

/** A start that has said nothing for so long is given up and tried anew. */
const CONNECT_TIMEOUT_MS = 30_000;
/** Without a connection for so long, the process is of no use to anybody. */
const DEAF_AFTER_MS = 3 * 60_000;
const CLOSE_TIMEOUT_MS = 2_000;
const LONGEST_WAIT_MS = 30_000;

/** Slack will not change its mind about these: https://docs.slack.dev/reference/methods/apps.connections.open */
const HOPELESS_CODES = new Set([
  'not_authed',
  'invalid_auth',
  'account_inactive',
  'user_removed_from_team',
  'team_disabled',
  'not_allowed_token_type',
  'missing_scope',
]);

/**
 * Keeps one Socket Mode connection up: reconnects at once when Slack closes it (it does every few hours), with growing waits
 * when that fails, and calls `onDeaf` when nothing helps. Real time throughout: a connection knows no other.
 */
export function superviseSocket(parts: {
  client: SocketModeReceiver['client'];
  log: Logger;
  onDeaf: (reason: string) => void;
}): SocketSupervisor {
  const { client, log } = parts;
  const stopping = new AbortController();
  let isConnected = false;
  let lostAtMs = performance.now();
  let hasConnected = false;
  let supervision = Promise.resolve();

  const untilDisconnected = () =>
    new Promise<void>((resolve) => {
      client.once('disconnected', () => resolve());
      stopping.signal.addEventListener('abort', () => resolve(), { once: true });
    });

  const connect = async () => {
    const timeout = new AbortController();
    try {
      const tooLate = delay(CONNECT_TIMEOUT_MS, undefined, { signal: timeout.signal }).then(() => {
        throw new Error('Slack did not greet the connection in time');
      });
      tooLate.catch(() => undefined);
      await Promise.race([client.start(), tooLate]);
    } finally {
      timeout.abort();
    }
  };

  const superviseOnce = async (failures: number): Promise<number> => {
    try {
      await connect();
      const disconnected = untilDisconnected();
      isConnected = true;
      hasConnected = true;
      log.info('Connected to Slack by Socket Mode');
      await disconnected;
      isConnected = false;
      lostAtMs = performance.now();
      if (!stopping.signal.aborted) log.info('The connection to Slack was closed; connecting again');
      return 0;
    } catch (error) {
      const reason = hopelessReason(error);
      if (reason) throw new SlackStartError(reason, { cause: error });
      log.warn({ err: error, failures }, 'Slack could not be reached; trying again');
      const waitMs = Math.min(LONGEST_WAIT_MS, 500 * 2 ** failures) * (0.5 + Math.random() / 2);
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      return failures + 1;
    }
  };

  const run = async () => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      failures = await superviseOnce(failures);
      const deafMs = performance.now() - lostAtMs;
      if (failures > 0 && deafMs > DEAF_AFTER_MS)
        throw new SlackStartError('Slack has not been reachable for three minutes.');
    }
  };

  return {
    start: () =>
      new Promise<void>((resolve, reject) => {
        client.once('connected', () => resolve());
        lostAtMs = performance.now();
        supervision = run().catch((error: unknown) => {
          isConnected = false;
          if (!hasConnected) return reject(error instanceof Error ? error : new Error(String(error)));
          parts.onDeaf(error instanceof Error ? error.message : String(error));
        });
      }),
    stop: async () => {
      stopping.abort();
      // A dead link never confirms that it was closed.
      await Promise.race([client.disconnect(), delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]).catch(
        (error: unknown) => log.warn({ err: error }, 'The connection did not close cleanly'),
      );
      await supervision;
    },
    fault: () =>
      isConnected ? undefined : `No connection to Slack for ${Math.round((performance.now() - lostAtMs) / 1000)} s`,
  };
}

function hopelessReason(error: unknown): string | undefined {
  if (!(error instanceof WebAPIPlatformError) || !HOPELESS_CODES.has(error.data.error)) return undefined;
  return `Slack does not accept SLACK_APP_TOKEN (${error.data.error}): make an app-level token with connections:write again.`;
}
