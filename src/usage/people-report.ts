import type { UserRow } from '../platform/analytics-rows.ts';
import type { PlatformError } from '../platform/errors.ts';
import { dayOf, daysOf, type Day, type Period } from '../slack/periods.ts';
import { dayStateOf } from '../analytics/day-state.ts';
import type { CreditsByPerson, Part } from './facts.ts';
import { creditsOfPeople, personKey, type PersonCredits } from '../analytics/person-credits.ts';
import type { DayCredits } from './report.ts';
import type { Figure, Known } from './views/figures.ts';

/** What some people (one, or a team) used. */
export interface PeopleReport {
  /** Whose figures: `you`, a name, `@web-team`. */
  label: string;
  period: Period;
  comparedWith: Period | undefined;
  days: DayCredits[];
  credits: Known<Figure>;
  /** All of the organization's credits in the period, of which theirs are a share. */
  organizationCredits: number;
  /** Days on which any of them was active. */
  activeDays: number;
  totals: Known<PeopleTotals>;
  people: PersonCredits[];
  /** E-mails that were asked for and of which the platform has no figures in the period. */
  withoutFigures: string[];
  faults: { part: string; fault: PlatformError }[];
  readAt: Date;
}

export interface PeopleTotals {
  sessions: number;
  messages: number;
  toolCalls: number;
  commits: number;
  pullRequests: number;
  filesCreated: number;
  filesEdited: number;
}

export interface PeopleFacts {
  readAt: Date;
  credits: CreditsByPerson;
  rows: Part<UserRow[]>;
}

/**
 * Adds up the figures of some people. Pure.
 *
 * @param emails in lower case
 */
export function buildPeopleReport(
  facts: PeopleFacts,
  wish: { label: string; emails: readonly string[]; period: Period; comparedWith: Period | undefined },
): PeopleReport {
  const { period, comparedWith } = wish;
  const keys = new Set(wish.emails);
  const rows = facts.credits.kind === 'read' ? facts.credits.rows : [];
  const within = (of: Period) => rows.filter((row) => row.date >= of.first && row.date <= of.last);
  const theirs = (of: Period) => creditsOfPeople(within(of)).filter((person) => keys.has(person.key));
  const people = theirs(period);
  const published = new Set(rows.map((row) => row.date));
  const isFair =
    comparedWith !== undefined && [...daysOf(period), ...daysOf(comparedWith)].every((day) => published.has(day));
  const userRows = facts.rows.kind === 'read' ? facts.rows.rows.filter((row) => keys.has(personKey(row))) : [];
  return {
    label: wish.label,
    period,
    comparedWith,
    days: daysOf(period).map((day) =>
      dayCredits(day, published, facts.readAt, () => sum(theirs({ first: day, last: day }))),
    ),
    credits: creditsFigure(
      facts.credits,
      published,
      period,
      sum(people),
      isFair ? sum(theirs(comparedWith)) : undefined,
    ),
    organizationCredits: within(period).reduce((total, row) => total + row.billable_tokens, 0),
    activeDays: new Set(userRows.filter(isActive).map((row) => row.date)).size,
    totals: facts.rows.kind === 'read' ? { kind: 'known', value: totalsOf(userRows) } : { kind: 'unreadable' },
    people,
    withoutFigures: wish.emails.filter((email) => !people.some((person) => person.key === email)),
    faults: [
      ...(facts.credits.kind === 'unreadable' ? [{ part: 'credits', fault: facts.credits.fault }] : []),
      ...(facts.rows.kind === 'unreadable' ? [{ part: 'people', fault: facts.rows.fault }] : []),
    ],
    readAt: facts.readAt,
  };
}

const isActive = (row: UserRow) => row.messages + row.sessions + row.tool_calls + row.billable_tokens > 0;

const sum = (people: readonly PersonCredits[]) => people.reduce((total, person) => total + person.credits, 0);

function dayCredits(day: Day, published: ReadonlySet<Day>, readAt: Date, credits: () => number): DayCredits {
  const state = dayStateOf(day, published.has(day), dayOf(readAt));
  return published.has(day) ? { day, state, credits: credits() } : { day, state };
}

function creditsFigure(
  part: CreditsByPerson,
  published: ReadonlySet<Day>,
  period: Period,
  value: number,
  before: number | undefined,
): Known<Figure> {
  if (part.kind === 'unreadable') return { kind: 'unreadable' };
  if (!daysOf(period).some((day) => published.has(day))) return { kind: 'unpublished' };
  return { kind: 'known', value: { value, ...(before === undefined ? {} : { before }) } };
}

function totalsOf(rows: readonly UserRow[]): PeopleTotals {
  const total = (measure: (row: UserRow) => number) => rows.reduce((amount, row) => amount + measure(row), 0);
  return {
    sessions: total((row) => row.sessions),
    messages: total((row) => row.messages),
    toolCalls: total((row) => row.tool_calls),
    commits: total((row) => row.git_commits),
    pullRequests: total((row) => row.git_prs_created),
    filesCreated: total((row) => row.files_created),
    filesEdited: total((row) => row.files_edited),
  };
}
