import { describe, expect, test } from 'vitest';
import {
  NOTHING_RECENT,
  planNotices,
  type NewRevision,
  type Recent,
} from '../../../src/features/controls/core/bursts.ts';

const MINUTE_MS = 60_000;
const heard = (revision: number, minute: number, by = 'ada'): NewRevision => ({
  revision,
  atMs: minute * MINUTE_MS,
  by,
});
const keyOf = (first: number) => `burst:${first}`;

/** Returns the messages that are posted when the revisions arrive in these portions. */
function posted(...portions: NewRevision[][]) {
  let recent: Recent = NOTHING_RECENT;
  return portions.flatMap((portion) => {
    const planned = planNotices(recent, portion, keyOf);
    recent = planned.recent;
    return planned.plans;
  });
}

describe('new revisions', () => {
  test('have one message each', () => {
    expect(posted([heard(1, 0), heard(2, 2), heard(3, 4), heard(4, 6)]).map(({ kind }) => kind)).toEqual(
      Array.from({ length: 4 }, () => 'single'),
    );
  });

  test('of one person within a minute share one message from the second on: the first is edited', () => {
    expect(posted([heard(1, 0), heard(2, 1)])).toEqual([{ kind: 'burst', first: 1, revisions: [1, 2] }]);
    expect(posted([heard(1, 0)], [heard(2, 1)], [heard(3, 1.5)])).toEqual([
      { kind: 'single', revision: 1 },
      { kind: 'more', key: 'burst:1', revisions: [2], all: [1, 2] },
      { kind: 'more', key: 'burst:1', revisions: [3], all: [1, 2, 3] },
    ]);
  });

  test('of one person, five within ten minutes, cause no fifth message', () => {
    const plans = posted([heard(1, 0)], [heard(2, 2)], [heard(3, 4)], [heard(4, 6)], [heard(5, 8)], [heard(6, 12)]);
    expect(plans.slice(0, 4).every(({ kind }) => kind === 'single')).toBe(true);
    expect(plans.slice(4)).toEqual([
      { kind: 'more', key: 'burst:4', revisions: [5], all: [4, 5] },
      { kind: 'more', key: 'burst:4', revisions: [6], all: [4, 5, 6] },
    ]);
  });

  test('of one person, five within more than ten minutes, cause five messages', () => {
    const spread = [heard(1, 0), heard(2, 3), heard(3, 6), heard(4, 9), heard(5, 12)];
    expect(posted(spread).every(({ kind }) => kind === 'single')).toBe(true);
  });

  test('of another person in between have messages of their own', () => {
    const plans = posted([heard(1, 0), heard(2, 1), heard(3, 1, 'mo'), heard(4, 2), heard(5, 3), heard(6, 4)]);
    expect(plans).toEqual([
      { kind: 'burst', first: 1, revisions: [1, 2, 4, 5, 6] },
      { kind: 'single', revision: 3 },
    ]);
  });

  test('join a message of several while the same person continues, until ten minutes pass without one', () => {
    const burst = [1, 2, 3, 4, 5].map((revision) => heard(revision, revision));
    const plans = posted(burst, [heard(6, 12)], [heard(7, 20)], [heard(8, 31)]);
    expect(plans.slice(1)).toEqual([
      { kind: 'more', key: 'burst:1', revisions: [6], all: [1, 2, 3, 4, 5, 6] },
      { kind: 'more', key: 'burst:1', revisions: [7], all: [1, 2, 3, 4, 5, 6, 7] },
      { kind: 'single', revision: 8 },
    ]);
  });

  test('are posted once each, in whatever portions they arrive', () => {
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
