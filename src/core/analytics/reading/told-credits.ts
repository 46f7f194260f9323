import { type Day, dayNumberOf, plusDays } from '../../base/time/calendar.ts';
import { quantile } from '../../base/statistics.ts';
import { withoutWaitingForDisk } from '../../store/unhurried-writes.ts';
import type { Database } from '../../store/tables.ts';
import type { DailyCreditsRow } from '../day-facts.ts';

/** The credits of a day as the platform told them first on the day after it, on the second one, and when it was settled. */
export interface ToldCreditsTable {
  day: string;
  firstDay: number | null;
  secondDay: number | null;
  settled: number | null;
}

declare module '../../store/tables.ts' {
  interface Tables {
    toldCredits: ToldCreditsTable;
  }
}

export type ToldDay = Omit<ToldCreditsTable, 'day'> & { day: Day };

/** How much fresh days rise is learned from this many days before. */
const KEPT_DAYS = 56;
/** With fewer, one late batch would be taken for a habit. */
const LEAST_DAYS = 8;
/** A day of which less was told at first says nothing about its total. */
const LEAST_SHARE = 0.05;
/** A day is settled on the third day after it. If it isn’t read within a week from then, it teaches nothing. */
const SETTLED_AGES = { first: 3, last: 9 };

type Column = 'firstDay' | 'secondDay' | 'settled';

function columnOf(day: Day, today: Day): Column | undefined {
  const age = dayNumberOf(today) - dayNumberOf(day);
  if (age === 1) return 'firstDay';
  if (age === 2) return 'secondDay';
  return age >= SETTLED_AGES.first && age <= SETTLED_AGES.last ? 'settled' : undefined;
}

export interface ToldCredits {
  /** Remembers the credits of days that were just read, and returns what was told of the days before. */
  learn(rows: readonly DailyCreditsRow[], today: Day): Promise<readonly ToldDay[]>;
}

/** Each process writes and reads once a day, or when a day is published. */
export function createToldCredits(db: Database): ToldCredits {
  let newest: { today: Day; days: Set<Day>; told: readonly ToldDay[] } | undefined;
  const write = (rows: readonly DailyCreditsRow[], today: Day) =>
    withoutWaitingForDisk(async () => {
      for (const { date: day, billable_tokens: credits } of rows) {
        const column = columnOf(day, today);
        const of = db.updateTable('toldCredits').where('day', '=', day);
        if (column === 'settled') await of.set({ settled: credits }).where('settled', 'is', null).execute();
        else if (column !== undefined) {
          await db
            .insertInto('toldCredits')
            .values({ day, firstDay: null, secondDay: null, settled: null })
            .onConflict((conflict) => conflict.column('day').doNothing())
            .execute();
          await of
            .set({ [column]: credits })
            .where(column, 'is', null)
            .execute();
        }
      }
      await db.deleteFrom('toldCredits').where('day', '<', plusDays(today, -KEPT_DAYS)).execute();
    });
  return {
    learn: async (rows, today) => {
      const known = newest?.today === today ? newest.days : undefined;
      const unknown = rows.filter(({ date }) => columnOf(date, today) !== undefined && !known?.has(date));
      if (newest?.today === today && unknown.length === 0) return newest.told;
      await write(unknown, today);
      const told = await db.selectFrom('toldCredits').selectAll().execute();
      newest = { today, days: new Set([...(known ?? []), ...unknown.map(({ date }) => date)]), told };
      return told;
    },
  };
}

/** Adds to each day that may still change what it will likely come to, if enough such days were told before. Pure. */
export function withLikelyTotals(
  rows: readonly DailyCreditsRow[],
  told: readonly ToldDay[],
  today: Day,
): DailyCreditsRow[] {
  return rows.map((row) => {
    const column = columnOf(row.date, today);
    if (column === undefined || column === 'settled') return row;
    const shares = told.flatMap(({ settled, [column]: first }) =>
      settled !== null && settled > 0 && first !== null ? [Math.max(LEAST_SHARE, first / settled)] : [],
    );
    if (shares.length < LEAST_DAYS) return row;
    const first = told.find(({ day }) => day === row.date)?.[column] ?? row.billable_tokens;
    const totalAt = (part: number) => Math.max(row.billable_tokens, first / quantile(shares, part));
    return { ...row, likely: { expected: totalAt(0.5), low: totalAt(0.9), high: totalAt(0.1) } };
  });
}
