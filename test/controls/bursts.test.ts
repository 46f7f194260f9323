import { describe, expect, test } from 'vitest';
import { NOTHING_RECENT, planNotices, type Heard, type Recent } from '../../src/controls/core/bursts.ts';

const MINUTE_MS = 60_000;
const heard = (revision: number, minute: number, by = 'ada'): Heard => ({ revision, atMs: minute * MINUTE_MS, by });
const keyOf = (first: number) => `burst:${first}`;

/** What is posted when the revisions are heard of in these portions. */
function posted(...portions: Heard[][]) {
  let recent: Recent = NOTHING_RECENT;
  return portions.flatMap((portion) => {
    const planned = planNotices(recent, portion, keyOf);
    recent = planned.recent;
    return planned.plans;
  });
}

describe('new revisions', () => {
  test('have a message each', () => {
    expect(posted([heard(1, 0), heard(2, 1), heard(3, 2), heard(4, 3)]).map(({ kind }) => kind)).toEqual(
      Array.from({ length: 4 }, () => 'single'),
    );
  });

  test('of one person, five within ten minutes, are one message', () => {
    expect(posted([1, 2, 3, 4, 5, 6].map((revision) => heard(revision, revision)))).toEqual([
      { kind: 'burst', first: 1, revisions: [1, 2, 3, 4, 5, 6], earlier: [] },
    ]);
  });

  test('five within more than ten minutes are not', () => {
    const spread = [heard(1, 0), heard(2, 3), heard(3, 6), heard(4, 9), heard(5, 12)];
    expect(posted(spread).every(({ kind }) => kind === 'single')).toBe(true);
  });

  test('of somebody else in between have messages of their own', () => {
    const plans = posted([heard(1, 0), heard(2, 1), heard(3, 1, 'mo'), heard(4, 2), heard(5, 3), heard(6, 4)]);
    expect(plans).toEqual([
      { kind: 'burst', first: 1, revisions: [1, 2, 4, 5, 6], earlier: [] },
      { kind: 'single', revision: 3 },
    ]);
  });

  test('that make a burst of what had messages of its own begin one, and name the others', () => {
    const plans = posted([heard(1, 0)], [heard(2, 1)], [heard(3, 2)], [heard(4, 3)], [heard(5, 4)], [heard(6, 5)]);
    expect(plans.slice(4)).toEqual([
      { kind: 'burst', first: 5, revisions: [5], earlier: [1, 2, 3, 4] },
      { kind: 'more', key: 'burst:5', revisions: [6], all: [5, 6] },
    ]);
  });

  test('go on with a burst while its person does, and end it by ten minutes of silence', () => {
    const burst = [1, 2, 3, 4, 5].map((revision) => heard(revision, revision));
    const plans = posted(burst, [heard(6, 12)], [heard(7, 20)], [heard(8, 31)]);
    expect(plans.slice(1)).toEqual([
      { kind: 'more', key: 'burst:1', revisions: [6], all: [1, 2, 3, 4, 5, 6] },
      { kind: 'more', key: 'burst:1', revisions: [7], all: [1, 2, 3, 4, 5, 6, 7] },
      { kind: 'single', revision: 8 },
    ]);
  });

  test('are told once each, in whatever portions they come', () => {
    const all = Array.from({ length: 60 }, (_, index) =>
      heard(index + 1, ((index * 7) % 40) + index, index % 3 === 0 ? 'mo' : 'ada'),
    );
    for (const size of [1, 3, 7, 60]) {
      const portions = Array.from({ length: Math.ceil(60 / size) }, (_, index) =>
        all.slice(index * size, (index + 1) * size),
      );
      const told = posted(...portions).flatMap((plan) => (plan.kind === 'single' ? [plan.revision] : plan.revisions));
      expect(told.toSorted((a, b) => a - b)).toEqual(all.map(({ revision }) => revision));
    }
  });
});
