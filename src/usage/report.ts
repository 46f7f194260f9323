import type { PlatformError } from '../platform/errors.ts';
import { dayOf, daysOf, type Day, type Period } from '../slack/periods.ts';
import { dayStateOf, type DayState } from '../analytics/day-state.ts';
import type { CreditsByPerson, OrganizationFacts, Part } from './facts.ts';
import type { Figure, Known } from './views/figures.ts';
import { creditsOfPeople, type PersonCredits } from '../analytics/person-credits.ts';

export interface DayCredits {
  day: Day;
  state: DayState;
  /** Missing when the day is not published: that is not zero. */
  credits?: number;
}

export interface ActiveUsers {
  /** The last published day, to which daily, weekly and monthly users belong. Users of several days are never added. */
  day: Day;
  daily: number;
  weekly: number;
  monthly: number;
  peak: { day: Day; daily: number };
}

export interface ModelCredits {
  model: string;
  credits: number;
}

export interface SummaryReport {
  period: Period;
  /** What it is compared with; missing where that would reach before the first day with figures. */
  comparedWith: Period | undefined;
  days: DayCredits[];
  credits: Known<Figure>;
  models: ModelCredits[];
  active: Known<ActiveUsers>;
  sessions: Known<Figure>;
  messages: Known<Figure>;
  commits: Known<Figure>;
  pullRequests: Known<Figure>;
  filesCreated: Known<Figure>;
  filesEdited: Known<Figure>;
  /** By person, most first. Only for those who may see them. */
  people: Known<PersonCredits[]> | undefined;
  faults: { part: string; fault: PlatformError }[];
  readAt: Date;
}

type Row = { date: string };

/** The days of a period on which the platform has brought something, as far as can be told. */
interface Published {
  credits: ReadonlySet<Day>;
  activity: ReadonlySet<Day>;
  productivity: ReadonlySet<Day>;
}

/**
 * Which days are published. A day on which nobody used anything has no row by model, so for credits it counts as published
 * when the activity of that day is there and says that nobody was active.
 */
function publishedDays(facts: OrganizationFacts): Published {
  const activity = new Set(rowsOf(facts.activity).map((row) => row.date));
  const quiet = rowsOf(facts.activity)
    .filter((row) => row.daily_active_users === 0)
    .map((row) => row.date);
  return {
    credits: new Set([...rowsOf(facts.credits).map((row) => row.date), ...quiet]),
    activity,
    productivity: new Set(rowsOf(facts.productivity).map((row) => row.date)),
  };
}

function rowsOf<R>(part: Part<R[]>): R[] {
  return part.kind === 'read' ? part.rows : [];
}

/** The last day for which credits are published, or nothing. */
export function lastPublishedDay(facts: OrganizationFacts): Day | undefined {
  return [...publishedDays(facts).credits].toSorted().at(-1);
}

/**
 * Adds up facts to the report of a period. Pure.
 *
 * @param comparedWith a period of the same length whose rows are among the facts
 * @param people rows with names, only if the reader may see them
 */
export function buildSummary(
  facts: OrganizationFacts,
  period: Period,
  comparedWith: Period | undefined,
  people: CreditsByPerson | undefined,
): SummaryReport {
  const published = publishedDays(facts);
  const today = dayOf(facts.readAt);
  const days = daysOf(period);
  const creditsOn = sumByDay(rowsOf(facts.credits), (row) => row.billable_tokens);
  const figure = <R extends Row>(part: Part<R[]>, on: ReadonlySet<Day>, measure: (row: R) => number) =>
    figureOf(part, on, period, comparedWith, measure);
  return {
    period,
    comparedWith,
    days: days.map((day) => {
      const state = dayStateOf(day, published.credits.has(day), today);
      return published.credits.has(day) ? { day, state, credits: creditsOn.get(day) ?? 0 } : { day, state };
    }),
    credits: figure(facts.credits, published.credits, (row) => row.billable_tokens),
    models: modelsOf(facts, period),
    active: activeUsersOf(facts, period),
    sessions: figure(facts.activity, published.activity, (row) => row.sessions),
    messages: figure(facts.activity, published.activity, (row) => row.messages),
    commits: figure(facts.productivity, published.productivity, (row) => row.git_commits),
    pullRequests: figure(facts.productivity, published.productivity, (row) => row.git_prs_created),
    filesCreated: figure(facts.productivity, published.productivity, (row) => row.files_created),
    filesEdited: figure(facts.productivity, published.productivity, (row) => row.files_edited),
    people: people && peopleOf(people, period),
    faults: faultsOf(facts, people),
    readAt: facts.readAt,
  };
}

