import { eachInTurns } from '../../base/time/turns.ts';
import type { CreditsRow } from '../../platform/endpoints/analytics-rows.ts';
import type { Day, Period } from '../../base/time/calendar.ts';
import { ROUNDING } from '../../base/text/numbers.ts';
import type { Database } from '../../store/tables.ts';
import { firstParts } from './day-store.ts';
import type { DailyCreditsRow, DaysOptions, Part } from '../day-facts.ts';
import type { ReadEvidence } from './left-out-days.ts';
import { readTotals } from './resources.ts';

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
      for await (const part of eachInTurns(await firstParts(db, 'tokens'))) {
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
  totals?: Promise<Part<CreditsRow>> | undefined;
}

export interface DailyCreditsDeps {
  sumsOverModels: (period: Period, options: DaysOptions) => Promise<Part<DailyCreditsRow>>;
  inFull: (period: Period, options: DaysOptions) => Promise<Part<CreditsRow>>;
  models: Pick<ModelsWatch, 'haveBeenWrong'>;
}

/** Sums over models are small answers; if they are not the sums of their days, the days are read in full. */
export function createDailyCredits({ sumsOverModels, inFull, models }: DailyCreditsDeps) {
  const readInFull = async (period: Period, options: DaysOptions): Promise<Part<DailyCreditsRow>> => {
    const maxAgeMs = Math.max(options.maxAgeMs ?? 0, IN_FULL_MAX_AGE_MS);
    const part = await inFull(period, { ...options, maxAgeMs });
    return part.kind === 'read' ? { ...part, rows: part.rows.map(sumOfDay) } : part;
  };
  return async (period: Period, { totals, ...options }: DailyCreditsOptions = {}): Promise<Part<DailyCreditsRow>> => {
    if (await models.haveBeenWrong()) return readInFull(period, options);
    const [sums, read] = await Promise.all([sumsOverModels(period, options), totals]);
    if (await models.haveBeenWrong()) return readInFull(period, options);
    return sums.kind === 'read' && read?.kind === 'read'
      ? { ...sums, rows: withTotals(sums.rows, read.rows, period) }
      : sums;
  };
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
