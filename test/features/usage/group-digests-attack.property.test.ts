import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasSameWeekdays } from '../../../src/core/analytics/period.ts';
import type { GroupSum } from '../../../src/core/base/privacy/disclosure.ts';
import { systemClock } from '../../../src/core/base/time/clock.ts';
import { daysOf, lengthOf, plusDays, weekdayOf, type Day, type Period } from '../../../src/core/base/time/calendar.ts';
import { blocksOf, wholeBlocks } from '../../../src/core/figures/groups/blocks-of-days.ts';
import type { GateDeps, ShownTo } from '../../../src/core/figures/groups/gate.ts';
import { allowOwnAmounts } from '../../../src/core/figures/groups/admission.ts';
import { allowGroupDetail } from '../../../src/core/figures/groups/group.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { readGroupCourse, type GroupCourse } from '../../../src/features/usage/digest/group-course.ts';
import { creditsColumns } from '../../support/credits-columns.ts';
import { isolatesFewer, type Sum } from '../../support/group-oracle.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { createDatabase } from '../../support/stores/databases.ts';

/** The first day of which figures of people are kept, a Monday. */
const FIRST: Day = '2026-02-02';
const DAYS = 42;
const ALL = daysOf({ first: FIRST, last: plusDays(FIRST, DAYS - 1) });
const LABEL = '@squad';

let store: Store;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await createDatabase('sqlite');
  drop = () => database.drop();
  store = await openStore(database.url);
});
afterAll(async () => {
  await store.close();
  await drop();
});

const forgetSums = () => sql`delete from usage_group_sums`.execute(store.db);

const emailOf = (person: number) => `p${person}@acme.example`;

/** One message or answer about a group, in its order. */
interface Step {
  kind: 'daily' | 'weekly' | 'monthly' | 'answer';
  /** The day on which it is sent, as an index. */
  on: number;
  group: number;
  shownTo: ShownTo;
  /** For an answer: its first day and its length. */
  span: readonly [number, number];
}

interface World {
  people: number;
  minGroup: number;
  /** For each day and person, the credits; 0 is no activity. */
  credits: readonly (readonly number[])[];
  /** The members of each group as it is for a while; neighbors often differ by one or two. */
  groups: readonly (readonly number[])[];
  steps: readonly Step[];
}

const peopleOf = (people: number) => [...Array(people).keys()];

const membership = (people: number) =>
  fc
    .tuple(
      fc.subarray(peopleOf(people), { minLength: 2 }),
      fc.array(fc.subarray(peopleOf(people), { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 4 }),
    )
    .map(([first, changes]) => {
      const groups = [first];
      for (const change of changes) {
        const next = new Set(groups.at(-1));
        for (const person of change) if (!next.delete(person)) next.add(person);
        groups.push([...next].toSorted((a, b) => a - b));
      }
      return groups.filter((members) => members.length > 0);
    });

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('daily', 'weekly', 'weekly', 'weekly', 'monthly', 'answer'),
  on: fc.integer({ min: 8, max: DAYS }),
  group: fc.nat({ max: 9 }),
  shownTo: fc.constantFrom<ShownTo>({ kind: 'channel' }, { kind: 'person' }),
  span: fc.oneof(
    fc.tuple(
      fc.integer({ min: 0, max: DAYS / 7 - 1 }).map((week) => week * 7),
      fc.constantFrom(7, 14),
    ),
    fc.tuple(fc.nat({ max: DAYS - 1 }), fc.integer({ min: 1, max: 9 })),
  ),
});

/** Fewer people work on weekends. */
const creditsOfDay = (people: number, index: number) => {
  const idle = [0, 6].includes(weekdayOf(ALL[index] ?? FIRST)) ? 6 : 1;
  const own = fc.oneof(
    { weight: idle, arbitrary: fc.constant(0) },
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 999 }) },
  );
  return fc.array(own, { minLength: people, maxLength: people });
};

const worlds: fc.Arbitrary<World> = fc.integer({ min: 7, max: 9 }).chain((people) =>
  fc.record({
    people: fc.constant(people),
    minGroup: fc.constantFrom(2, 3),
    credits: fc.tuple(...ALL.map((_, index) => creditsOfDay(people, index))),
    groups: membership(people),
    steps: fc.array(step, { minLength: 6, maxLength: 16 }).map((all) => all.toSorted((a, b) => a.on - b.on)),
  }),
);

