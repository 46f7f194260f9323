import { type Day, type Period, dayOf, daysOf, plusDays } from '../../base/time/calendar.ts';
import type { Logger } from '../../base/log.ts';
import { isPlatformError } from '../../platform/errors.ts';
import { type NewDay, type StoredDay, allTotals, dayStateOf, storeDays, totalsOf } from './day-store.ts';
import type { DayReader, DayReaderDeps } from './day-reader.ts';
import { eachInTurns } from '../../base/time/turns.ts';
import type { CreditsRow } from '../../platform/endpoints/analytics-rows.ts';
import { ROUNDING } from '../../base/text/numbers.ts';
import type { Database } from '../../store/tables.ts';
import type { DailyCreditsRow, DaysOptions, Part } from '../day-facts.ts';
import { readTotals } from './resources.ts';

/** What another resource reports about a day that this one leaves out. */
export type DayEvidence = 'unpublished' | 'unused' | 'used';

export type LeftOutDay = { kind: 'unpublished' } | { kind: 'zero'; state: StoredDay['state'] };

/**
 * A left-out day may be zero or unpublished: the document promises a row for each day but shows none without use. A day
 * that another resource shows as used is never zero, however old it is: this resource lost it, or has not got it yet.
 * @example decideLeftOutDay('2026-03-01', 'unused', '2026-03-02') // { kind: 'zero', state: 'fresh' }
 */
export function decideLeftOutDay(day: Day, evidence: DayEvidence, today: Day): LeftOutDay {
  if (evidence !== 'unused') return { kind: 'unpublished' };
  return { kind: 'zero', state: dayStateOf(day, true, today) === 'settled' ? 'settled' : 'fresh' };
}

/** Reports which of these days, oldest first, another resource has; it may include days between them. */
export type ReadEvidence = (days: readonly Day[]) => Promise<ReadonlyMap<Day, DayEvidence>>;

/** An answer that was read just before for the same purpose is recent enough as evidence. */
const EVIDENCE_MAX_AGE_MS = 60_000;

