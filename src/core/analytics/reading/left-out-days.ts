import { dayOf, daysOf, plusDays, type Day, type Period } from '../../base/time/calendar.ts';
import type { Logger } from '../../base/log.ts';
import { isPlatformError } from '../../platform/errors.ts';
import { dayStateOf } from '../day-state.ts';
import type { DayReader, DayReaderDeps } from './day-reader.ts';
import { firstPart, storeDays, type NewDay, type StoredDay } from './day-store.ts';

/** What another resource reports about a day that this one leaves out. */
export type DayEvidence = 'unpublished' | 'unused' | 'used';

export type LeftOutDay = { kind: 'unpublished' } | { kind: 'zero'; state: StoredDay['state'] };

/** After this many days, a used day that one resource still leaves out is no longer requested: its batch lost it. */
const LATE_BATCH_DAYS = 7;

/**
 * A left-out day may be zero or unpublished: the document promises a row for each day but shows none without use.
 * @example decideLeftOutDay('2026-03-01', 'unused', '2026-03-02') // { kind: 'zero', state: 'fresh' }
 */
export function decideLeftOutDay(day: Day, evidence: DayEvidence, today: Day): LeftOutDay {
  if (evidence === 'unpublished') return { kind: 'unpublished' };
  const isSettled = dayStateOf(day, true, today) === 'settled';
  if (evidence === 'unused') return { kind: 'zero', state: isSettled ? 'settled' : 'fresh' };
  // The batch may be half-way through a day that other resources already have.
  if (!isSettled) return { kind: 'unpublished' };
  return { kind: 'zero', state: day < plusDays(today, -LATE_BATCH_DAYS) ? 'settled' : 'fresh' };
}

/** Reports which of these days, oldest first, another resource has; it may include days between them. */
export type ReadEvidence = (days: readonly Day[]) => Promise<ReadonlyMap<Day, DayEvidence>>;

/** An answer that was read just before for the same purpose is recent enough as evidence. */
const EVIDENCE_MAX_AGE_MS = 60_000;

/** Reads about left-out days from another resource. @param isUsed whether the first part of a day shows any use */
export function createEvidenceReader(
  reader: DayReader,
  log: Logger,
  isUsed: (firstPart: string) => boolean,
): ReadEvidence {
  return async (days) => {
    const evidenceByDay = new Map<Day, DayEvidence>();
    const period = spanOf(days);
    if (!period) return evidenceByDay;
    try {
      // Days between them are small, and leaving them out would take more calls.
      await reader.read(period, { maxAgeMs: EVIDENCE_MAX_AGE_MS, which: 'first' }, async (entry) => {
        evidenceByDay.set(entry.day, isUsed(await firstPart(entry)) ? 'used' : 'unused');
      });
    } catch (error) {
      if (!isPlatformError(error)) throw error;
      // The answer does without: a day of unknown state counts as not published.
      log.warn({ err: error, period }, 'Reading whether missing days are days without use failed');
    }
    return evidenceByDay;
  };
}

function spanOf(days: readonly Day[]): Period | undefined {
  const [first, last] = [days[0], days.at(-1)];
  return first === undefined || last === undefined ? undefined : { first, last };
}

type LeftOutDaysDeps = Pick<DayReaderDeps, 'db' | 'clock' | 'log' | 'source'> & {
  reader: DayReader;
  readEvidence: ReadEvidence;
};

/** Adds to a reader’s days those that it leaves out because there was no use: they are published as well. */
export function withLeftOutDays(deps: LeftOutDaysDeps): DayReader {
  const { clock, reader, source, readEvidence } = deps;
  return {
    read: async (period, options, take) => {
      const readAt = clock.now();
      const today = dayOf(readAt);
      const publishedDays = new Set<Day>();
      await reader.read(period, options, (entry) => {
        publishedDays.add(entry.day);
        return take(entry);
      });
      const missing = daysOf(period).filter((day) => day < today && !publishedDays.has(day));
      if (missing.length === 0) return;
      const evidenceByDay = await readEvidence(missing);
      const entries = missing.flatMap((day): NewDay[] => {
        const decision = decideLeftOutDay(day, evidenceByDay.get(day) ?? 'unpublished', today);
        if (decision.kind === 'unpublished') return [];
        return [{ day, state: decision.state, readAt, parts: source.zeroDay(day) }];
      });
      await storeDays(deps, source.resource, entries);
      for (const entry of entries) await take(entry);
    },
  };
}
