import { plusDays, type Day } from '../../base/time/calendar.ts';
import type { DailyCreditsRow } from '../../analytics/facts.ts';
import { judgeDay, usualRange } from '../../figures/insight/unusual.ts';
import type { WatchEntry } from '../../usage/watches/payload.ts';

/** A day with what is usual for it. */
type SeenDay = WatchEntry['days'][number];
export type Judgement = SeenDay['judgement'];

/** What was found of a day, and said. */
export interface AssessedDay {
  day: Day;
  judgement: Judgement;
  amount: number;
  /** Somebody said that it was to be expected: it tells nothing of what is usual. */
  isExpected: boolean;
  /** The message that told it. */
  deliveryKey: string | undefined;
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
  assessed: readonly AssessedDay[];
  /** The last day that was published when the watch began; only later ones are told. */
  since: Day;
  today: Day;
  isSnoozed: boolean;
}

/** A day that is older is not assessed again. */
const WATCHED_DAYS = 9;

/** What is to be said to one who wants to know of unusual days: that they began, and that they ended. Pure. */
export function planWatch({ rows, assessed, since, today, isSnoozed }: WatchFacts): WatchPlan {
  const expected = new Set(assessed.filter(({ isExpected }) => isExpected).map(({ day }) => day));
  const usable = rows
    .filter(({ date }) => !expected.has(date))
    .map(({ date, billable_tokens: amount }) => ({ day: date, amount }));
  const see = ({ date: day, billable_tokens: amount }: DailyCreditsRow): SeenDay => {
    const judgement = judgeDay(usable, { day, amount });
    return {
      day,
      amount,
      range: usualRange(usable, day),
      judgement: judgement.kind === 'unusual' ? judgement.direction : judgement.kind,
    };
  };
  const [last = since] = assessed
    .map(({ day }) => day)
    .toSorted()
    .toReversed();
  const oldest = plusDays(today, -WATCHED_DAYS);
  const days = rows.filter(({ date }) => date > last && date > since && date >= oldest).map(see);
  const corrections = assessed.flatMap(({ day, judgement, deliveryKey, isExpected }) => {
    const row = rows.find(({ date }) => date === day);
    if (!row || isExpected || deliveryKey === undefined || day < oldest || !isUnusual(judgement)) return [];
    const now = see(row);
    return now.judgement === 'usual' ? [now] : [];
  });
  return { days, message: isSnoozed ? 'none' : messageOf(assessed, days, corrections), corrections };
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
