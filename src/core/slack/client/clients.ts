import { WebClient, type WebAPICallResult, type WebClientOptions } from '@slack/web-api';
import { LogLevel, type Logger as SlackLogger } from '@slack/bolt';
import { Agent, fetch as undiciFetch, type Dispatcher } from 'undici';
import { dropLateRequests, signalWithin } from '../../base/time/deadline.ts';
import type { Logger } from '../../base/log.ts';
import { createWorkspaceNames, type InWorkspaceNames } from './workspace-names.ts';
import { slackHosts, type SlackHosts } from './hosts.ts';
import { createTokenHealth } from './token-health.ts';

/** The client has no time limit of its own. */
const SLACK_TIMEOUT_MS = 10_000;

export interface SlackClients {
  /** Answers to people. Never retries: a person is waiting, and a late answer is worse than a clear fault. */
  interactive: WebClient;
  /** Posts that must happen once. Never retries, because web-api repeats a post whose answer was lost. */
  posting: WebClient;
  /** Reads. Retried, since reading twice does no harm. */
  lookups: WebClient;
  hosts: SlackHosts;
  tokenFault: () => string | undefined;
}

type Fetch = NonNullable<WebClientOptions['fetch']>;

/**
 * The global `fetch` would load Node's own copy of undici, which takes a tenth of the start.
 *
 * @param boundsOf limits the time of a request
 */
function createFetch(dispatcher: Dispatcher, boundsOf: typeof signalWithin = (signal) => signal ?? undefined): Fetch {
  return (url, init = {}) => {
    const { method = 'POST', headers = {}, body = null, signal } = init;
    // A file comes as the global FormData, which the package does not know.
    if (body !== null && typeof body !== 'string') return fetch(url, init);
    const redirect = 'error';
    return undiciFetch(url, { method, headers, body, redirect, signal: boundsOf(signal) ?? null, dispatcher });
  };
}

const fetchWithPackage = createFetch(new Agent());
/** A post whose deadline has passed is dropped in the moment of its sending. */
const fetchInTime = createFetch(new Agent().compose(dropLateRequests), signalWithin);

/** Each call makes new objects: web-api and socket-mode write into those that they share (token, retryConfig). */
export function clientOptions(apiUrl: string, log: Logger, retries = 0): WebClientOptions {
  return {
    slackApiUrl: apiUrl,
    fetch: fetchWithPackage,
    timeout: SLACK_TIMEOUT_MS,
    retryConfig: { retries, factor: 2, minTimeout: 250, maxTimeout: 2_000, randomize: true },
    // Otherwise one 429 pauses every call of the client for as long as Slack asks.
    rejectRateLimitedCalls: true,
    logger: toSlackLogger(log),
  };
}

interface Wrapping {
  inWorkspaceNames: InWorkspaceNames;
  /** Shows whether the token is still accepted. */
  recordOutcome: (error: unknown) => void;
}

class ObservedClient extends WebClient {
  readonly #wrapping: Wrapping;

  constructor(token: string, options: WebClientOptions, wrapping: Wrapping) {
    super(token, options);
    this.#wrapping = wrapping;
  }

  override apiCall(method: string, options: Record<string, unknown> = {}): Promise<WebAPICallResult> {
    const answer = super.apiCall(method, this.#wrapping.inWorkspaceNames(options));
    answer.then(
      () => this.#wrapping.recordOutcome(undefined),
      (error: unknown) => this.#wrapping.recordOutcome(error),
    );
    return answer;
  }
}

/** One client per use of Slack, so that a 429 on posts does not block the buttons. */
export function createSlackClients(
  token: string,
  apiUrl: string,
  log: Logger,
  inWorkspaceNames: InWorkspaceNames = createWorkspaceNames(''),
): SlackClients {
  const health = createTokenHealth({
    confirm: () => lookups.auth.test(),
    log,
    nowMs: () => performance.now(),
  });
  const wrapping = { inWorkspaceNames, recordOutcome: (error: unknown) => health.recordOutcome(error) };
  const client = (options: WebClientOptions) => new ObservedClient(token, options, wrapping);
  const lookups = client(clientOptions(apiUrl, log, 2));
  return {
    interactive: client(clientOptions(apiUrl, log)),
    posting: client({ ...clientOptions(apiUrl, log), fetch: fetchInTime }),
    lookups,
    hosts: slackHosts(apiUrl),
    tokenFault: () => health.fault(),
  };
}

/** Drops debug lines, which contain message bodies. */
export function toSlackLogger(log: Logger): SlackLogger {
  const child = log.child({ from: 'slack-sdk' });
  const write =
    (level: 'warn' | 'error' | 'info') =>
    (...parts: unknown[]) =>
      child[level](parts.map((part) => (part instanceof Error ? part.message : String(part))).join(' '));
  return {
    debug: () => {},
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    setLevel: () => {},
    setName: () => {},
    getLevel: () => LogLevel.INFO,
  };
}
