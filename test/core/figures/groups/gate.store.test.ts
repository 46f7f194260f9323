import { afterEach, describe, expect, test } from 'vitest';
import { daysOf, type Day, type Period } from '../../../../src/core/base/time/calendar.ts';
import { systemClock } from '../../../../src/core/base/time/clock.ts';
import { openStore } from '../../../../src/core/store/database.ts';
import type { Store } from '../../../../src/core/store/store.ts';
import {
  allowAndRecordSums as allowSums,
  type GateDeps,
  type GateOptions,
} from '../../../../src/core/figures/groups/gate.ts';
import type { GroupSum } from '../../../../src/core/base/privacy/disclosure.ts';
import { availableEngines, createDatabase } from '../../../support/stores/databases.ts';
import { creditsColumns } from '../../../support/credits-columns.ts';

const MIN_GROUP = 3;
const PEOPLE = Array.from({ length: 12 }, (_, index) => `p${index}@acme.example`);
const WEEK: Period = { first: '2026-03-02', last: '2026-03-08' };

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

const depsOf = ({ db }: Store, published: Day, minGroup = MIN_GROUP): GateDeps => ({
  db,
  plannedSums: () => Promise.resolve([]),
  clock: systemClock,
  config: { minGroup },
  days: {
    peopleCredits: async ({ first, last }, take) => {
      const days = daysOf({ first, last }).filter((day) => day <= published);
      const people = PEOPLE.map((email) => ({ user_id: email, user_email: email, billable_tokens: 10 }));
      for (const date of days) take(creditsColumns(date, people));
      return { kind: 'read', rows: days, readAt: new Date() };
    },
  },
});

const allowAndRecordSums = (
  deps: GateDeps,
  alternatives: readonly (readonly GroupSum[])[],
  options: Partial<GateOptions> = {},
) => allowSums(deps, alternatives, { shownTo: { kind: 'channel' }, ...options });

const group = (from: number, to: number, period = WEEK): GroupSum[] => [
  { emails: PEOPLE.slice(from, to), period, isByDay: false },
];

