import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSafe, stretchesOf, type Activity, type ShownSum } from '../../../../src/core/figures/groups/cells.ts';
import { isolatesFewer, type Sum } from '../../../support/group-oracle.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const dayOf = (index: number) => `2026-03-0${index + 1}`;
const nameOf = (index: number) => `p${index}`;

/** For each day, whether each person used something. */
type Use = readonly (readonly boolean[])[];

const activityOf = (use: Use): Activity => ({
  everybody: (use[0] ?? []).flatMap((_, person) => (use.some((day) => day[person] === true) ? [nameOf(person)] : [])),
  isActive: (person, day) => use[Number(day.slice(-1)) - 1]?.[Number(person.slice(1))] ?? false,
});

const toShown = ({ people, first, last, isByDay }: Sum): ShownSum => ({
  people: new Set(people.map(nameOf)),
  period: { first: dayOf(first), last: dayOf(last) },
  isByDay,
});

const isAllowed = (shown: readonly Sum[], wanted: Sum, use: Use, minGroup: number) =>
  stretchesOf(shown.map(toShown), [toShown(wanted)]).every((stretch) => isSafe(stretch, activityOf(use), minGroup));

const instances = fc.integer({ min: 4, max: 8 }).chain((people) =>
  fc.integer({ min: 1, max: 3 }).chain((days) =>
    fc.record({
      people: fc.constant(people),
      days: fc.constant(days),
      minGroup: fc.constantFrom(2, 3),
      use: fc.array(
        fc.array(fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }), {
          minLength: people,
          maxLength: people,
        }),
        { minLength: days, maxLength: days },
      ),
      asked: fc.array(
        fc
          .record({
            people: fc.subarray([...Array(people).keys()], { minLength: 1 }),
            span: fc.tuple(fc.integer({ min: 0, max: days - 1 }), fc.integer({ min: 0, max: days - 1 })),
            isByDay: fc.boolean(),
          })
          .map(({ people: some, span, isByDay }) => ({
            people: some,
            first: Math.min(...span),
            last: Math.max(...span),
            isByDay,
          })),
        { minLength: 1, maxLength: 10 },
      ),
    }),
  ),
);

describe('sums of groups that are shown one after another', () => {
  test('never reveal fewer people than MIN_GROUP, by any linear combination of them and of the totals', () => {
    let shownInAll = 0;
    fc.assert(
      fc.property(instances, ({ people, days, minGroup, use, asked }) => {
        const shown: Sum[] = [];
        for (const wanted of asked) if (isAllowed(shown, wanted, use, minGroup)) shown.push(wanted);
        shownInAll += shown.length;
        const all = { people, days, use, sums: shown };
        expect(isolatesFewer(all, minGroup)).toBe(false);
        expect(isolatesFewer(all, minGroup, 'idle people are unknown')).toBe(false);
      }),
      { numRuns: propertyRuns(2_000) },
    );
    expect(shownInAll).toBeGreaterThan(0);
  });

  test('would reveal a person if each were judged alone: the oracle detects it', () => {
    const use = [Array<boolean>(8).fill(true)];
    const all = { people: [0, 1, 2, 3], first: 0, last: 0, isByDay: false };
    const butOne = { ...all, people: [0, 1, 2] };
    expect(isAllowed([], all, use, 3)).toBe(true);
    expect(isAllowed([], butOne, use, 3)).toBe(true);
    expect(isAllowed([all], butOne, use, 3)).toBe(false);
    expect(isolatesFewer({ people: 8, days: 1, use, sums: [all, butOne] }, 3)).toBe(true);
  });

  const everyDay: Use = [Array<boolean>(8).fill(true), Array<boolean>(8).fill(true)];
  const team = { people: [0, 1, 2], first: 0, last: 1, isByDay: false };

  test('are shown for separate groups, for the same group again, and by day if enough people worked', () => {
    expect(isAllowed([], team, everyDay, 3)).toBe(true);
    expect(isAllowed([team], { ...team, people: [3, 4, 5, 6] }, everyDay, 3)).toBe(false);
    expect(isAllowed([team], { ...team, people: [3, 4, 5, 6, 7] }, everyDay, 3)).toBe(true);
    expect(isAllowed([team], { ...team, isByDay: true }, everyDay, 3)).toBe(true);
    expect(isAllowed([team], { ...team, last: 0 }, everyDay, 3)).toBe(true);
  });

  test('count only people with usage: a group that was filled up with idle ones is small', () => {
    const idle = [[true, false, false, true, true, true, true, true]];
    expect(isAllowed([], { ...team, last: 0 }, idle, 3)).toBe(false);
  });

  test('do not reveal that a person was idle', () => {
    const idle: Use = [[true, true, true, false, true, true, true, true]];
    const three = { ...team, last: 0 };
    const four = { ...three, people: [0, 1, 2, 3] };
    expect(isAllowed([], { ...three, people: [3] }, idle, 3)).toBe(false);
    expect(isAllowed([], three, idle, 3)).toBe(true);
    expect(isAllowed([], four, idle, 3)).toBe(true);
    expect(isAllowed([three], four, idle, 3)).toBe(false);
    expect(isolatesFewer({ people: 8, days: 1, use: idle, sums: [three, four] }, 3, 'idle people are unknown')).toBe(
      true,
    );
  });

  test('are shown for groups that cover all people', () => {
    const rest = { ...team, people: [3, 4, 5, 6, 7] };
    expect(isAllowed([team], rest, everyDay, 3)).toBe(true);
  });

  test('hide a day of few people by the days around it', () => {
    // On the second day one of the team worked.
    const weekend: Use = [Array<boolean>(8).fill(true), [true, false, false, true, true, true, false, false]];
    expect(isAllowed([], team, weekend, 3)).toBe(true);
    expect(isAllowed([], { ...team, isByDay: true }, weekend, 3)).toBe(false);
    expect(isAllowed([team], { ...team, last: 0 }, weekend, 3)).toBe(false);
  });

  test('take into account the total of a day on which only the team worked', () => {
    // On the first day one of the team and others worked; on the second only the team worked, which its total reveals.
    const use: Use = [
      [true, false, false, true, true, true, true, true],
      [false, true, true, false, false, false, false, false],
    ];
    expect(isAllowed([], team, use, 2)).toBe(false);
    expect(isolatesFewer({ people: 8, days: 2, use, sums: [team] }, 2)).toBe(true);
  });
});
