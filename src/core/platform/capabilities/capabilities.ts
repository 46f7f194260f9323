import type { Clock } from '../../base/time/clock.ts';
import { MINUTE_MS } from '../../base/time/durations.ts';
import { withinTime } from '../../base/time/turns.ts';
import type { Logger } from '../../base/log.ts';
import type { Database } from '../../store/tables.ts';
import type { PlatformClient } from '../client.ts';
import type { LimitsInForce } from '../endpoints/shown-limits.ts';
import { isPlatformError } from '../errors.ts';
import type { CallOptions } from '../transport/request.ts';
import { answerOf, isDue, nextCapability, type Answer, type Capability, type CapabilityState } from './capability.ts';
import { readCapability, storeCapability } from './capability-store.ts';
import { forgetShownLimits, storeShownLimits } from './shown-limit-store.ts';

/** What is known of the limits in force right now. */
export type LimitsReading =
  | { kind: 'read'; at: Date; limits: LimitsInForce }
  /** The platform does not show limits, or not to this key. */
  | { kind: 'not_shown' }
  /** It may show them, but did not answer. Nothing may be set because of this. */
  | { kind: 'failed' };

/** Knows which optional operations the platform has. Each reading of one says so again. */
export interface Capabilities {
  /** Undefined until it was asked for the first time. */
  limits: () => Promise<Capability | undefined>;
  /**
   * Reads the limits in force and stores them, unless a reading of this process is at most so old. Asks nothing if the
   * platform is known not to show limits.
   */
  readLimits: (maxAgeMs: number, options?: CallOptions) => Promise<LimitsReading>;
  /** The same for a view: a minute old at most, and a late answer is not awaited. */
  refreshLimits: () => Promise<void>;
  /** Asks at the start of the process, and then if the last answer is old. A refusal is stored and not thrown. */
  askIfDue(): Promise<void>;
}

/** A view with the last known limits is better than a late one. */
const VIEW_WAIT_MS = 3_000;
const NOT_ASKED: ReadonlySet<CapabilityState> = new Set(['none', 'refused']);

export function createCapabilities({
  platform,
  db,
  clock,
  log,
}: {
  platform: Pick<PlatformClient, 'shownLimits'>;
  db: Database;
  clock: Clock;
  log: Logger;
}): Capabilities {
  /** Of two readings, the one that began later counts. */
  const record = async (answer: Answer, limits: LimitsInForce | undefined, startedAt: Date) => {
    const { before, after } = await db.transaction().execute(async (trx) => {
      const stored = await readCapability(trx, 'limits');
      if (stored && stored.askedAt > startedAt) return { before: stored, after: stored };
      const next = nextCapability(stored, answer, startedAt);
      if (!(await storeCapability(trx, 'limits', stored, next))) return { before: stored, after: next };
      if (limits) await storeShownLimits(trx, limits, startedAt);
      if (next.state === 'none') await forgetShownLimits(trx);
      return { before: stored, after: next };
    });
    if (before?.state !== after.state)
      log.info({ operation: 'limits', before: before?.state, ...after }, 'What the platform can do has changed');
    return after;
  };
  const ask = async (options?: CallOptions): Promise<LimitsReading> => {
    const at = clock.now();
    try {
      const limits = await platform.shownLimits.read(options);
      await record({ kind: 'read', reason: undefined }, limits, at);
      return { kind: 'read', at, limits };
    } catch (error) {
      if (!isPlatformError(error)) throw error;
      // A caller that gives up says nothing about the platform.
      if (error.code === 'cancelled') return { kind: 'failed' };
      const { state } = await record(answerOf(error), undefined, at);
      return NOT_ASKED.has(state) ? { kind: 'not_shown' } : { kind: 'failed' };
    }
  };
  let latest: { at: Date; reading: Promise<LimitsReading> } | undefined;
  const askNow = (options?: CallOptions): Promise<LimitsReading> => {
    const asked = { at: clock.now(), reading: ask(options) };
    latest = asked;
    // An unexpected fault is no reading that others could use.
    asked.reading.catch(() => {
      if (latest === asked) latest = undefined;
    });
    return asked.reading;
  };
  let wasAsked = false;
  const readLimits: Capabilities['readLimits'] = async (maxAgeMs, options) => {
    if (latest && clock.now().getTime() - latest.at.getTime() < maxAgeMs) return latest.reading;
    const known = await readCapability(db, 'limits');
    // Before the first answer of this process, another platform may be behind the same address.
    if (wasAsked && known && NOT_ASKED.has(known.state)) return { kind: 'not_shown' };
    wasAsked = true;
    return askNow(options);
  };
  return {
    limits: () => readCapability(db, 'limits'),
    readLimits,
    refreshLimits: async () => {
      const reading = readLimits(MINUTE_MS).then(() => undefined);
      await withinTime(clock, VIEW_WAIT_MS, reading, undefined);
    },
    askIfDue: async () => {
      const known = await readCapability(db, 'limits');
      if (wasAsked && known && !isDue(known, clock.now())) return;
      wasAsked = true;
      await askNow();
    },
  };
}
