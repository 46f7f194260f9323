import { describe, expect, test } from 'vitest';
import { peopleSection } from '../../../src/features/usage/digest/parts.ts';
import { buildPeopleReport } from '../../../src/features/usage/reports/people-report.ts';
import { NAMING } from '../../support/slack/readers.ts';

const scope = { period: { first: '2026-03-03', last: '2026-03-03' }, comparedWith: undefined, today: '2026-03-05' };
const days = { kind: 'read' as const, rows: ['2026-03-03'], readAt: new Date('2026-03-05T09:00:00Z') };

/** The section about people with these credits each, in the order of a fold. */
function sectionOf(credits: readonly (readonly [name: string, credits: number])[]) {
  const people = credits.map(([email, amount]) => ({ key: email, email, userId: email, credits: amount, before: 0 }));
  return peopleSection(buildPeopleReport({ days, people: [] }, scope), { days, people }, NAMING);
}

describe('the section of people in a digest', () => {
  test('keeps the named people in order, and their figures, so that it can be corrected', () => {
    const { ranking, figures } = sectionOf([
      ['mia', 30],
      ['max', 20],
      ['idle', 0],
    ]);
    expect(ranking).toEqual({ title: 'Top people', names: ['mia', 'max'] });
    expect(Object.keys(figures)).toEqual(['mia', 'max']);
    expect(figures['max']).toEqual({ kind: 'known', value: { value: 20 } });
  });

  test.each([
    [5, 5],
    [6, 6],
    [7, 5],
  ])('of %d people keeps the %d named ones', (count, named) => {
    const { ranking, paragraphs } = sectionOf(Array.from({ length: count }, (_, index) => [`p${index}`, 100 - index]));
    expect(ranking?.names).toHaveLength(named);
    const said = JSON.stringify(paragraphs.flatMap(({ lines }) => lines));
    expect(ranking?.names.every((name) => said.includes(`${name}: `))).toBe(true);
    expect(said.includes('other people')).toBe(count > named);
  });
});
