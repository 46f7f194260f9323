import { hkdfSync } from 'node:crypto';
import type { Clock } from '../base/time/clock.ts';
import { NO_PSEUDONYMS, type Pseudonyms } from '../base/privacy/pseudonyms.ts';
import { createAnalytics, type Analytics } from './endpoints/analytics.ts';
import { createComputers, type Computers } from './endpoints/computers.ts';
import { createByteBudget } from '../base/work-queue.ts';
import { createControls, type Controls } from './endpoints/controls.ts';
import { PlatformError } from './errors.ts';
import { createLimits, type Limits } from './endpoints/limits.ts';
import { createReadiness, type Readiness } from './endpoints/readiness.ts';
import type { PlaceMemory } from './endpoints/readiness-place.ts';
import { pseudonymizedAnalytics, pseudonymizedControls } from './pseudonymized.ts';
import { createRedact } from './redaction/redact.ts';
import type { AttemptEvent } from './transport/request.ts';
import { createScrub } from '../base/privacy/scrub.ts';
import { createSender } from './transport/sender.ts';
import { createRoster, type Roster } from './endpoints/roster.ts';
import { createShownLimits, type ShownLimits } from './endpoints/shown-limits.ts';
import { createSessions, type Sessions } from './endpoints/sessions.ts';
import { createTransport } from './transport/transport.ts';
import { directNetwork, type Network } from '../http/network.ts';

const DEFAULT_DEADLINE_MS = 30_000;
const DEFAULT_REQUEST_TIMEOUT_MS = 15_000;
const DEFAULT_CONCURRENCY = 12;
/** Parsed JSON takes about five times its bytes. */
const DEFAULT_ANSWER_BUDGET_BYTES = 96 * 1024 * 1024;

export interface PlatformClientSettings {
  /** `{base_url}` of the API document. */
  baseUrl: string;
  /** `{app_url}` of the API document; serves the readiness reports. */
  appUrl: string;
  apiKey: string;
  clock: Clock;
  /** Returns a number between 0 and 1, which spreads retries. */
  random?: (() => number) | undefined;
  /** The time for one call with its retries and waits. Default: 30 seconds. */
  deadlineMs?: number | undefined;
  /** The time for one attempt. Default: 15 seconds. */
  requestTimeoutMs?: number | undefined;
  /** The most attempts at the same time. Default: 12. */
  concurrency?: number | undefined;
  /** The most bytes of all answers under way together; above it the others wait. Default: 96 MB. */
  answerBudgetBytes?: number | undefined;
  /** Where readiness reports were found. Default: forgotten with the client. */
  readinessPlace?: PlaceMemory | undefined;
  pseudonyms?: Pseudonyms | undefined;
  /** Default: without proxies. */
  network?: Network | undefined;
  observe?: ((event: AttemptEvent) => void) | undefined;
}

export interface PlatformClient {
  readonly analytics: Analytics;
  readonly readiness: Readiness;
  readonly controls: Controls;
  readonly sessions: Sessions;
  readonly computers: Computers;
  readonly limits: Limits;
  readonly shownLimits: ShownLimits;
  readonly roster: Roster;
  /** Waits for running calls, then closes the connections. */
  close(): Promise<void>;
}

/**
 * Every method throws PlatformError and nothing else.
 *
 * @throws PlatformError `invalid_argument` for an address or key that cannot be used
 * @example
 * const client = createPlatformClient({ baseUrl, appUrl, apiKey, clock: systemClock });
 * for await (const page of client.analytics.userPages({ startDate, endDate })) page.forEach(fold);
 * await client.close();
 */
export function createPlatformClient(settings: PlatformClientSettings): PlatformClient {
  const { apiKey, clock } = settings;
  const requestTimeoutMs = settings.requestTimeoutMs ?? DEFAULT_REQUEST_TIMEOUT_MS;
  const baseUrl = checkAddress('baseUrl', settings.baseUrl);
  const appUrl = checkAddress('appUrl', settings.appUrl);
  // A key that no header can carry would otherwise fail later, in an error that quotes it.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw unusable('apiKey must be visible ASCII characters without spaces');

  const transport = createTransport({
    baseUrl,
    appUrl,
    apiKey,
    connectTimeoutMs: requestTimeoutMs,
    network: settings.network ?? directNetwork,
  });
  const send = createSender({
    transport,
    clock,
    requestTimeoutMs,
    random: settings.random ?? Math.random,
    deadlineMs: settings.deadlineMs ?? DEFAULT_DEADLINE_MS,
    concurrency: settings.concurrency ?? DEFAULT_CONCURRENCY,
    observe: settings.observe ?? (() => {}),
    scrub: createScrub([apiKey]),
    budget: createByteBudget(settings.answerBudgetBytes ?? DEFAULT_ANSWER_BUDGET_BYTES),
  });
  const { pseudonyms = NO_PSEUDONYMS } = settings;
  return {
    analytics: pseudonymizedAnalytics(createAnalytics(send), pseudonyms),
    readiness: createReadiness(send, settings.readinessPlace),
    controls: pseudonymizedControls(createControls(send, createRedact(fingerprintKey(apiKey))), pseudonyms),
    sessions: createSessions(send),
    computers: createComputers(send),
    limits: createLimits(send),
    shownLimits: createShownLimits(send, pseudonyms),
    roster: createRoster(send, pseudonyms),
    close: () => transport.close(),
  };
}

/** Makes a key that is not stored beside the fingerprints, so values can't be tried with the store alone. */
function fingerprintKey(apiKey: string): string {
  return Buffer.from(hkdfSync('sha256', apiKey, '', 'quartermaster fingerprints', 32)).toString('hex');
}

function checkAddress(name: string, address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw unusable(`${name} must be an http or https address`);
  if (url.username || url.password || url.search || url.hash) {
    throw unusable(`${name} must have no user, query or fragment`);
  }
  return address;
}

function unusable(detail: string): PlatformError {
  return new PlatformError({ code: 'invalid_argument', method: '-', path: 'settings', detail });
}
