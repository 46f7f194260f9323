import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findLevels, noiseOf } from '../../../../src/core/figures/insight/levels.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const NOISE = 0.05;
const numRuns = propertyRuns(500);
const timesOf = (values: readonly number[]) => values.map((_, at) => 20_000 + at);
/** Uneven, but never more than the noise. */
const wobble = (length: number) =>
  fc.array(fc.double({ min: -NOISE, max: NOISE, noNaN: true }), { minLength: length, maxLength: length });
const days = (min: number, max: number) => fc.integer({ min, max });
/** Far beyond the noise, up or down; at a fifth of the level, hardly anybody would be there. */
const jump = fc
  .tuple(fc.double({ min: 0.8, max: 1.5, noNaN: true }), fc.boolean())
  .map(([size, isUp]) => (isUp ? size : -size));
const flat = (count: number, level: number) => Array.from({ length: count }, () => level);
const stretches = (...parts: readonly (readonly [count: number, level: number])[]) =>
  parts.flatMap(([count, level]) => flat(count, level));

/** A series of flat stretches with a wobble on top. */
const series = <Shape>(shape: fc.Arbitrary<Shape>, partsOf: (shape: Shape) => readonly (readonly [number, number])[]) =>
  shape.chain((given) => {
    const plain = stretches(...partsOf(given));
    return wobble(plain.length).map((noise) => ({ given, values: plain.map((one, at) => one + (noise[at] ?? 0)) }));
  });

test('one lasting step is found on its day, in its size', () => {
  const shape = fc.tuple(days(8, 25), jump, days(8, 25));
  fc.assert(
    fc.property(
      series(shape, ([before, size, after]) => [
        [before, 0],
        [after, size],
      ]),
      ({ given, values }) => {
        const [before, size] = given;
        const { steps, slope, pending } = findLevels(values, timesOf(values), NOISE);
        expect(slope).toBe(0);
        expect(pending).toBeUndefined();
        expect(steps.map(({ dayNumber }) => dayNumber)).toEqual([20_000 + before]);
        expect(Math.abs((steps[0]?.size ?? 0) - size)).toBeLessThanOrEqual(2 * NOISE);
        expect(steps[0]?.workdaysSince).toBe(given[2]);
      },
    ),
    { numRuns },
  );
});

test('a holiday or a hack week between equal levels is an excursion, and no step', () => {
  const shape = fc.tuple(days(8, 20), days(5, 9), jump, days(8, 20));
  fc.assert(
    fc.property(
      series(shape, ([before, away, size, after]) => [
        [before, 0],
        [away, size],
        [after, 0],
      ]),
      ({ given: [before, away], values }) => {
        const { steps, isExcursion } = findLevels(values, timesOf(values), NOISE);
        expect(steps).toEqual([]);
        expect(isExcursion).toEqual(values.map((_, at) => at >= before && at < before + away));
      },
    ),
    { numRuns },
  );
});

test('one or two exceptional days are neither a step nor a level', () => {
  const shape = fc.tuple(days(8, 25), days(1, 2), jump, days(8, 25));
  fc.assert(
    fc.property(
      series(shape, ([before, odd, size, after]) => [
        [before, 0],
        [odd, size],
        [after, 0],
      ]),
      ({ values }) => {
        const { steps, last } = findLevels(values, timesOf(values), NOISE);
        expect(steps).toEqual([]);
        expect(Math.abs(last)).toBeLessThanOrEqual(NOISE);
      },
    ),
    { numRuns },
  );
});

test('other last days are not yet a level while they are few', () => {
  const shape = fc.tuple(days(10, 25), jump, days(3, 4));
  fc.assert(
    fc.property(
      series(shape, ([before, size, late]) => [
        [before, 0],
        [late, size],
      ]),
      ({ given: [before], values }) => {
        const { steps, pending, last } = findLevels(values, timesOf(values), NOISE);
        expect(steps).toEqual([]);
        expect(pending?.dayNumber).toBe(20_000 + before);
        expect(Math.abs(last)).toBeLessThanOrEqual(NOISE);
      },
    ),
    { numRuns },
  );
});

const anySeries = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 2, maxLength: 45 });

test('the unit of the amounts changes nothing: steps stay where they are', () => {
  fc.assert(
    fc.property(anySeries, fc.double({ min: -3, max: 3, noNaN: true }), (values, shift) => {
      const noise = Math.max(0.02, noiseOf(values));
      const one = findLevels(values, timesOf(values), noise);
      const other = findLevels(
        values.map((value) => value + shift),
        timesOf(values),
        noise,
      );
      expect(other.steps.map(({ dayNumber }) => dayNumber)).toEqual(one.steps.map(({ dayNumber }) => dayNumber));
      expect(other.isExcursion).toEqual(one.isExcursion);
      expect(other.last - shift).toBeCloseTo(one.last, 6);
    }),
    { numRuns },
  );
});

test('whatever the days are, each has a level, and steps are in order and inside', () => {
  fc.assert(
    fc.property(anySeries, (values) => {
      const times = timesOf(values);
      const { levels, steps, last, isExcursion, slope } = findLevels(values, times, Math.max(0.02, noiseOf(values)));
      expect(levels).toHaveLength(values.length);
      expect(isExcursion).toHaveLength(values.length);
      expect([...levels, last, slope].every(Number.isFinite)).toBe(true);
      const at = steps.map(({ dayNumber }) => dayNumber);
      expect(at).toEqual(at.toSorted((a, b) => a - b));
      expect(at.every((day) => times.slice(1).includes(day))).toBe(true);
    }),
    { numRuns },
  );
});
