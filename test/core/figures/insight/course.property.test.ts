import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { likelyCourses } from '../../../../src/core/figures/insight/course.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const numRuns = propertyRuns(200);
const NOISE = 0.1 ** 2;
const value = fc.double({ min: -3, max: 3, noNaN: true });
const values = fc.array(value, { minLength: 1, maxLength: 13 });
const weekly = (all: readonly number[]) => all.map((one, week) => ({ at: week - all.length, value: one }));
const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);
const expectedAt = (courses: ReturnType<typeof likelyCourses>, at: number) =>
  sum(courses.map(({ weight, levelAt }) => weight * levelAt(at)));

describe('the courses of a level', () => {
  test('have probabilities, and know less of later weeks', () => {
    fc.assert(
      fc.property(values, (all) => {
        const courses = likelyCourses(weekly(all), NOISE);
        expect(sum(courses.map(({ weight }) => weight))).toBeCloseTo(1, 9);
        for (const { varianceAt } of courses) {
          const variances = [0, 1, 2, 4].map(varianceAt);
          expect(variances.every((one) => one > 0)).toBe(true);
          expect(variances).toEqual(variances.toSorted((a, b) => a - b));
        }
      }),
      { numRuns },
    );
  });

  test('continue the mean where the level neither drifts nor grows', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 5 }), (all, at) => {
        const [steady] = likelyCourses(weekly(all), NOISE);
        expect(steady?.levelAt(at)).toBeCloseTo(sum(all) / all.length, 9);
        expect(steady?.varianceAt(at)).toBeCloseTo(NOISE / all.length, 9);
      }),
      { numRuns },
    );
  });

  test('do not depend on the unit of the amounts, nor on when time begins', () => {
    fc.assert(
      fc.property(values, value, fc.integer({ min: -100, max: 100 }), (all, by, later) => {
        const courses = likelyCourses(weekly(all), NOISE);
        const moved = weekly(all).map((one) => ({ at: one.at + later, value: one.value + by }));
        expect(expectedAt(likelyCourses(moved, NOISE), later + 2)).toBeCloseTo(expectedAt(courses, 2) + by, 6);
      }),
      { numRuns },
    );
  });

  test.each([0.02, 0.06, 0.12])('continue a growth of %d a week, a little slower', (growth) => {
    const courses = likelyCourses(weekly(Array.from({ length: 12 }, (_, week) => week * growth)), 0.03 ** 2);
    const [last, later] = [11 * growth, expectedAt(courses, 3)];
    expect((later - last) / (4 * growth)).toBeGreaterThan(0.75);
    expect((later - last) / (4 * growth)).toBeLessThan(1);
  });

  test('follow a level that stepped within a few weeks', () => {
    const stepped = [...Array.from({ length: 8 }, () => 0), ...Array.from({ length: 4 }, () => 1)];
    expect(expectedAt(likelyCourses(weekly(stepped), 0.05 ** 2), 0)).toBeGreaterThan(0.85);
  });
});
