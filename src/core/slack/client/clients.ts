import { toWorkspaceNames } from '../../base/text/markup.ts';
import { type WebAPICallResult, WebClient, type WebClientOptions } from '@slack/web-api';
import { LogLevel, type Logger as SlackLogger } from '@slack/bolt';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Dispatcher, FormData as UndiciFormData, Headers, request, Response } from 'undici';
import { systemClock } from '../../base/time/clock.ts';
import { parseRetryAfter } from '../../platform/transport/retry.ts';
import { dropLateRequests, signalWithin } from '../../base/time/deadline.ts';
import type { Logger } from '../../base/log.ts';
import { directNetwork, type Network } from '../../http/network.ts';
import { createTokenHealth } from './token-health.ts';

export type InWorkspaceNames = (body: object) => Record<string, unknown>;

/** The members that people read. Values, ids and metadata come back to the program, or belong to people. */
const READ = new Set(['text', 'initial_comment']);
/** Blocks with figures and names, which contain no commands. */
const FIGURES = new Set(['data_table', 'table', 'data_visualization']);
const CHOICES = new Set(['options', 'option_groups', 'initial_option', 'initial_options']);
const ERRORS = 'errors';
/** Slack’s text limits, which longer names must not exceed: for buttons and modal titles, and for all other texts. */
const MAX_BUTTON_LENGTH = 75;
const MAX_TEXT_LENGTH = 3_000;

/**
 * @param prefix an empty one only removes the shields from texts from outside
 * @example createWorkspaceNames('qm-')({ text: 'Type /usage help.' }) // { text: 'Type /qm-usage help.' }
 */
export function createWorkspaceNames(prefix: string): InWorkspaceNames {
  const inText = (text: string, longest: number) => {
    const named = toWorkspaceNames(text, prefix);
    return named.length > longest && named.length > text.length ? `${named.slice(0, longest - 1)}…` : named;
  };
  const walk = (value: unknown, key: string, holder: object): unknown => {
    if (typeof value === 'string') return READ.has(key) || key === ERRORS ? inText(value, maxLengthIn(holder)) : value;
    if (typeof value !== 'object' || value === null || CHOICES.has(key)) return value;
    if (Array.isArray(value)) return value.map((one) => walk(one, '', value));
    if (isFigures(value) || !isPlainObject(value)) return value;
    // The text of a button has its own limit: `{ type: 'button', text: { type: 'plain_text', text } }`.
    return walkMembers(value, key, key === 'text' && typeOf(holder) === 'button' ? holder : value);
  };
  const walkMembers = (value: object, key: string, holder: object) =>
    Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, walk(inner, key === ERRORS ? ERRORS : name, holder)]),
    );
  return (body) => walkMembers(body, '', body);
}

const typeOf = (value: object): unknown => Reflect.get(value, 'type');

function isFigures(value: object): boolean {
  const type = typeOf(value);
  return typeof type === 'string' && FIGURES.has(type);
}

