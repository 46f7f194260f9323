import type { Clock } from '../../base/time/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Database, DatabaseTransaction } from '../../store/tables.ts';
import { isPlatformError } from '../errors.ts';
import type { CallOptions } from '../transport/request.ts';
import {
  answerOf,
  isDue,
  nextCapability,
  type Answer,
  type Capability,
  type CapabilityState,
  type OptionalOperation,
} from './capability.ts';
import { readCapability, storeCapability } from './capability-store.ts';

/** What is known of an optional operation right now. */
export type Reading<Value> =
  | { kind: 'read'; at: Date; value: Value }
  /** The platform does not have it, or not for this key. */
  | { kind: 'not_shown' }
  /** It may have it, but did not answer. Nothing may be set because of this. */
  | { kind: 'failed' };

export interface Operation<Value> {
  /** Undefined until it was asked for the first time. */
  state: () => Promise<Capability | undefined>;
  /**
   * Reads it, unless a reading of this process is at most so old. Asks nothing if the platform is known not to have it.
   */
  read: (maxAgeMs: number, options?: CallOptions) => Promise<Reading<Value>>;
  /** Asks at the start of the process, and then if the last answer is old. A refusal is stored and not thrown. */
  askIfDue: () => Promise<void>;
}

const NOT_ASKED: ReadonlySet<CapabilityState> = new Set(['none', 'refused']);

/** Asks for one optional operation, and stores with each answer whether the platform has it. */
export function createOperation<Value>({
  operation,
  call,
  keep,
  forget,
  db,
  clock,
  log,
}: {
  operation: OptionalOperation;
  call: (options?: CallOptions) => Promise<Value>;
  /** Stores what was read. @param before the state before this reading */
  keep?: (trx: DatabaseTransaction, value: Value, at: Date, before: Capability | undefined) => Promise<void>;
  /** The platform does not have it any more. */
  forget?: (trx: DatabaseTransaction) => Promise<void>;
  db: Database;
  clock: Clock;
  log: Logger;
}): Operation<Value> {
  /** Of two readings, the one that began later counts. */
  const record = async (answer: Answer, value: { read: Value } | undefined, startedAt: Date) => {
    const { before, after } = await db.transaction().execute(async (trx) => {
      const stored = await readCapability(trx, operation);
      if (stored && stored.askedAt > startedAt) return { before: stored, after: stored };
      const next = nextCapability(stored, answer, startedAt);
      if (!(await storeCapability(trx, operation, stored, next))) return { before: stored, after: next };
      if (value) await keep?.(trx, value.read, startedAt, stored);
      if (next.state === 'none') await forget?.(trx);
      return { before: stored, after: next };
    });
    if (before?.state !== after.state)
      log.info({ operation, before: before?.state, ...after }, 'What the platform can do has changed');
    return after;
  };
  const ask = async (options?: CallOptions): Promise<Reading<Value>> => {
    const at = clock.now();
    try {
      const value = await call(options);
      await record({ kind: 'read', reason: undefined }, { read: value }, at);
      return { kind: 'read', at, value };
    } catch (error) {
      if (!isPlatformError(error)) throw error;
      // A caller that gives up says nothing about the platform.
      if (error.code === 'cancelled') return { kind: 'failed' };
      const { state } = await record(answerOf(error), undefined, at);
      return NOT_ASKED.has(state) ? { kind: 'not_shown' } : { kind: 'failed' };
    }
  };
  let latest: { at: Date; reading: Promise<Reading<Value>> } | undefined;
  const askNow = (options?: CallOptions): Promise<Reading<Value>> => {
    const asked = { at: clock.now(), reading: ask(options) };
    latest = asked;
    // An unexpected fault is no reading that others could use.
    asked.reading.catch(() => {
      if (latest === asked) latest = undefined;
    });
    return asked.reading;
  };
  let wasAsked = false;
  return {
    state: () => readCapability(db, operation),
    read: async (maxAgeMs, options) => {
      if (latest && clock.now().getTime() - latest.at.getTime() < maxAgeMs) return latest.reading;
      const known = await readCapability(db, operation);
      // Before the first answer of this process, another platform may be behind the same address.
      if (wasAsked && known && NOT_ASKED.has(known.state)) return { kind: 'not_shown' };
      wasAsked = true;
      return askNow(options);
    },
    askIfDue: async () => {
      const known = await readCapability(db, operation);
      if (wasAsked && known && !isDue(known, clock.now())) return;
      wasAsked = true;
      await askNow();
    },
  };
}