/** Reads about left-out days from another resource. @param isUsed whether the totals of a day show any use */
export function createEvidenceReader(
  reader: DayReader,
  log: Logger,
  isUsed: (totals: string) => boolean,
): ReadEvidence {
  return async (days) => {
    const evidenceByDay = new Map<Day, DayEvidence>();
    const period = spanOf(days);
    if (!period) return evidenceByDay;
    try {
      // Days between them are small, and leaving them out would take more calls.
      await reader.read(period, { maxAgeMs: EVIDENCE_MAX_AGE_MS }, (entry) => {
        evidenceByDay.set(entry.day, isUsed(totalsOf(entry)) ? 'used' : 'unused');
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

/** Adds to a reader’s days those that it leaves out because there was no use: they are published as well. */
export function withLeftOutDays(
  deps: Pick<DayReaderDeps, 'db' | 'clock' | 'log' | 'source' | 'storedPeople'> & {
    reader: DayReader;
    readEvidence: ReadEvidence;
  },
): DayReader {
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
        return [{ day, state: decision.state, readAt, facts: source.zeroDay(day) }];
      });
      await storeDays(deps, source.resource, entries);
      for (const entry of entries) await take(entry);
    },
  };
}

/** Whether the models of a day add up to less or more than its credits: then their sums are not the day’s sums. */
function areModelsWrong({ billable_tokens: total, by_model }: CreditsRow): boolean {
  const sum = by_model.reduce((models, model) => models + model.billable_tokens, 0);
  return Math.abs(total - sum) > Math.abs(total) * ROUNDING;
}

export type ModelsWatch = ReturnType<typeof watchModels>;

/** Remembers whether the models of any day, stored or read, ever failed to add up to its credits. */
export function watchModels(db: Database) {
  let isWrong = false;
  let isStoreRead = false;
  const checkRow = (row: CreditsRow) => {
    isWrong ||= areModelsWrong(row);
  };
  return {
    checkRow,
    markWrong: () => {
      isWrong = true;
    },
    haveBeenWrong: async () => {
      if (isWrong || isStoreRead) return isWrong;
      for await (const part of eachInTurns(await allTotals(db, 'tokens'))) {
        checkRow(readTotals.tokens(part));
      }
      isStoreRead = true;
      return isWrong;
    },
  };
}

/** A day with credits but without rows by model has lost its models: it is not a day of zero. */
export function evidenceForModels(active: ReadEvidence, spent: ReadEvidence, models: ModelsWatch): ReadEvidence {
  return async (days) => {
    const evidenceByDay = new Map(await active(days));
    const used = days.filter((day) => evidenceByDay.get(day) === 'used');
    const inFull = await Promise.all(used.map((day) => spent([day])));
    for (const [day, evidence] of inFull.flatMap((read) => [...read])) {
      if (evidence === 'used') models.markWrong();
      evidenceByDay.set(day, evidence === 'used' ? 'unpublished' : evidence);
    }
    return evidenceByDay;
  };
}

/** The minimum age at which a long history is read again in full, because those answers are large. */
const IN_FULL_MAX_AGE_MS = 60_000;

export interface DailyCreditsOptions extends DaysOptions {
  /** The credits read for the same answer: they are the totals of their days, whatever the models add up to. */
  totals?: ReadTotals | undefined;
}

export interface ReadTotals {
  period: Period;
  part: Promise<Part<CreditsRow>>;
}

/** Sums over models are small answers; if they are not the sums of their days, the days are read in full. */
export function createDailyCredits({
  sumsOverModels,
  inFull,
  models,
}: {
  sumsOverModels: (period: Period, options: DaysOptions) => Promise<Part<DailyCreditsRow>>;
  inFull: (period: Period, options: DaysOptions) => Promise<Part<CreditsRow>>;
  models: Pick<ModelsWatch, 'haveBeenWrong'>;
}) {
  const readInFull = async (period: Period, options: DaysOptions): Promise<Part<DailyCreditsRow>> => {
    const maxAgeMs = Math.max(options.maxAgeMs ?? 0, IN_FULL_MAX_AGE_MS);
    const part = await inFull(period, { ...options, maxAgeMs });
    return part.kind === 'read' ? { ...part, rows: part.rows.map(sumOfDay) } : part;
  };
  return async (period: Period, { totals, ...options }: DailyCreditsOptions = {}): Promise<Part<DailyCreditsRow>> => {
    if (await models.haveBeenWrong()) return readInFull(period, options);
    const before = totals && partBefore(period, totals.period);
    const [sums, read] = await Promise.all([sumsOverModels(before ?? period, options), totals?.part]);
    if (await models.haveBeenWrong()) return readInFull(period, options);
    if (sums.kind === 'read' && read?.kind === 'read')
      return {
        ...sums,
        readAt: new Date(Math.min(sums.readAt.getTime(), read.readAt.getTime())),
        rows: withTotals(sums.rows, read.rows, period),
      };
    return before ? sumsOverModels(period, options) : sums;
  };
}

/** The days that the totals leave, if those reach to the end; undefined if sums of later days are needed too. */
function partBefore(period: Period, { first, last }: Period): Period | undefined {
  if (last < period.last || first > period.last) return undefined;
  return { first: period.first, last: plusDays(first, -1) };
}

const sumOfDay = ({ date, billable_tokens }: DailyCreditsRow): DailyCreditsRow => ({ date, billable_tokens });

function withTotals(
  sums: readonly DailyCreditsRow[],
  totals: readonly DailyCreditsRow[],
  { first, last }: Period,
): DailyCreditsRow[] {
  const rows = new Map<Day, DailyCreditsRow>(sums.map((row) => [row.date, row]));
  for (const row of totals) if (row.date >= first && row.date <= last) rows.set(row.date, sumOfDay(row));
  return [...rows.values()].toSorted((a, b) => (a.date < b.date ? -1 : 1));
}
