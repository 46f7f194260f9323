import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createColumnsCache } from '../../../src/core/analytics/columns/columns-cache.ts';
import { createCreditsBuilder, creditsOf } from '../../../src/core/analytics/columns/people-columns.ts';
import { createPeopleDictionary } from '../../../src/core/analytics/columns/people-dictionary.ts';
import { createIdentities } from '../../../src/core/analytics/person-credits.ts';

const TODAY = '2026-03-05';
const DAYS = ['2026-03-02', '2026-03-03', '2026-03-04'];

interface Row {
  id: string;
  email: string | null;
  date: string;
  credits: number | null;
}

const row: fc.Arbitrary<Row> = fc.record({
  id: fc.constantFrom('u1', 'u2', 'u3', 'u4', 'u5'),
  email: fc.constantFrom(null, '', 'a@x.example', 'A@x.example', ' b@x.example', 'b@x.example', 'c@x.example'),
  date: fc.constantFrom(...DAYS),
  credits: fc.option(fc.oneof(fc.nat(9), fc.constantFrom(0.5, 2 ** 32, 2 ** 40, -3)), { nil: null }),
});

/** Joins people by looking at every pair of rows, again and again. */
function joinSlowly(rows: readonly Row[]): string[] {
  const emailOf = ({ email }: Row) => email?.trim().toLowerCase() || undefined;
  const groups = rows.map((_, index) => index);
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (const [one, a] of rows.entries())
      for (const [other, b] of rows.entries()) {
        const isSame = a.id === b.id || (emailOf(a) !== undefined && emailOf(a) === emailOf(b));
        const [from = 0, to = 0] = [groups[one], groups[other]];
        if (!isSame || from === to) continue;
        isChanged = true;
        for (const [index, group] of groups.entries()) if (group === from) groups[index] = to;
      }
  }
  return [...new Set(groups)]
    .map((group) => {
      const theirs = rows.filter((_, index) => groups[index] === group);
      const last = new Map<string, string>();
      for (const each of theirs) {
        const email = emailOf(each);
        if (email !== undefined && (last.get(email) ?? '') < each.date) last.set(email, each.date);
      }
      const emails = [...last]
        .toSorted(([a, on], [b, other]) => (on === other ? (a < b ? -1 : 1) : on > other ? -1 : 1))
        .map(([email]) => email);
      const [userId] = theirs.map(({ id }) => id).toSorted((a, b) => (a < b ? -1 : 1));
      const credits = theirs.reduce((sum, each) => sum + (each.credits ?? 0), 0);
      return JSON.stringify([emails, userId, credits]);
    })
    .toSorted((a, b) => (a < b ? -1 : 1));
}

describe('people who are joined from columns', () => {
  const joinColumns = (
    rows: readonly Row[],
    dictionaryOf: (date: string) => ReturnType<typeof createPeopleDictionary>,
  ) => {
    const identities = createIdentities();
    const sums = new Map<number, number>();
    for (const [date, theirs] of Map.groupBy(rows, (each) => each.date)) {
      const builder = createCreditsBuilder(dictionaryOf(date));
      for (const { id, email, credits } of theirs) builder.add([id, email, credits]);
      const day = builder.finish(date);
      for (const [index, place] of identities.learn(day).entries())
        sums.set(place, (sums.get(place) ?? 0) + (creditsOf(day)[index] || 0));
    }
    return identities
      .people()
      .map(({ identity: { email, otherEmails = [], userId }, places }) => {
        const credits = places.reduce((sum, place) => sum + (sums.get(place) ?? 0), 0);
        return JSON.stringify([email === undefined ? [] : [email, ...otherEmails], userId, credits]);
      })
      .toArray()
      .toSorted((a, b) => (a < b ? -1 : 1));
  };

  test('are those whom a comparison of all rows joins', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 14 }), (rows) => {
        const dictionary = createPeopleDictionary();
        // Other answers have made the dictionary know more, in another order.
        for (const { id, email } of rows.toReversed()) dictionary.placeOf(id, email);
        dictionary.placeOf('u1', 'd@x.example');
        expect(joinColumns(rows, () => dictionary)).toEqual(joinSlowly(rows));
      }),
    );
  });

  test('are the same if a new dictionary begins between two days', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 14 }), (rows) => {
        expect(joinColumns(rows, () => createPeopleDictionary())).toEqual(joinSlowly(rows));
      }),
    );
  });
});

describe('the columns in memory', () => {
  const dayOf = (people: ReturnType<typeof createPeopleDictionary>, ids: readonly string[]) => {
    const builder = createCreditsBuilder(people);
    for (const id of ids) builder.add([id, `${id}@x.example`, 1]);
    return builder.finish('2026-03-02');
  };

  test('are those of a version until somebody is erased, and then name nobody', () => {
    let renewals = 0;
    const cache = createColumnsCache(() => (renewals += 1));
    const before = cache.use(0, TODAY);
    before.keep('v1', dayOf(before.people, ['mia']));
    expect(cache.use(0, TODAY).get('v1')?.places).toHaveLength(1);
    expect(cache.use(0, TODAY).get('v2')).toBeUndefined();
    const after = cache.use(1, TODAY);
    expect(renewals).toBe(2);
    expect(after.get('v1')).toBeUndefined();
    expect(after.people.size).toBe(0);
  });

  test('are forgotten on the next day, with everybody whose days were deleted', () => {
    const cache = createColumnsCache(() => {});
    const before = cache.use(0, TODAY);
    before.keep('v1', dayOf(before.people, ['mia']));
    const after = cache.use(0, '2026-03-06');
    expect([after.get('v1'), after.people.size]).toEqual([undefined, 0]);
    before.keep('v1', dayOf(before.people, ['mia']));
    expect([after.get('v1'), before.get('v1')]).toEqual([undefined, undefined]);
  });

  test('take nothing from an answer that began before an erasure was finished', () => {
    const cache = createColumnsCache(() => {});
    const before = cache.use(0, TODAY);
    const after = cache.use(1, TODAY);
    before.keep('v1', dayOf(before.people, ['mia']));
    expect(after.get('v1')).toBeUndefined();
    expect(before.get('v1')).toBeUndefined();
    const late = cache.use(0, TODAY);
    late.keep('v2', dayOf(late.people, ['mia']));
    expect(after.get('v2')).toBeUndefined();
    expect(after.people.size).toBe(0);
  });

  test('are at most as many bytes as allowed', () => {
    const cache = createColumnsCache(() => {}, 80);
    const use = cache.use(0, TODAY);
    for (let version = 0; version < 20; version += 1) use.keep(`v${version}`, dayOf(use.people, ['mia', 'max']));
    const kept = Array.from({ length: 20 }, (_, version) => use.get(`v${version}`)).filter(Boolean);
    expect(kept).toHaveLength(5);
    use.keep(
      'large',
      dayOf(
        use.people,
        Array.from({ length: 11 }, (_, index) => `u${index}`),
      ),
    );
    expect(use.get('large')).toBeUndefined();
  });
});
