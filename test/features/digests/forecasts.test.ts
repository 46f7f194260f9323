import { expect, test } from 'vitest';
import { forecastsOf } from '../../../src/features/digests/deliver/warn-ahead.ts';

const NOON = new Date('2026-03-08T12:00:00Z');
const periodsOf = (...[planned, latest]: [Parameters<typeof forecastsOf>[0], Parameters<typeof forecastsOf>[1]]) =>
  forecastsOf(planned, latest, NOON).map(({ period, reader }) => [period.first, period.last, reader.kind]);

const YESTERDAY = { first: '2026-03-07', last: '2026-03-07' };

test('A weekly digest is forecast from those of its days that are over, with fewer while the last are not published', () => {
  expect(periodsOf({ first: '2026-03-02', last: '2026-03-08' }, { first: '2026-03-01', last: '2026-03-07' })).toEqual([
    ['2026-03-02', '2026-03-07', 'preview'],
    ['2026-03-02', '2026-03-06', 'preview'],
    ['2026-03-02', '2026-03-05', 'preview'],
  ]);
});

test('A daily digest, of which no day is over, is forecast from the latest day', () => {
  expect(periodsOf({ first: '2026-03-08', last: '2026-03-08' }, YESTERDAY)).toEqual([
    ['2026-03-07', '2026-03-07', 'forecast'],
  ]);
  expect(periodsOf(undefined, undefined)).toEqual([]);
});

test('Days before the first one of a digest say nothing about it', () => {
  expect(periodsOf({ first: '2026-03-06', last: '2026-03-08' }, YESTERDAY)).toEqual([
    ['2026-03-06', '2026-03-07', 'preview'],
    ['2026-03-06', '2026-03-06', 'preview'],
  ]);
});
