import { describe, expect, test } from 'vitest';
import { daysOf } from '../../../src/core/base/time/calendar.ts';
import { dayOffBand } from '../../../src/core/figures/insight/unusual.ts';
import { figureOf } from '../../../src/core/figures/measures/figures.ts';
import { createPeopleSpendFold, spendOf } from '../../../src/core/figures/measures/people-spend.ts';
import { changeWords, creditsHeadline } from '../../../src/core/figures/measures/sentences.ts';
import { digestHeadline } from '../../../src/features/usage/digest/headline.ts';
import { creditsColumns } from '../../support/credits-columns.ts';

const scope = {
  period: { first: '2026-03-03', last: '2026-03-03' },
  comparedWith: { first: '2026-02-24', last: '2026-02-24' },
  today: '2026-03-05',
};

describe('a month with other weekdays than the previous one', () => {
  const [september, october] = [
    { first: '2026-09-01', last: '2026-09-30' },
    { first: '2026-10-01', last: '2026-10-31' },
  ];
  // Six million on a Wednesday, of which September has one more, and one on other days.
  const rows = daysOf({ first: september.first, last: october.last }).map((date) => ({
    date,
    credits: new Date(date).getUTCDay() === 3 ? 6_000_000 : 1_000_000,
  }));
  const credits = figureOf(
    { kind: 'read', rows, readAt: new Date(0) },
    { period: october, comparedWith: september, today: '2026-11-03' },
    (row) => row.credits,
  );

  test('is shown beside the actual sum, and the percentage is marked as adjusted', () => {
    const months = { period: october, comparedWith: september, today: '2026-11-03' };
    expect(credits).toMatchObject({ value: { value: 51_000_000, was: 55_000_000 } });
    expect(creditsHeadline(credits, months)).toBe(
      '51 M credits, about the same a day as on 1–30 Sep (55 M; adjusted for weekdays)',
    );
    const grown = { kind: 'known' as const, value: { value: 70_000_000, before: 35_000_000, was: 33_000_000 } };
    expect(creditsHeadline(grown, months)).toBe(
      '70 M credits, 100% more a day than on 1–30 Sep (33 M; adjusted for weekdays)',
    );
    expect(digestHeadline({ scope: months, credits: grown })).toBe(
      '70 M credits on 1–31 Oct, 100% more a day than on 1–30 Sep (33 M; adjusted for weekdays).',
    );
    expect(creditsHeadline({ kind: 'known', value: { value: 9, before: 10, was: 9 } }, months)).toBe(
      '9 credits, the same as on 1–30 Sep',
    );
  });

  test('shows the true sum of its parts and of people too', () => {
    expect(changeWords({ value: 3, before: 8, was: 9 })).toBe('was 9');
    const people = createPeopleSpendFold(october, september);
    for (const { date, credits: used } of rows)
      people.add(creditsColumns(date, [{ user_id: 'u1', user_email: 'ada@acme.test', billable_tokens: used }]));
    const sum = (first: string, last: string) =>
      rows.filter(({ date }) => date >= first && date <= last).reduce((total, row) => total + row.credits, 0);
    expect(spendOf(people.people(), ['ada@acme.test'])).toMatchObject({
      value: sum(october.first, october.last),
      was: sum(september.first, september.last),
    });
  });
});

describe('a change from a small amount', () => {
  test.each([
    [9, 3, 0, 'was 3'],
    [900, 300, 1_000_000, 'was 300'],
    [300, 900, 1_000_000, 'was 900'],
    [900, 300, 300_000, 'up 200%'],
    [5_000, 1_000, 1_000_000, 'was 1 K'],
    [3, 0, 0, 'was none'],
    [0, 0, 0, ''],
    [900, 300, 0, 'up 200%'],
  ])(
    'to %d from %d of %d is shown in credits below a thousandth of the total, or above three times as much: %s',
    (value, before, all, words) => {
      expect(changeWords({ value, before }, all)).toBe(words);
    },
  );

  test.each([
    [0, 'No credits used'],
    [0.04, 'Less than 0.1 credits'],
    [0.06, '0.1 credits'],
  ])('of %d credits is not called “none” unless it is', (value, words) => {
    expect(creditsHeadline({ kind: 'known', value: { value } }, scope)).toBe(words);
    const digest = digestHeadline({ scope, credits: { kind: 'known', value: { value } } });
    expect(digest).toBe(`${words.replace(/ credits(?: used)?/, '')} credits on Tuesday.`);
  });

  test('is no percentage in the headline either', () => {
    const headline = (value: number, before: number) =>
      creditsHeadline({ kind: 'known', value: { value, before } }, scope);
    expect(headline(9, 3)).toBe('9 credits, up from 3 on Tue 24 Feb');
    expect(headline(3, 9)).toBe('3 credits, down from 9 on Tue 24 Feb');
    expect(headline(3, 3)).toBe('3 credits, the same as on Tue 24 Feb');
    expect(headline(0, 0)).toBe('No credits used, nor on Tue 24 Feb');
  });
});

describe('a single day off', () => {
  const saturday = { first: '2026-03-07', last: '2026-03-07' };
  const scopeOf = { period: saturday, comparedWith: { first: '2026-02-28', last: '2026-02-28' }, today: '2026-03-09' };
  const usual = { low: 20_400, usual: 142_000, high: 340_000 };

  test.each([
    [985_856, '986 K credits, above the usual 20.4–340 K for a Saturday'],
    [150_000, '150 K credits, within the usual 20.4–340 K for a Saturday'],
    [20_000, '20 K credits, below the usual 20.4–340 K for a Saturday'],
    [0, 'No credits used, below the usual 20.4–340 K for a Saturday'],
  ])('of %d is shown beside its usual range, not in percent', (value, words) => {
    expect(creditsHeadline({ kind: 'known', value: { value, before: 1_000 } }, { ...scopeOf, usual })).toBe(words);
  });

  test('has a usual range if there are enough earlier days, and no other period has one', () => {
    const rows = daysOf({ first: '2026-01-14', last: '2026-03-06' }).map((date, index) => ({
      date,
      billable_tokens: ([0, 6].includes(new Date(date).getUTCDay()) ? 100_000 : 1_000_000) + 1_000 * (index % 5),
    }));
    const history = { kind: 'read' as const, rows, readAt: new Date(0) };
    const band = dayOffBand(history, saturday);
    expect(band?.usual).toBeGreaterThan(band?.low ?? Infinity);
    expect(band?.usual).toBeLessThan(band?.high ?? 0);
    expect(dayOffBand(history, { first: '2026-03-06', last: '2026-03-06' })).toBeUndefined();
    expect(dayOffBand(history, { first: '2026-03-07', last: '2026-03-08' })).toBeUndefined();
    expect(dayOffBand({ ...history, rows: rows.slice(-10) }, saturday)).toBeUndefined();
  });
});

describe('a fall', () => {
  test.each([
    [0, 1000, 'down 100%'],
    [1, 1000, 'down more than 99%'],
    [4, 1000, 'down more than 99%'],
    [10, 1000, 'down 99%'],
    [500, 1000, 'down 50%'],
  ])('to %d from %d is shown as “%s”, and as “all of it” only if nothing is left', (value, before, words) => {
    expect(changeWords({ value, before })).toBe(words);
  });

  test('is worded the same in the headline', () => {
    expect(creditsHeadline({ kind: 'known', value: { value: 4, before: 1000 } }, scope)).toBe(
      '4 credits, more than 99% less than on Tue 24 Feb (1 K)',
    );
  });
});
