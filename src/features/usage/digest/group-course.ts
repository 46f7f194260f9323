import { createPeopleReader, type ReadPeople } from '../../../core/analytics/amounts.ts';
import type { DailyCreditsRow } from '../../../core/analytics/day-facts.ts';
import { FORECAST_DAYS, isCurrent } from '../../../core/analytics/period.ts';
import type { GroupSum } from '../../../core/base/privacy/disclosure.ts';
import { sumOf } from '../../../core/base/statistics.ts';
import {
  calendarPart,
  DAYS_IN_A_WEEK,
  daysOf,
  lengthOf,
  plusDays,
  type Day,
  type Period,
} from '../../../core/base/time/calendar.ts';
import { creditsOfGroup } from '../../../core/figures/credit-subjects.ts';
import { allowAlternatives, joinAdmissions, type Admission } from '../../../core/figures/groups/admission.ts';
import { blocksOf, wholeBlocks } from '../../../core/figures/groups/blocks-of-days.ts';
import type { GateDeps, ShownTo } from '../../../core/figures/groups/gate.ts';
import { forecastPeriod, type ForecastDecision } from '../../../core/figures/insight/forecast.ts';
import { unusualDays, type UnusualDays } from '../../../core/figures/insight/unusual.ts';
import type { ReportScope } from '../../../core/figures/measures/figures.ts';
import type { PlatformError } from '../../../core/platform/errors.ts';

/** The credits of one or more days, which are shown as one amount. */
export interface BlockAmount {
  block: Period;
  value: number;
}

/** Amounts that may be shown, as parts of a period: single days, or blocks of days. */
export interface AdmittedBlocks {
  blocks: readonly Period[];
  isByDay: boolean;
}

/** How the credits of a group went, in the detail that the readers of a digest may see. */
export interface GroupCourse {
  /** For a chart of the period; undefined if its readers may see only the total. */
  chart: { amounts: readonly BlockAmount[]; isByDay: boolean } | undefined;
  /** Parts of the period beside the same weekdays of the compared period; empty if they may not be compared. */
  moved: readonly (BlockAmount & { before: number })[];
  /** Undefined for readers who may see only blocks of days. */
  unusual: UnusualDays | undefined;
  /** `withheld`: its readers may not see it; undefined for a period that ended long ago. */
  forecast: ForecastDecision | { kind: 'withheld' } | undefined;
}

type GroupCourseReading =
  | { kind: 'read'; course: GroupCourse; admission: Admission }
  | { kind: 'unreadable'; fault: PlatformError };

interface CourseQuery {
  emails: readonly string[];
  scope: ReportScope;
  /** The first day of which figures of people are kept. */
  beginning: Day;
  maxAgeMs: number;
  /** Of the total, which is admitted already. */
  admission: Admission;
  /** Undefined if every sum may be shown. */
  gate: { shownTo: ShownTo } | undefined;
}

/**
 * Reads the days behind the total of a group. Its chart and its forecast are admitted each by itself, so that a refusal
 * leaves out nothing else, and a planned message of a channel stays possible.
 */
export async function readGroupCourse(deps: GateDeps, query: CourseQuery): Promise<GroupCourseReading> {
  const { emails, scope, beginning, maxAgeMs } = query;
  const { period } = scope;
  const history = { first: laterOf(beginning, plusDays(period.last, 1 - FORECAST_DAYS)), last: period.last };
  const readPeople = createPeopleReader(deps.days, { maxAgeMs });
  const allow = (alternatives: Alternatives) => allowBlocks(deps, { ...query, readPeople }, alternatives);
  const chart = await allow([eachDay(period), { blocks: blocksOf(period), isByDay: false }]);
  if (chart.kind === 'unreadable') return chart;
  const past = await allow([eachDay(history), { blocks: wholeBlocks(history), isByDay: false }]);
  if (past.kind === 'unreadable') return past;
  const span = { first: period.first < history.first ? period.first : history.first, last: period.last };
  const read = await readPeople(span);
  if (read.kind === 'unreadable') return read;
  const rows = creditsOfGroup(read.people, emails, read.period).filter(
    ({ date }) => date >= span.first && date <= span.last,
  );
  const admission = joinAdmissions(joinAdmissions(query.admission, chart.admission), past.admission);
  return {
    kind: 'read',
    course: courseOf(rows, scope, { chart: chart.admitted, past: past.admitted }),
    admission,
  };
}

type Alternatives = readonly [AdmittedBlocks, ...AdmittedBlocks[]];

type Allowed =
  | { kind: 'allowed'; admitted: AdmittedBlocks | undefined; admission: Admission | undefined }
  | { kind: 'unreadable'; fault: PlatformError };

