import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAmounts, createDailySums } from '../../../src/core/analytics/amounts.ts';

const DAYS = 5;
const amount = fc.oneof(
  fc.nat(),
  fc.constantFrom(0, -0, 0.5, -1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const added = fc.record({ place: fc.nat(600), day: fc.nat(DAYS - 1), amount });

test('sums by place and day are exact, whatever sizes of amounts meet in one chunk', () => {
  fc.assert(
    fc.property(fc.array(added, { maxLength: 200 }), fc.boolean(), (all, areAddedTogether) => {
      const sums = createDailySums(DAYS);
      const addAll = (some: typeof all, day: number) => {
        const amounts = some.map((one) => one.amount);
        const areWhole = amounts.every((one) => one >>> 0 === one);
        const column = areWhole ? Uint32Array.from(amounts) : Float64Array.from(amounts);
        sums.addAll(
          Uint32Array.from(some, (one) => one.place),
          day,
          column,
        );
      };
      if (areAddedTogether)
        for (let day = 0; day < DAYS; day += 1)
          addAll(
            all.filter((one) => one.day === day),
            day,
          );
      const expected = new Map<number, number[]>();
      for (const one of all) {
        const { place, day, amount: more } = one;
        if (!areAddedTogether) addAll([one], day);
        const own = expected.get(place) ?? Array.from({ length: DAYS }, () => 0);
        own[day] = (own[day] ?? 0) + more;
        expected.set(place, own);
      }
      for (const [place, own] of expected)
        expect([...sums.of(place)].map((sum) => sum + 0)).toEqual(own.map((sum) => sum + 0));
    }),
  );
});

test('sums by place are exact, whatever sizes of amounts meet, and however far apart the places are', () => {
  fc.assert(
    fc.property(fc.array(added, { maxLength: 200 }), (all) => {
      const amounts = createAmounts();
      const expected = new Map<number, number>();
      for (const { place, amount: more } of all) {
        amounts.add(place, more);
        expected.set(place, (expected.get(place) ?? 0) + more);
      }
      const places = Array.from({ length: 700 }, (_, place) => place);
      expect(places.map((place) => amounts.at(place) + 0)).toEqual(
        places.map((place) => (expected.get(place) ?? 0) + 0),
      );
    }),
  );
});

test('a place without amounts has a zero for each day', () => {
  const sums = createDailySums(DAYS);
  sums.addAll(Uint32Array.of(300, 301), 2, Float64Array.of(7, Number.NaN));
  expect([...sums.of(0)]).toEqual([0, 0, 0, 0, 0]);
  expect([...sums.of(300)]).toEqual([0, 0, 7, 0, 0]);
  expect([...sums.of(301)]).toEqual([0, 0, 0, 0, 0]);
  expect([...sums.of(10_000)]).toEqual([0, 0, 0, 0, 0]);
});