/** Streams and files have a class of their own. */
const isPlainObject = (value: object) => [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** A message itself is not a block; its longer text was cut before. */
function maxLengthIn(holder: object): number {
  const type = typeOf(holder);
  if (type === 'button') return MAX_BUTTON_LENGTH;
  return typeof type === 'string' ? MAX_TEXT_LENGTH : Number.POSITIVE_INFINITY;
}

/** Payloads contain addresses, and requests go to these hosts only. */
export interface SlackHosts {
  /** @throws ForeignAddressError */
  checkResponseUrl(address: string): URL;
  /** @throws ForeignAddressError */
  checkFileUrl(address: string): URL;
}

/** The message does not quote the address: it may be anything. */
export class ForeignAddressError extends Error {
  override readonly name = 'ForeignAddressError';
}

/**
 * @param apiUrl base of the Web API; its host counts as Slack's too, so that another Slack can run there
 * @example slackHosts('https://slack.com/api/').checkResponseUrl('https://hooks.slack.com/commands/T1/2/3')
 */
export function slackHosts(apiUrl: string): SlackHosts {
  const api = new URL(apiUrl);
  const check = (kind: string, hosts: readonly string[], address: string): URL => {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const isSafe = url && !url.username && !url.password;
    if (isSafe && url.protocol === api.protocol && url.host === api.host) return url;
    if (isSafe && url.protocol === 'https:' && hosts.includes(url.host)) return url;
    throw new ForeignAddressError(`A ${kind} leads to a host that is not Slack’s`);
  };
  return {
    checkResponseUrl: (address) => check('response_url', ['hooks.slack.com', `hooks.${api.host}`], address),
    checkFileUrl: (address) => check('file', ['files.slack.com', `files.${api.host}`], address),
  };
}

/** The client has no time limit of its own. */
const SLACK_TIMEOUT_MS = 10_000;

export interface SlackClients {
  /** Answers to people. Never retries: a person is waiting, and a late answer is worse than a clear fault. */
  interactive: WebClient;
  /** Posts that must happen once. Never retries, because web-api repeats a post whose answer was lost. */
  posting: WebClient;
  /** Reads. Retried, since reading twice does no harm. */
  lookups: WebClient;
  /** Downloads files and posts to response URLs. */
  agent: Dispatcher;
  hosts: SlackHosts;
  tokenFault: () => string | undefined;
}

type Fetch = NonNullable<WebClientOptions['fetch']>;

const gunzipped = promisify(gunzip);

/**
 * undici’s `request` writes a whole body in the tick in which `onRequestStart` looked at the deadline, and follows no
 * redirect; its `fetch` writes some ticks later, in which the process may be stopped. The whole answer is read here:
 * web-api takes an error of this function for one of the network, and repeats a reading after it, but lets an error of
 * the body pass as it is.
 *
 * @param boundsOf limits the time of a request
 */
function createFetch(dispatcher: Dispatcher, boundsOf: typeof signalWithin = (signal) => signal ?? undefined): Fetch {
  return async (url, init = {}) => {
    const answer = await request(url, {
      method: 'POST',
      headers: { ...init.headers, 'accept-encoding': 'gzip' },
      body: bodyForPackage(init.body ?? null),
      signal: boundsOf(init.signal) ?? null,
      dispatcher,
    });
    const { statusCode: status, statusText } = answer;
    const received = Buffer.from(await answer.body.arrayBuffer());
    const content = answer.headers['content-encoding'] === 'gzip' ? await gunzipped(received) : received;
    return new Response(content.byteLength === 0 ? null : content, { status, statusText, headers: withWait(answer) });
  };
}

/** Slack names none only if something else answers in its place. */
const USUAL_WAIT_MS = 30_000;

/** web-api throws an error without a code if a rate limit names no wait in seconds, which a server may do. */
function withWait({ statusCode, headers }: Dispatcher.ResponseData): Headers {
  const passed = new Headers(
    Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    ),
  );
  const wait = passed.get('retry-after') ?? '';
  if (statusCode !== 429 || /^\d+$/.test(wait)) return passed;
  passed.set('retry-after', String(Math.ceil((parseRetryAfter(wait, systemClock.now()) ?? USUAL_WAIT_MS) / 1000)));
  return passed;
}

/** A file comes as the global FormData, which the package does not know. */
function bodyForPackage(body: unknown): string | UndiciFormData | null {
  if (body === null || typeof body === 'string') return body;
  if (!(body instanceof FormData)) throw new TypeError('web-api sent a body of an unknown type');
  const form = new UndiciFormData();
  for (const [name, value] of body) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, value.name);
  }
  return form;
}

/** A post whose deadline has passed is dropped in the moment of its sending. */
const fetchInTime = ({ agent }: Network): Fetch => createFetch(agent.compose(dropLateRequests), signalWithin);

/** Each call makes new objects: web-api and socket-mode write into those that they share (token, retryConfig). */
export function clientOptions(
  apiUrl: string,
  log: Logger,
  { retries = 0, network = directNetwork }: { retries?: number; network?: Network } = {},
): WebClientOptions {
  return {
    slackApiUrl: apiUrl,
    fetch: createFetch(network.agent),
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
  {
    inWorkspaceNames = createWorkspaceNames(''),
    network = directNetwork,
  }: { inWorkspaceNames?: InWorkspaceNames; network?: Network } = {},
): SlackClients {
  const health = createTokenHealth({
    confirm: () => lookups.auth.test(),
    log,
    nowMs: () => performance.now(),
  });
  const wrapping = { inWorkspaceNames, recordOutcome: (error: unknown) => health.recordOutcome(error) };
  const client = (options: WebClientOptions) => new ObservedClient(token, options, wrapping);
  const lookups = client(clientOptions(apiUrl, log, { retries: 2, network }));
  return {
    interactive: client(clientOptions(apiUrl, log, { network })),
    posting: client({ ...clientOptions(apiUrl, log, { network }), fetch: fetchInTime(network) }),
    lookups,
    agent: network.agent,
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
