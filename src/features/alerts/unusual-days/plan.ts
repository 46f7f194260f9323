import { plusDays, type Day } from '../../../core/base/time/calendar.ts';
import type { DailyCreditsRow } from '../../../core/analytics/day-facts.ts';
import { type UsualRange, judgeByRange, usualRange } from '../../../core/figures/insight/unusual.ts';

export type Judgement = 'usual' | 'high' | 'low' | 'unknown';

export interface JudgedDay {
  day: Day;
  judgement: Judgement;
  amount: number;
  range: UsualRange | undefined;
}

export interface AssessedDay {
  day: Day;
  judgement: Judgement;
  amount: number;
  /** 1 if a user marked it as expected; such a day does not count toward the usual range. */
  isExpected: number;
  deliveryKey: string | null;
  /** Only for a group: the id of the members whose sum was reported; null in rows from before version 0.3.0. */
  members: string | null;
}

export interface WatchPlan {
  /** The days that are judged for the first time, oldest first. */
  days: JudgedDay[];
  /** The message about them. `back`: the days are usual again. `too_little`: too few earlier days to judge them. */
  message: 'none' | 'unusual' | 'back' | 'too_little';
  /** Days that were reported as unusual and are usual by the figures that are published now. */
  corrections: JudgedDay[];
}

interface WatchFacts {
  rows: readonly DailyCreditsRow[];
  /** The credits of the members whose sum was reported; undefined if they are unknown: then nothing is corrected. */
  rowsOf: (assessed: AssessedDay) => readonly DailyCreditsRow[] | undefined;
  assessed: readonly AssessedDay[];
  /** The last day that was published when the watch began; only later days are reported. */
  since: Day;
  today: Day;
  isSnoozed: boolean;
}

/** An older day is not assessed again. */
const WATCHED_DAYS = 9;

export function planWatch({ rows, rowsOf, assessed, since, today, isSnoozed }: WatchFacts): WatchPlan {
  const expected = new Set(assessed.filter(({ isExpected }) => isExpected === 1).map(({ day }) => day));
  const [last = since] = assessed
    .map(({ day }) => day)
    .toSorted()
    .toReversed();
  const oldest = plusDays(today, -WATCHED_DAYS);
  const days = rows
    .filter(({ date }) => date > last && date > since && date >= oldest)
    .map((row) => judgeDayOf(rows, row, expected));
  const corrections = assessed.flatMap((one) => {
    const { day, judgement, deliveryKey, isExpected } = one;
    if (isExpected === 1 || deliveryKey === null || day < oldest || !isUnusual(judgement)) return [];
    // If the members of a group changed, its day is judged by the members whose sum was reported.
    const theirs = rowsOf(one);
    const row = theirs?.find(({ date }) => date === day);
    if (!theirs || !row) return [];
    const now = judgeDayOf(theirs, row, expected);
    return now.judgement === 'usual' ? [now] : [];
  });
  return { days, message: isSnoozed ? 'none' : messageOf(assessed, days, corrections), corrections };
}

function judgeDayOf(
  rows: readonly DailyCreditsRow[],
  { date: day, billable_tokens: amount }: DailyCreditsRow,
  expected: ReadonlySet<Day>,
): JudgedDay {
  const usable = rows
    .filter(({ date }) => !expected.has(date))
    .map(({ date, billable_tokens }) => ({ day: date, amount: billable_tokens }));
  const range = usualRange(usable, day);
  const judgement = judgeByRange({ day, amount }, range);
  return {
    day,
    amount,
    range,
    judgement: judgement.kind === 'unusual' ? judgement.direction : judgement.kind,
  };
}

export const isUnusual = (judgement: Judgement): boolean => judgement === 'high' || judgement === 'low';

/** Consecutive days in the same state cause one message. An unusually high day and then a low one are two states. */
function messageOf(
  assessed: readonly AssessedDay[],
  days: readonly JudgedDay[],
  corrections: readonly JudgedDay[],
): WatchPlan['message'] {
  const corrected = new Set(corrections.map(({ day }) => day));
  const judgedDays = assessed
    .filter(({ judgement }) => judgement !== 'unknown')
    .toSorted((a, b) => (a.day < b.day ? -1 : 1));
  const before = judgedDays.at(-1);
  const stateBefore = before === undefined || corrected.has(before.day) ? 'usual' : before.judgement;
  const newStates = days.map(({ judgement }) => judgement).filter((judgement) => judgement !== 'unknown');
  const isNews = (judgement: Judgement, index: number) =>
    isUnusual(judgement) && judgement !== (newStates[index - 1] ?? stateBefore);
  if (newStates.some(isNews)) return 'unusual';
  const lastKnown = newStates.at(-1);
  if (isUnusual(stateBefore) && lastKnown === 'usual') return 'back';
  const wasReportedBefore = assessed.some(({ judgement }) => judgement === 'unknown');
  if (days.length > 0 && lastKnown === undefined && judgedDays.length === 0 && !wasReportedBefore) return 'too_little';
  return 'none';
}
