import { once } from 'node:events';
import type { Clock } from '../clock.ts';
import type { NewRevision, WireChange } from './model/controls-data.ts';
import { type Faults, createFaults } from './server/faults.ts';
import type { Keys } from './routes/keys.ts';
import type { Edition } from './model/edition.ts';
import type { Limits } from './model/limits-data.ts';
import type { Organization } from './model/organization.ts';
import { type LoggedRequest, createRequestLog } from './server/request-log.ts';
import { createPlatformServer } from './server/server.ts';
import { dayNumber } from './model/calendar.ts';
import { createWorld } from './model/world.ts';

const DEFAULT_PEOPLE = 60;

export interface PlatformSettings {
  /** Determines "yesterday" and the progress of computers. */
  clock: Clock;
  /** Which document it follows. Default: `contract`. */
  edition?: Edition | undefined;
  /** Determines everything that is generated. Default: 1. */
  seed?: number | undefined;
  /** Size of the organization. Default: 60; the first five are the demo people. */
  people?: number | undefined;
  /** The least number of revisions of the controls. Default: enough to show every kind of change. */
  revisions?: number | undefined;
  /** The first revision that the history still shows. Default: 1. */
  oldestRevision?: number | undefined;
  /** Default: any free one. */
  port?: number | undefined;
  /** Default: 127.0.0.1. */
  host?: string | undefined;
  /** The manager's key. */
  apiKey?: string | undefined;
  /** The delay of publication after the end of a day (UTC). Default: two hours. */
  publishDelayMs?: number | undefined;
  /** The number of decimals in credits. Default: none. */
  creditDecimals?: number | undefined;
}

export interface SimulatedPlatform {
  edition: Edition;
  baseUrl: string;
  appUrl: string;
  apiKeys: Keys;
  organization: Organization;
  faults: Faults;
  /** Every request, oldest first. */
  requests: readonly LoggedRequest[];
  /** Credit limits that were set, by e-mail in lower case. */
  limits: ReadonlyMap<string, number>;
  changeLimitsElsewhere: Limits['changeElsewhere'];
  /** Ids of the sessions that exist; the first one has 57 messages. */
  sessionIds: readonly string[];
  /** Returns the organization's credits of a day, published or not. */
  creditsOn: (day: string) => number;
  /** Hides the rows of a day until it is released. */
  holdDay: (day: string) => void;
  releaseDay: (day: string) => void;
  /** Multiplies the activity of a day; 1 restores the original figures. */
  reviseDay: (day: string, factor: number) => void;
  /** Makes a readiness report pass everything from now on. */
  reviseReport: (reportId: string) => void;
  addRevision: (revision: NewRevision) => WireChange;
  /** Shows any value in place of a revision, as a faulty platform does; undefined shows the revision again. */
  showInstead: (revision: number, value: unknown) => void;
  /** Returns the live history of the controls, newest first; a test may remove or change revisions in it. */
  changesOf: () => WireChange[];
  /** Returns the most requests that were answered at the same time. */
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
    edition = 'contract',
    seed = 1,
    people = DEFAULT_PEOPLE,
    port = 0,
    host = '127.0.0.1',
    publishDelayMs,
    creditDecimals,
    oldestRevision,
  } = settings;
  const world = createWorld({ clock, edition, seed, people, publishDelayMs, creditDecimals, oldestRevision });
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
    edition,
    baseUrl: address,
    appUrl: address,
    apiKeys: keys,
    organization: world.organization,
    faults,
    requests: log.entries,
    limits: world.limits.values,
    changeLimitsElsewhere: (change) => world.limits.changeElsewhere(change),
    sessionIds: [...world.sessions.keys()],
    creditsOn: (day) => figures.ofDay(dayNumber(day)).tokens.billable_tokens,
    holdDay: (day) => figures.holdDay(day),
    releaseDay: (day) => figures.releaseDay(day),
    reviseDay: (day, factor) => figures.reviseDay(day, factor),
    reviseReport: (reportId) => world.revisedReports.add(reportId),
    addRevision: (revision) => controls.addRevision(revision),
    showInstead: (revision, value) => controls.showInstead(revision, value),
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

/** Has only the form of a JWT: the document does not show how a real one is obtained. */
const SANDBOX_JWT = ['{"alg":"none"}', '{"sub":"sandbox"}', 'unsigned']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');