async function allowBlocks(
  deps: GateDeps,
  { emails, gate, readPeople }: Pick<CourseQuery, 'emails' | 'gate'> & { readPeople: ReadPeople },
  alternatives: Alternatives,
): Promise<Allowed> {
  if (!gate) return { kind: 'allowed', admitted: alternatives[0], admission: undefined };
  const sums = alternatives.map(({ blocks }) => sumsOf(emails, blocks));
  const verdict = await allowAlternatives(deps, sums, {
    ...gate,
    requiresAllDays: true,
    sparesPlanned: true,
    readPeople,
  });
  if (verdict.kind === 'unreadable') return verdict;
  if (verdict.kind !== 'shown') return { kind: 'allowed', admitted: undefined, admission: undefined };
  return { kind: 'allowed', admitted: alternatives[verdict.index], admission: verdict.admission };
}

const eachDay = (period: Period): AdmittedBlocks => ({
  blocks: daysOf(period).map((day) => ({ first: day, last: day })),
  isByDay: true,
});

/** Single days in a row are one sum by day, so that a check compares few sums. */
function sumsOf(emails: readonly string[], blocks: readonly Period[]): GroupSum[] {
  const sums: GroupSum[] = [];
  for (const { first, last } of blocks) {
    const before = sums.at(-1);
    const isDay = first === last;
    if (isDay && before?.isByDay && plusDays(before.period.last, 1) === first)
      sums[sums.length - 1] = { ...before, period: { first: before.period.first, last } };
    else sums.push({ emails, period: { first, last }, isByDay: isDay });
  }
  return sums;
}

/** @param rows of each day, of which only the sums of admitted blocks are used. Pure. */
export function courseOf(
  rows: readonly DailyCreditsRow[],
  scope: ReportScope,
  { chart, past }: Readonly<Record<'chart' | 'past', AdmittedBlocks | undefined>>,
): GroupCourse {
  const known = past ? amountsOf(rows, past.blocks) : [];
  const days = past?.isByDay ? known.map(({ block, value }) => ({ day: block.first, amount: value })) : undefined;
  const within = (days ?? []).filter(({ day }) => day >= scope.period.first);
  return {
    chart: chart && { amounts: amountsOf(rows, chart.blocks), isByDay: chart.isByDay },
    moved: movedBlocks(known, scope),
    unusual: days && unusualDays(within, days, scope.period),
    forecast: isCurrent(scope) ? forecastOf(past && known, scope) : undefined,
  };
}

/** Leaves out blocks with a day that is not published. */
function amountsOf(rows: readonly DailyCreditsRow[], blocks: readonly Period[]): BlockAmount[] {
  const byDay = new Map(rows.map((row) => [row.date, row.billable_tokens]));
  return blocks.flatMap((block) => {
    const days = daysOf(block);
    return days.every((day) => byDay.has(day)) ? [{ block, value: sumOf(days, (day) => byDay.get(day) ?? 0) }] : [];
  });
}

function movedBlocks(known: readonly BlockAmount[], { period, comparedWith }: ReportScope): GroupCourse['moved'] {
  if (!comparedWith || lengthOf(period) !== lengthOf(comparedWith)) return [];
  const shift = lengthOf({ first: comparedWith.first, last: period.first }) - 1;
  if (shift % DAYS_IN_A_WEEK !== 0) return [];
  const before = new Map(known.map(({ block, value }) => [`${block.first} ${block.last}`, value]));
  const moved = known
    .filter(({ block }) => block.first >= period.first)
    .map(({ block, value }) => ({
      block,
      value,
      before: before.get(`${plusDays(block.first, -shift)} ${plusDays(block.last, -shift)}`),
    }));
  const compared = moved.flatMap((one) => (one.before === undefined ? [] : [{ ...one, before: one.before }]));
  // A list with holes would call the largest change that it has the largest of all.
  const covered = sumOf(compared, ({ block }) => lengthOf(block));
  return covered === lengthOf(period) ? compared : [];
}

/** Of the month of the day after the period, so that a message that comes late says the same. */
function forecastOf(known: readonly BlockAmount[] | undefined, { period }: ReportScope): GroupCourse['forecast'] {
  if (!known) return { kind: 'withheld' };
  const asOf = plusDays(period.last, 1);
  // The amount of a block counts on its first day: the others are days off of each week.
  const rows = known.flatMap(({ block, value }) =>
    daysOf(block).map((date, index) => ({ date, billable_tokens: index === 0 ? value : 0 })),
  );
  const month = calendarPart(asOf, 'month');
  const first = laterOf(month.first, rows[0]?.date ?? month.first);
  return forecastPeriod({ first, last: month.last }, rows, rows, asOf);
}

const laterOf = (one: Day, other: Day) => (one > other ? one : other);
