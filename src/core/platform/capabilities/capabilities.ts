import type { Clock } from '../../base/time/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../../base/time/durations.ts';
import { withinTime } from '../../base/time/turns.ts';
import type { Logger } from '../../base/log.ts';
import type { Database } from '../../store/tables.ts';
import type { PlatformClient } from '../client.ts';
import type { RosterMember } from '../endpoints/roster.ts';
import type { LimitsInForce } from '../endpoints/shown-limits.ts';
import type { CallOptions } from '../transport/request.ts';
import type { Capability } from './capability.ts';
import { createOperation, type Reading } from './operation.ts';
import { forgetShownLimits, isShownBeforeRestore, storeShownLimits } from './shown-limit-store.ts';

/** What is known of the limits in force right now. */
export type LimitsReading =
  | { kind: 'read'; at: Date; limits: LimitsInForce }
  | Exclude<Reading<LimitsInForce>, { kind: 'read' }>;

/** Knows which optional operations the platform has. Each reading of one says so again. */
export interface Capabilities {
  /** Whether it shows limits. Undefined until it was asked for the first time. */
  limits: () => Promise<Capability | undefined>;
  /**
   * Reads the limits in force and stores them, unless a reading of this process is at most so old. Asks nothing if the
   * platform is known not to show limits.
   */
  readLimits: (maxAgeMs: number, options?: CallOptions) => Promise<LimitsReading>;
  /** The same for a view: a minute old at most, and a late answer is not awaited. */
  refreshLimits: () => Promise<void>;
  /** Whether it lists its members. Undefined until it was asked for the first time. */
  roster: () => Promise<Capability | undefined>;
  /**
   * Who has a seat, an hour old at most; undefined if the platform does not list its members, or does not answer in
   * time. It is for figures, never for rights.
   */
  readRoster: () => Promise<readonly RosterMember[] | undefined>;
  /** Asks at the start of the process, and then if the last answer is old. A refusal is stored and not thrown. */
  askIfDue(): Promise<void>;
}

/** A view with the last known limits is better than a late one. */
const VIEW_WAIT_MS = 3_000;

export function createCapabilities({
  platform,
  db,
  clock,
  log,
}: {
  platform: Pick<PlatformClient, 'shownLimits' | 'roster'>;
  db: Database;
  clock: Clock;
  log: Logger;
}): Capabilities {
  const limits = createOperation({
    operation: 'limits',
    call: (options) => platform.shownLimits.read(options),
    keep: async (trx, read, at, before) =>
      storeShownLimits(trx, read, { at, isBaseline: await isShownBeforeRestore(trx, before) }),
    forget: (trx) => forgetShownLimits(trx),
    db,
    clock,
    log,
  });
  const roster = createOperation({
    operation: 'roster',
    call: (options) => platform.roster.read(options),
    db,
    clock,
    log,
  });
  const readLimits: Capabilities['readLimits'] = async (maxAgeMs, options) => {
    const reading = await limits.read(maxAgeMs, options);
    return reading.kind === 'read' ? { kind: 'read', at: reading.at, limits: reading.value } : reading;
  };
  return {
    limits: limits.state,
    readLimits,
    refreshLimits: async () => {
      const reading = readLimits(MINUTE_MS).then(() => undefined);
      await withinTime(clock, VIEW_WAIT_MS, reading, undefined);
    },
    roster: roster.state,
    readRoster: async () => {
      const reading = await withinTime(clock, VIEW_WAIT_MS, roster.read(HOUR_MS), undefined);
      return reading?.kind === 'read' ? reading.value : undefined;
    },
    askIfDue: async () => {
      await Promise.all([limits.askIfDue(), roster.askIfDue()]);
    },
  };
}