describe.each(availableEngines())('requested groups, on %s', (engine) => {
  const open = async () => {
    const database = await createDatabase(engine);
    cleanUps.push(() => database.drop());
    const stores = await Promise.all([
      openStore(database.url),
      ...(engine === 'postgres' ? [openStore(database.url)] : []),
    ]);
    for (const store of stores) cleanUps.push(() => store.close());
    return stores;
  };
  const first = async () => {
    const [store] = await open();
    if (!store) throw new Error('No store was opened');
    return store;
  };

  test('are compared with the groups that were shown before, and stored', async () => {
    const deps = depsOf(await first(), '2026-03-20');
    expect(await allowAndRecordSums(deps, [group(0, 4)])).toMatchObject({ kind: 'shown', index: 0 });
    expect(await allowAndRecordSums(deps, [group(0, 5)])).toEqual({ kind: 'refused', reason: 'close' });
    expect(await allowAndRecordSums(deps, [group(0, 2)])).toEqual({ kind: 'refused', reason: 'few' });
    expect(await allowAndRecordSums(deps, [group(0, 4)])).toMatchObject({ kind: 'shown', index: 0 });
    expect(await allowAndRecordSums(deps, [group(0, 5, { first: '2026-03-09', last: '2026-03-15' })])).toMatchObject({
      kind: 'shown',
    });
    expect(await allowAndRecordSums(deps, [group(0, 5), group(4, 8)])).toMatchObject({ kind: 'shown', index: 1 });
  });

  test('that differ by one person are never both shown, even if they are requested at once', async () => {
    const stores = await open();
    const partsOf = (index: number) => {
      const store = stores[index % stores.length];
      if (!store) throw new Error('No store was opened');
      return depsOf(store, '2026-03-20');
    };
    for (let round = 0; round < 10; round += 1) {
      const period = { first: `2026-02-${10 + round}`, last: `2026-02-${10 + round}` };
      const wanted = [group(0, 4, period), group(0, 5, period), group(1, 5, period), group(0, 3, period)];
      const verdicts = await Promise.all(wanted.map((sums, index) => allowAndRecordSums(partsOf(index), [sums])));
      expect(verdicts.filter(({ kind }) => kind === 'shown')).toHaveLength(1);
    }
  });

  test('with partly published days count as those days alone; the rest is another sum', async () => {
    const store = await first();
    expect(await allowAndRecordSums(depsOf(store, '2026-03-06'), [group(0, 4)])).toMatchObject({ kind: 'shown' });
    expect(await allowAndRecordSums(depsOf(store, '2026-03-06'), [group(0, 4)], { requiresAllDays: true })).toEqual({
      kind: 'unpublished',
    });
    // The two days that came then form a period of their own.
    expect(await allowAndRecordSums(depsOf(store, '2026-03-08'), [group(0, 4)])).toMatchObject({ kind: 'shown' });
    expect(
      await allowAndRecordSums(depsOf(store, '2026-03-08'), [group(0, 5, { first: '2026-03-07', last: '2026-03-08' })]),
    ).toEqual({ kind: 'refused', reason: 'close' });
  });

  test('are evaluated for a preview, and nothing is recorded', async () => {
    const deps = depsOf(await first(), '2026-03-20');
    const preview = (seesPeople: boolean) => ({ shownTo: { kind: 'preview', seesPeople } as const });
    expect(await allowAndRecordSums(deps, [group(0, 4)], preview(true))).toMatchObject({ kind: 'shown' });
    expect(await allowAndRecordSums(deps, [group(0, 4)], preview(false))).toEqual({
      kind: 'refused',
      reason: 'preview',
    });
    expect(await allowAndRecordSums(deps, [group(0, 2)], preview(true))).toEqual({ kind: 'refused', reason: 'few' });
    // A group that differs by one person could not be shown after the first one.
    expect(await allowAndRecordSums(deps, [group(0, 5)])).toMatchObject({ kind: 'shown' });
    expect(await allowAndRecordSums(deps, [group(0, 5)], preview(false))).toMatchObject({ kind: 'shown' });
    expect(await allowAndRecordSums(deps, [group(0, 4)], preview(true))).toEqual({ kind: 'refused', reason: 'close' });
  });

  test('of a channel that are not essential never stop a planned message either', async () => {
    const deps = { ...depsOf(await first(), '2026-03-20'), plannedSums: () => Promise.resolve(group(0, 4)) };
    const spared = await allowAndRecordSums(deps, [group(0, 5)], { sparesPlanned: true });
    expect(spared).toEqual({ kind: 'refused', reason: 'planned' });
    expect(await allowAndRecordSums(deps, [group(0, 5)])).toMatchObject({ kind: 'shown' });
  });

  test('of one person never stop a planned message of a channel', async () => {
    const store = await first();
    const person = { shownTo: { kind: 'person' } } as const;
    const planning = (published: Day): GateDeps => ({
      ...depsOf(store, published),
      plannedSums: () => Promise.resolve(group(0, 4)),
    });
    // On Saturday, nobody knows who will be active on Sunday.
    expect(await allowAndRecordSums(planning('2026-03-06'), [group(0, 4)], person)).toEqual({
      kind: 'refused',
      reason: 'planned',
    });
    expect(await allowAndRecordSums(planning('2026-03-06'), [group(4, 8)], person)).toEqual({
      kind: 'refused',
      reason: 'planned',
    });
    const before = { first: '2026-02-23', last: '2026-03-01' };
    expect(await allowAndRecordSums(planning('2026-03-06'), [group(0, 4, before)], person)).toMatchObject({
      kind: 'shown',
    });
    // With all days, what leaves the message as it is can be shown, and what would stop it can’t.
    expect(await allowAndRecordSums(planning('2026-03-08'), [group(0, 5)], person)).toEqual({
      kind: 'refused',
      reason: 'planned',
    });
    expect(await allowAndRecordSums(planning('2026-03-08'), [group(4, 8)], person)).toMatchObject({ kind: 'shown' });
    expect(await allowAndRecordSums(planning('2026-03-08'), [group(0, 4)])).toMatchObject({ kind: 'shown' });
    expect(await allowAndRecordSums(planning('2026-03-08'), [group(0, 4)], person)).toMatchObject({ kind: 'shown' });
  });

  test('are all shown with MIN_GROUP=1', async () => {
    const deps = depsOf(await first(), '2026-03-20', 1);
    for (const size of [1, 2, 3])
      expect(await allowAndRecordSums(deps, [group(0, size)])).toMatchObject({ kind: 'shown', index: 0 });
  });
});
