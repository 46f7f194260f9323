import {
  DAYS_IN_A_WEEK,
  dayOf,
  daysOf,
  formatDate,
  formatDay,
  plusDays,
  weekdayName,
  weekdayOf,
  type Day,
  type Period,
} from '../../core/base/time/calendar.ts';
import { countOf, formatNumber } from '../../core/base/text/numbers.ts';
import type { ExistingLimit } from '../../core/figures/known-limit.ts';
import { termsByDay, type ExplainedPart, type Term } from '../../core/figures/explanation/explanation.ts';
import { decideLimitCourse, type LimitFacts } from './own-limit.ts';
import { LEAST_DAYS, paceOf, sumsAhead, type Outlook, type OwnUse, type Pace } from './own-outlook.ts';

type CountedCourse = Extract<ReturnType<typeof decideLimitCourse>, { kind: 'counted' }>;

/** The button below each answer of `/usage`. */
export const EXPLAIN_ACTION = 'usage_explain';
/** The value of the button below the run-out line: no words of `/usage`. */
export const OWN_LIMIT = '#own-limit';

const FACTS = ['tokens'] as const;
const MAX_SUMS = 31;

/** Explains “Will I run out?”. Empty if the limit, its period or its use is unknown. */
export function explainLimit(facts: LimitFacts, today: Day): ExplainedPart[] {
  const course = decideLimitCourse(facts);
  const { use } = facts;
  if (course.kind !== 'counted' || !use) return [];
  const { limit, unit, used } = course;
  const days = explainedDays(use);
  const pace = paceOf(use.days);
  return [
    {
      label: 'Your limit',
      value: { kind: 'known', value: limit.value },
      formula: sourceOf(limit, unit, today),
      facts: FACTS,
      days,
    },
    {
      label: 'Used of your limit',
      value: { kind: 'known', value: used },
      formula: course.hasPublishedDay
        ? `The sum of your Standard Credits from the first day of the ${unit} through the last published day.`
        : `No day of this ${unit} is published yet.`,
      facts: FACTS,
      days,
      terms: usedTerms(use),
    },
    ...(pace ? aheadParts(course, use, pace) : []),
  ];
}

/** The published days of the period or, before the first one, the days of the pace. */
function explainedDays({ period, through, days }: OwnUse): Period {
  if (through >= period.first) return { first: period.first, last: through };
  return { first: plusDays(through, 1 - Math.max(1, Math.min(days.length, LEAST_DAYS))), last: through };
}

function sourceOf(limit: ExistingLimit, unit: string, today: Day): string {
  return `${sourceWords(limit, today)} It counts over each ${unit}. The platform doesn’t say whether it was changed elsewhere.`;
}

function sourceWords(limit: ExistingLimit, today: Day): string {
  const date = formatDate(dayOf(limit.at), today);
  switch (limit.kind) {
    case 'declared':
      return `An admin declared it on ${date}; it wasn’t set here.`;
    case 'set': {
      const { until, permanent } = limit;
      const end =
        until === undefined
          ? ''
          : ` It is a raise until ${formatDate(dayOf(until), today)}; the limit without it is ${formatNumber(permanent)}.`;
      return `It was set here on ${date}.${end}`;
    }
    default:
      return limit satisfies never;
  }
}

/** No terms if the known days do not reach back to the first day of the period. */
function usedTerms({ period, through, days }: OwnUse): Term[] {
  if (through < period.first) return [];
  const used = daysOf({ first: period.first, last: through });
  const amounts = days.slice(-used.length);
  if (amounts.length < used.length) return [];
  return termsByDay(
    used.map((day, index) => ({ day, state: 'fresh', row: { credits: amounts[index] ?? 0 } })),
    (row) => row.credits,
  );
}

function aheadParts(course: CountedCourse, use: OwnUse, pace: Pace): ExplainedPart[] {
  const { outlook, limit, unit } = course;
  if (outlook.kind !== 'reached' && outlook.kind !== 'lasts') return [];
  const { through, period } = use;
  const days = { first: plusDays(through, 1 - pace.weeks * DAYS_IN_A_WEEK), last: through };
  const end = outlook.kind === 'reached' ? outlook.on : period.last;
  const sums = sumsAhead(use, pace).filter(({ day }) => day >= period.first && day <= end);
  const last = sums.at(-1);
  if (!last) return [];
  return [
    {
      label: 'A week at your pace',
      value: { kind: 'known', value: pace.weekdays.reduce((sum, one) => sum + one, 0) },
      formula: `For each weekday, the mean of your credits on that weekday in the last ${countOf(pace.weeks, 'week')}.`,
      facts: FACTS,
      days,
      terms: weekdayTerms(pace, through),
    },
    {
      label: `Expected by ${formatDate(end)}`,
      value: { kind: 'known', value: last.middle },
      formula: `The credits used, plus the mean of the weekday for each later day. ${resultWords(outlook, limit.value, unit)}`,
      facts: FACTS,
      days,
      terms: sums.length > MAX_SUMS ? [] : sums.map(({ day, middle }) => ({ name: formatDay(day), value: middle })),
    },
  ];
}

function weekdayTerms({ weekdays }: Pace, through: Day): Term[] {
  return weekdays
    .map((value, index) => ({ day: plusDays(through, index + 1), value }))
    .toSorted((a, b) => weekdayOf(a.day) - weekdayOf(b.day))
    .map(({ day, value }) => ({ name: weekdayName(day), value }));
}

function resultWords(outlook: Extract<Outlook, { kind: 'reached' | 'lasts' }>, limit: number, unit: string): string {
  const [result, hasRange] =
    outlook.kind === 'reached'
      ? [`This is the first day on which the sum reaches ${formatNumber(limit)}.`, outlook.earliest !== outlook.latest]
      : [`The sum stays below ${formatNumber(limit)} until the end of the ${unit}.`, outlook.likely !== undefined];
  return hasRange ? `${result} The likely range depends on how much your whole weeks differ.` : result;
}