const dayAt = (index: number): Day => plusDays(FIRST, index);

/** The days of a message, and those beside which it is compared; undefined if it is not sent on this day. */
function scopeOf({ kind, on, span }: Step): { period: Period; comparedWith: Period | undefined } | undefined {
  const yesterday = dayAt(on - 1);
  const known = (period: Period) => (period.first >= FIRST ? period : undefined);
  if (kind === 'monthly') {
    // The month that is over, of which only some days are kept.
    const first = `${yesterday.slice(0, 7)}-01`;
    const last = plusDays(first, -1);
    return last < dayAt(6) ? undefined : { period: { first: FIRST, last }, comparedWith: undefined };
  }
  const [from, length] = kind === 'answer' ? span : [0, 0];
  const week = { first: dayAt(7 * Math.floor(on / 7) - 7), last: dayAt(7 * Math.floor(on / 7) - 1) };
  const answered = { first: dayAt(from), last: dayAt(from + length - 1) };
  const period = kind === 'daily' ? { first: yesterday, last: yesterday } : kind === 'weekly' ? week : answered;
  if (period.last > yesterday) return undefined;
  const shift = Math.ceil(lengthOf(period) / 7) * 7;
  return {
    period,
    comparedWith: known({ first: plusDays(period.first, -shift), last: plusDays(period.last, -shift) }),
  };
}

const indexOf = (day: Day) => lengthOf({ first: FIRST, last: day }) - 1;

/** Replays a world, and @returns the sums that its readers see, which are true. */
async function replay(world: World): Promise<{ sums: Sum[]; courses: number }> {
  await forgetSums();
  const sums: Sum[] = [];
  let courses = 0;
  for (const one of world.steps) {
    const scope = scopeOf(one);
    const members = world.groups[one.group % world.groups.length] ?? [];
    if (!scope) continue;
    const emails = members.map((person) => emailOf(person));
    const note = (period: Period, isByDay: boolean) =>
      void sums.push({ people: members, first: indexOf(period.first), last: indexOf(period.last), isByDay });
    const { period } = scope;
    const deps = depsOf(world, one.on);
    const reader = { shownTo: one.shownTo, ...(one.kind === 'answer' ? {} : { requiresAllDays: true }) };
    const verdict = await allowGroupDetail(deps, { emails, label: LABEL }, scope, reader);
    if (verdict.kind !== 'shown' || !verdict.detail) continue;
    note(period, verdict.detail.isByDay);
    if (verdict.detail.isCompared && scope.comparedWith)
      note(scope.comparedWith, !hasSameWeekdays(period, scope.comparedWith));
    if (one.kind === 'answer' || lengthOf(period) < 7) continue;
    const reading = await readGroupCourse(deps, {
      emails,
      scope: { ...scope, today: dayAt(one.on) },
      beginning: FIRST,
      maxAgeMs: 0,
      admission: verdict.admission,
      gate: { shownTo: one.shownTo },
    });
    if (reading.kind === 'unreadable') throw reading.fault;
    courses += 1;
    noteCourse(reading.course, scope, note);
    for (const { block, value } of reading.course.chart?.amounts ?? [])
      expect(value).toBe(truthOf(world, members, block));
  }
  return { sums, courses };
}

const truthOf = ({ credits }: World, members: readonly number[], period: Period) =>
  daysOf(period).reduce(
    (sum, day) => sum + members.reduce((all, person) => all + (credits[indexOf(day)]?.[person] ?? 0), 0),
    0,
  );

/** What follows from the parts of a course that a digest shows. */
function noteCourse(
  { chart, moved, unusual, forecast }: GroupCourse,
  { period }: { period: Period },
  note: (period: Period, isByDay: boolean) => void,
): void {
  const history = { first: FIRST, last: period.last };
  for (const { block } of chart?.amounts ?? []) note(block, false);
  for (const { block } of moved) {
    note(block, false);
    note({ first: plusDays(block.first, -7), last: plusDays(block.last, -7) }, false);
  }
  if (unusual) note(history, true);
  // A forecast may depend on each amount that it was computed from.
  if (forecast && forecast.kind !== 'withheld') for (const block of wholeBlocks(history)) note(block, false);
}

