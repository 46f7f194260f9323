import { plusDays, type Day } from '../../base/time/calendar.ts';
import type { DailyCreditsRow } from '../../analytics/facts.ts';
import { judgeByRange, usualRange } from '../../figures/insight/unusual.ts';
import type { UsualRange } from '../../figures/insight/unusual.ts';

export type Judgement = 'usual' | 'high' | 'low' | 'unknown';

/** A day with what is usual for it. */
export interface SeenDay {
  day: Day;
  judgement: Judgement;
  amount: number;
  range: UsualRange | undefined;
}

/** What was found of a day, and said. */
export interface AssessedDay {
  day: Day;
  judgement: Judgement;
  amount: number;
  /** Somebody said that it was to be expected: it tells nothing of what is usual. */
  isExpected: boolean;
  /** The message that told it. */
  deliveryKey: string | undefined;
  /** Of a group: the members whose sum was reported; undefined in rows of versions before 0.3.0. */
  members?: string | undefined;
}

export interface WatchPlan {
  /** Seen for the first time, oldest first. */
  days: SeenDay[];
  /** What is told of them. `back`: the days are as usual again. `too_little`: too few days before them to tell. */
  message: 'none' | 'unusual' | 'back' | 'too_little';
  /** Told as unusual, and usual by what is published now. */
  corrections: SeenDay[];
}

interface WatchFacts {
  rows: readonly DailyCreditsRow[];
  /** The credits of those whose sum was reported for a day; undefined where they are not known: then nothing is corrected. */
  rowsOf: (assessed: AssessedDay) => readonly DailyCreditsRow[] | undefined;
  assessed: readonly AssessedDay[];
  /** The last day that was published when the watch began; only later ones are told. */
  since: Day;
  today: Day;
  isSnoozed: boolean;
}

/** A day that is older is not assessed again. */
const WATCHED_DAYS = 9;

/** What is to be said to one who wants to know of unusual days: that they began, and that they ended. Pure. */
export function planWatch({ rows, rowsOf, assessed, since, today, isSnoozed }: WatchFacts): WatchPlan {
  const expected = new Set(assessed.filter(({ isExpected }) => isExpected).map(({ day }) => day));
  const [last = since] = assessed
    .map(({ day }) => day)
    .toSorted()
    .toReversed();
  const oldest = plusDays(today, -WATCHED_DAYS);
  const days = rows
    .filter(({ date }) => date > last && date > since && date >= oldest)
    .map((row) => seeDay(rows, row, expected));
  const corrections = assessed.flatMap((one) => {
    const { day, judgement, deliveryKey, isExpected } = one;
    if (isExpected || deliveryKey === undefined || day < oldest || !isUnusual(judgement)) return [];
    // A group that has other members by now is judged by those whose sum was reported.
    const theirs = rowsOf(one);
    const row = theirs?.find(({ date }) => date === day);
    if (!theirs || !row) return [];
    const now = seeDay(theirs, row, expected);
    return now.judgement === 'usual' ? [now] : [];
  });
  return { days, message: isSnoozed ? 'none' : messageOf(assessed, days, corrections), corrections };
}

/** Judges a day by the days before it. Pure. */
function seeDay(
  rows: readonly DailyCreditsRow[],
  { date: day, billable_tokens: amount }: DailyCreditsRow,
  expected: ReadonlySet<Day>,
): SeenDay {
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

/** The same state is told once, however many days in a row it lasts. */
function messageOf(
  assessed: readonly AssessedDay[],
  days: readonly SeenDay[],
  corrections: readonly SeenDay[],
): WatchPlan['message'] {
  const corrected = new Set(corrections.map(({ day }) => day));
  const known = assessed
    .filter(({ judgement }) => judgement !== 'unknown')
    .toSorted((a, b) => (a.day < b.day ? -1 : 1));
  const before = known.at(-1);
  const wasUnusual = before !== undefined && isUnusual(before.judgement) && !corrected.has(before.day);
  const isNowUnusual = days.some(({ judgement }) => isUnusual(judgement));
  const lastKnown = days.findLast(({ judgement }) => judgement !== 'unknown');
  if (isNowUnusual && !wasUnusual) return 'unusual';
  if (wasUnusual && lastKnown?.judgement === 'usual') return 'back';
  const wasSaid = assessed.some(({ judgement }) => judgement === 'unknown');
  if (days.length > 0 && lastKnown === undefined && known.length === 0 && !wasSaid) return 'too_little';
  return 'none';
}