function sumByDay<R extends Row>(rows: readonly R[], measure: (row: R) => number): Map<Day, number> {
  const sums = new Map<Day, number>();
  for (const row of rows) sums.set(row.date, (sums.get(row.date) ?? 0) + measure(row));
  return sums;
}

const isWithin = (period: Period) => (row: Row) => row.date >= period.first && row.date <= period.last;

function figureOf<R extends Row>(
  part: Part<R[]>,
  published: ReadonlySet<Day>,
  period: Period,
  comparedWith: Period | undefined,
  measure: (row: R) => number,
): Known<Figure> {
  if (part.kind === 'unreadable') return { kind: 'unreadable' };
  if (!daysOf(period).some((day) => published.has(day))) return { kind: 'unpublished' };
  const sum = (of: Period) => part.rows.filter(isWithin(of)).reduce((total, row) => total + measure(row), 0);
  const isFair =
    comparedWith !== undefined && [...daysOf(period), ...daysOf(comparedWith)].every((day) => published.has(day));
  return { kind: 'known', value: { value: sum(period), ...(isFair ? { before: sum(comparedWith) } : {}) } };
}

function activeUsersOf(facts: OrganizationFacts, period: Period): Known<ActiveUsers> {
  if (facts.activity.kind === 'unreadable') return { kind: 'unreadable' };
  const rows = facts.activity.rows.filter(isWithin(period)).toSorted((a, b) => a.date.localeCompare(b.date));
  const last = rows.at(-1);
  if (!last) return { kind: 'unpublished' };
  const peak = rows.reduce((best, row) => (row.daily_active_users > best.daily_active_users ? row : best), last);
  return {
    kind: 'known',
    value: {
      day: last.date,
      daily: last.daily_active_users,
      weekly: last.weekly_active_users,
      monthly: last.monthly_active_users,
      peak: { day: peak.date, daily: peak.daily_active_users },
    },
  };
}

function modelsOf(facts: OrganizationFacts, period: Period): ModelCredits[] {
  const byModel = new Map<string, number>();
  for (const row of rowsOf(facts.credits).filter(isWithin(period))) {
    byModel.set(row.group_key, (byModel.get(row.group_key) ?? 0) + row.billable_tokens);
  }
  return [...byModel]
    .map(([model, credits]) => ({ model, credits }))
    .toSorted((a, b) => b.credits - a.credits || a.model.localeCompare(b.model));
}

function peopleOf(people: CreditsByPerson, period: Period): Known<PersonCredits[]> {
  if (people.kind === 'unreadable') return { kind: 'unreadable' };
  return { kind: 'known', value: creditsOfPeople(people.rows.filter(isWithin(period))) };
}

function faultsOf(facts: OrganizationFacts, people: CreditsByPerson | undefined): SummaryReport['faults'] {
  const parts: [string, Part<unknown> | undefined][] = [
    ['credits', facts.credits],
    ['activity', facts.activity],
    ['productivity', facts.productivity],
    ['people', people],
  ];
  return parts.flatMap(([part, read]) => (read?.kind === 'unreadable' ? [{ part, fault: read.fault }] : []));
}
