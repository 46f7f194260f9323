import fc from 'fast-check';
import type { FoldedDays } from '../../../../src/core/analytics/days.ts';
import type { OrganizationFacts, Part } from '../../../../src/core/analytics/day-facts.ts';
import {
  activityRow,
  creditsRow,
  type PersonDayCredits,
  productivityRow,
  toolsRow,
  userRow,
  type UserRow,
} from '../../../../src/core/platform/endpoints/analytics-rows.ts';
import { dayNumber } from '../../../../src/sandbox/platform/model/calendar.ts';
import { ARTIFACTS } from '../../../../src/sandbox/platform/model/catalogue.ts';
import { foldDay } from '../../../../src/sandbox/platform/model/day-figures.ts';
import { createOrganization, type Organization } from '../../../../src/sandbox/platform/model/organization.ts';
import { personDay, wasActive, type PersonDay } from '../../../../src/sandbox/platform/model/person-day.ts';
import { daysOf, lengthOf, plusDays, type Day, type Period } from '../../../../src/core/base/time/calendar.ts';
import { comparedPeriod } from '../../../../src/core/analytics/period.ts';
import type { ReportScope } from '../../../../src/core/figures/measures/figures.ts';

/** Seeds of generated organizations. */
export const seeds = fc.integer({ min: 0, max: 1_000_000 });

const FIRST = '2026-01-14';
const LAST = '2026-04-30';

/** A period from the first day of data on, which may cross the ends of months. */
export function generatedPeriod(mostDays: number): fc.Arbitrary<Period> {
  const room = lengthOf({ first: FIRST, last: LAST }) - mostDays;
  return fc
    .tuple(
      // The first day of data comes up often.
      fc.oneof(fc.constant(0), fc.integer({ min: 0, max: room })),
      fc.integer({ min: 1, max: mostDays }),
    )
    .map(([shift, length]) => {
      const first = plusDays(FIRST, shift);
      return { first, last: plusDays(first, length - 1) };
    });
}

/** The activity of all people on one day. */
interface LeafDay {
  day: Day;
  people: PersonDay[];
}

interface PeopleOfDay {
  date: Day;
  people: readonly PersonDayCredits[];
}

/** An organization over some days: the answers of the platform, and the leaves that they are the sums of. */
export interface Scene {
  scope: ReportScope;
  published: Day[];
  facts: OrganizationFacts;
  people: PeopleOfDay[];
  users: UserRow[];
  /** Published days of a period, each with the activity of all people. */
  leaves(period: Period): LeafDay[];
  /** Unique people over some days, whether or not those are published. */
  active(last: Day, days: number): number;
  days: FoldedDays;
}

export interface SceneOptions {
  seed: number;
  size: number;
  period: Period;
  /** The unpublished ones of the days. */
  missing?: (day: Day) => boolean;
}

export const READ_AT = new Date('2026-05-02T09:00:00Z');

export function sceneOf({ seed, size, period, missing = () => false }: SceneOptions): Scene {
  const organization = withSharedEmails(createOrganization({ seed, people: size }));
  const comparedWith = comparedPeriod(period);
  const range = { first: comparedWith?.first ?? period.first, last: period.last };
  const published = daysOf(range).filter((day) => !missing(day));
  const folded = published.map((day) => ({ day, figures: foldDay(organization, dayNumber(day), 1) }));
  const part = <Row>(rows: readonly Row[]): Part<Row> => ({ kind: 'read', rows, readAt: READ_AT });
  const active = (last: Day, count: number) => {
    const days = daysOf({ first: plusDays(last, 1 - count), last }).filter((day) => day >= FIRST);
    const numbers = days.map(dayNumber);
    return organization.people.filter((person) => numbers.some((day) => wasActive(organization, person, day))).length;
  };
  const leafDays = new Map<Day, LeafDay>();
  const leafDay = (day: Day): LeafDay => {
    const known = leafDays.get(day);
    if (known) return known;
    const number = dayNumber(day);
    const people = organization.people
      .filter((person) => wasActive(organization, person, number))
      .map((person) => personDay(organization, person, number, 1));
    const made = { day, people };
    leafDays.set(day, made);
    return made;
  };
  return {
    scope: { period, comparedWith, today: plusDays(period.last, 1) },
    published,
    days: part(published),
    facts: {
      credits: part(folded.map(({ figures }) => creditsRow.parse(figures.tokens))),
      activity: part(
        folded.map(({ day, figures }) =>
          activityRow.parse({
            date: day,
            daily_active_users: active(day, 1),
            weekly_active_users: active(day, 7),
            monthly_active_users: active(day, 30),
            daily_active_users_by_client: figures.clients,
            sessions: figures.sessions,
            messages: figures.messages,
            user_messages: figures.userMessages,
          }),
        ),
      ),
      productivity: part(folded.map(({ figures }) => productivityRow.parse(figures.productivity))),
      tools: part(folded.map(({ figures }) => toolsRow.parse(withArtifacts(figures.tools)))),
    },
    people: folded.map(({ day, figures }) => ({
      date: day,
      people: figures.tokens.by_user.map(({ user_id, user_email, billable_tokens }) => ({
        user_id,
        user_email: user_email || null,
        billable_tokens,
      })),
    })),
    users: folded.flatMap(({ figures }) => [...figures.users.values()].map((row) => userRow.parse(row))),
    leaves: (of) =>
      daysOf(of)
        .filter((day) => published.includes(day))
        .map(leafDay),
    active,
  };
}

/** Some people have a second account under the e-mail of another, in other letter case. */
function withSharedEmails(organization: Organization): Organization {
  const people = organization.people.map((person, index) => {
    const other = organization.people[index - 1]?.reportedEmail;
    return index % 7 === 6 && other ? { ...person, reportedEmail: other.toUpperCase() } : person;
  });
  return { ...organization, people };
}

/** Calls under names that a parser left over, on each day, because random ones would be rare. */
export const ARTIFACT_CALLS = 3 * ARTIFACTS.length;

function withArtifacts(row: { tool_calls?: unknown; by_tool: readonly { tool: string; invocations: number }[] }) {
  return {
    ...row,
    tool_calls: Number(row.tool_calls) + ARTIFACT_CALLS,
    by_tool: [...row.by_tool, ...ARTIFACTS.map((tool) => ({ tool, invocations: 3 }))],
  };
}

/** Organizations mostly small, some of hundreds; periods of up to `mostDays`; some days missing in half of them. */
export function scenes(mostDays: number): fc.Arbitrary<Scene> {
  const size = fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 20 }) },
    { weight: 1, arbitrary: fc.integer({ min: 21, max: 120 }) },
  );
  const gaps = fc.oneof(fc.constant(0), fc.integer({ min: 2, max: 9 }));
  return fc
    .record({ seed: seeds, size, period: generatedPeriod(mostDays), gaps })
    .map(({ gaps: every, ...scope }) =>
      sceneOf({ ...scope, missing: (day) => every > 0 && dayNumber(day) % every === 0 }),
    );
}

/** The key of a person: the e-mail in lower case, else the id. */
export function keyOf({ person }: PersonDay): string {
  return person.reportedEmail?.toLowerCase() ?? `id:${person.id}`;
}

/** Adds up numbers by name. */
export function tally(pairs: Iterable<readonly [string, number]>): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, amount] of pairs) if (amount !== 0) sums[name] = (sums[name] ?? 0) + amount;
  return sums;
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
