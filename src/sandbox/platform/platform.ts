import { once } from 'node:events';
import type { Clock } from '../../base/time/clock.ts';
import type { NewRevision, WireChange } from './model/controls-data.ts';
import type { Faults } from './server/faults.ts';
import { createFaults } from './server/faults.ts';
import type { Keys } from './routes/keys.ts';
import type { Organization } from './model/organization.ts';
import { createRequestLog } from './server/request-log.ts';
import type { LoggedRequest } from './server/request-log.ts';
import { createPlatformServer } from './server/server.ts';
import { dayNumber } from './model/calendar.ts';
import { createWorld } from './model/world.ts';

const DEFAULT_PEOPLE = 60;

export interface PlatformSettings {
  /** Decides what "yesterday" is, and moves computers. */
  clock: Clock;
  /** Everything generated is a function of it. Default: 1. */
  seed?: number | undefined;
  /** Size of the organization. Default: 60; the first five are the demo people. */
  people?: number | undefined;
  /** How many revisions the history of the controls has at least. Default: those that show what there is. */
  revisions?: number | undefined;
  /** The first revision that the history still shows. Default: 1. */
  oldestRevision?: number | undefined;
  /** Default: any free one. */
  port?: number | undefined;
  /** Default: 127.0.0.1. */
  host?: string | undefined;
  /** The manager's key. */
  apiKey?: string | undefined;
  /** How long after the end of a day (UTC) its figures are published. Default: two hours. */
  publishDelayMs?: number | undefined;
  /** How many decimals credits have. Default: none. */
  creditDecimals?: number | undefined;
}

export interface SimulatedPlatform {
  baseUrl: string;
  appUrl: string;
  apiKeys: Keys;
  organization: Organization;
  faults: Faults;
  /** Every request, oldest first. */
  requests: readonly LoggedRequest[];
  /** Credit limits that were set, by e-mail in lower case. */
  limits: ReadonlyMap<string, number>;
  /** Ids of the sessions that exist; the first one has 57 messages. */
  sessionIds: readonly string[];
  /** What the organization used on a day, published or not. */
  creditsOn: (day: string) => number;
  /** The rows of a day go missing until it is released. */
  holdDay: (day: string) => void;
  releaseDay: (day: string) => void;
  /** Multiplies what was done on a day; 1 brings the first figures back. */
  reviseDay: (day: string, factor: number) => void;
  /** Has a readiness report pass everything from now on. */
  reviseReport: (reportId: string) => void;
  addRevision: (revision: NewRevision) => WireChange;
  /** The history of the controls as it is, newest first; a test may take out of it, or change, what is there. */
  changesOf: () => WireChange[];
  /** The most requests that were answered at the same time. */
  mostInFlight: () => number;
  close: () => Promise<void>;
}

/**
 * Starts a platform that follows the API document, over a generated organization.
 *
 * @throws the server's own error if the port is taken
 * @example
 * const platform = await startPlatform({ clock, people: 200 });
 * const client = createPlatformClient({ ...platform, apiKey: platform.apiKeys.manager, clock });
 */
export async function startPlatform(settings: PlatformSettings): Promise<SimulatedPlatform> {
  const {
    clock,
    seed = 1,
    people = DEFAULT_PEOPLE,
    port = 0,
    host = '127.0.0.1',
    publishDelayMs,
    creditDecimals,
    oldestRevision,
  } = settings;
  const world = createWorld({ clock, seed, people, publishDelayMs, creditDecimals, oldestRevision });
  for (let count = world.controls.changes()[0]?.revision ?? 0; count < (settings.revisions ?? 0); count += 1) {
    world.controls.addRevision({ settings: { rolloutRing: `ring ${count}` } });
  }
  const faults = createFaults(seed);
  const log = createRequestLog(seed);
  const keys = { manager: settings.apiKey ?? 'sandbox-manager-key', member: 'sandbox-member-key', jwt: SANDBOX_JWT };
  const server = createPlatformServer({ world, faults, keys, log });
  server.listen(port, host);
  await once(server, 'listening');

  const bound = server.address();
  const address = `http://${host}:${typeof bound === 'object' ? bound?.port : port}`;
  const { figures, controls } = world;
  return {
    baseUrl: address,
    appUrl: address,
    apiKeys: keys,
    organization: world.organization,
    faults,
    requests: log.entries,
    limits: world.limits.values,
    sessionIds: [...world.sessions.keys()],
    creditsOn: (day) => figures.ofDay(dayNumber(day)).tokens.billable_tokens,
    holdDay: (day) => figures.holdDay(day),
    releaseDay: (day) => figures.releaseDay(day),
    reviseDay: (day, factor) => figures.reviseDay(day, factor),
    reviseReport: (reportId) => world.revisedReports.add(reportId),
    addRevision: (revision) => controls.addRevision(revision),
    changesOf: () => controls.changes(),
    mostInFlight: () => log.mostInFlight(),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Has the form of a JWT and nothing else: how a real one is obtained is not shown. */
const SANDBOX_JWT = ['{"alg":"none"}', '{"sub":"sandbox"}', 'unsigned']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');