function depsOf({ credits, people, minGroup, groups, steps }: World, on: number): GateDeps {
  const published = dayAt(on - 1);
  return {
    db: store.db,
    clock: systemClock,
    config: { minGroup },
    // The next weekly digest of the first group.
    plannedSums: () => Promise.resolve(plannedOf(groups, steps, on)),
    days: {
      peopleCredits: ({ first, last }, take) => {
        const days = daysOf({ first, last }).filter((day) => day >= FIRST && day <= published);
        for (const date of days) {
          const rows = peopleOf(people).map((person) => ({
            user_id: emailOf(person),
            user_email: emailOf(person),
            billable_tokens: credits[indexOf(date)]?.[person] ?? 0,
          }));
          take(creditsColumns(date, rows));
        }
        return Promise.resolve({ kind: 'read', rows: days, readAt: new Date() });
      },
    },
  };
}

function plannedOf(groups: World['groups'], steps: readonly Step[], on: number): GroupSum[] {
  const next = steps.find((one) => one.kind === 'weekly' && one.on > on && one.shownTo.kind === 'channel');
  const scope = next && scopeOf(next);
  const members = groups[(next?.group ?? 0) % groups.length] ?? [];
  return scope ? [{ emails: members.map((person) => emailOf(person)), period: scope.period, isByDay: false }] : [];
}

const shownBy = ({ people, credits }: World, sums: readonly Sum[]) => ({
  people,
  days: DAYS,
  use: credits.map((day) => day.map((amount) => amount > 0)),
  sums,
});

test('weekly, monthly and daily digests of changing groups, and answers, reveal no fewer people than MIN_GROUP', async () => {
  const seen = { sums: 0, courses: 0 };
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const { sums, courses } = await replay(world);
      seen.sums += sums.length;
      seen.courses += courses;
      const shown = shownBy(world, sums);
      expect(isolatesFewer(shown, world.minGroup)).toBe(false);
      expect(isolatesFewer(shown, world.minGroup, 'idle people are unknown')).toBe(false);
    }),
    { numRuns: propertyRuns(600) },
  );
  expect(seen.courses).toBeGreaterThan(5);
}, 1_200_000);

// Otherwise the attack would find nothing because it does not work.
test('the same digests would reveal somebody if each were judged alone', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const sums = world.steps.flatMap((one): Sum[] => {
        const scope = scopeOf(one);
        const people = world.groups[one.group % world.groups.length] ?? [];
        return scope
          ? blocksOf(scope.period).map(({ first, last }) => ({
              people,
              first: indexOf(first),
              last: indexOf(last),
              isByDay: false,
            }))
          : [];
      });
      if (isolatesFewer(shownBy(world, sums), world.minGroup)) found += 1;
    }),
    { numRuns: 5 },
  );
  expect(found).toBeGreaterThan(0);
});

test('a digest reads the days of its forecast once, for the check and for the amounts', async () => {
  await forgetSums();
  const people = 8;
  const world: World = {
    people,
    minGroup: 2,
    credits: ALL.map(() => peopleOf(people).map(() => 10)),
    groups: [[0, 1, 2, 3]],
    steps: [],
  };
  const deps = depsOf(world, DAYS);
  const read: Period[] = [];
  const days: GateDeps['days'] = {
    peopleCredits: (period, take, options) => {
      read.push(period);
      return deps.days.peopleCredits(period, take, options);
    },
  };
  const period = { first: dayAt(DAYS - 7), last: dayAt(DAYS - 1) };
  const comparedWith = { first: dayAt(DAYS - 14), last: dayAt(DAYS - 8) };
  const reading = await readGroupCourse(
    { ...deps, days },
    {
      emails: [0, 1, 2, 3].map((person) => emailOf(person)),
      scope: { period, comparedWith, today: dayAt(DAYS) },
      beginning: FIRST,
      maxAgeMs: 0,
      admission: allowOwnAmounts(),
      gate: { shownTo: { kind: 'channel' } },
    },
  );
  expect(reading).toMatchObject({ kind: 'read', course: { chart: { isByDay: true } } });
  expect(read.filter(({ first }) => first <= FIRST)).toHaveLength(1);
});
