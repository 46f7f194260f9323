import { describe, expect, test } from 'vitest';
import { mrkdwnOf } from '../../../src/core/base/text/markup.ts';
import { daysOf, weekdayOf } from '../../../src/core/base/time/calendar.ts';
import { noteMessage } from '../../../src/features/alerts/unusual-days/unusual-day-messages.ts';
import { admittedAmount } from '../../../src/core/figures/groups/admission.ts';
import { planWatch, type AssessedDay } from '../../../src/features/alerts/unusual-days/plan.ts';

/** About a thousand on workdays, about a hundred at weekends, with a little noise. */
const usual = (first: string, last: string) =>
  daysOf({ first, last }).map((date, index) => ({
    date,
    billable_tokens: (weekdayOf(date) % 6 === 0 ? 100 : 1_000) * (1 + 0.05 * ((index * 7) % 5)),
  }));
const withDay = (rows: ReturnType<typeof usual>, day: string, factor: number) =>
  rows.map((row) => (row.date === day ? { ...row, billable_tokens: row.billable_tokens * factor } : row));

const assessedDay = (
  day: string,
  judgement: AssessedDay['judgement'],
  change: Partial<AssessedDay> = {},
): AssessedDay => ({
  day,
  judgement,
  amount: 1,
  isExpected: 0,
  deliveryKey: judgement === 'usual' ? null : 'k',
  members: null,
  ...change,
});
const ROWS = usual('2026-01-01', '2026-03-17');
const plan = (change: Partial<Parameters<typeof planWatch>[0]>) =>
  planWatch({
    rows: ROWS,
    rowsOf: () => change.rows ?? ROWS,
    assessed: [],
    since: '2026-03-16',
    today: '2026-03-18',
    isSnoozed: false,
    ...change,
  });

describe('a watch of unusual days', () => {
  test('is silent while days are usual', () => {
    const { days, message } = plan({});
    expect(days.map(({ day, judgement }) => [day, judgement])).toEqual([['2026-03-17', 'usual']]);
    expect(message).toBe('none');
  });

  test.each([
    [4, 'high'],
    [0.02, 'low'],
  ])('reports a day with %d times as much', (factor, judgement) => {
    const { days, message } = plan({ rows: withDay(ROWS, '2026-03-17', factor) });
    expect([days[0]?.judgement, message]).toEqual([judgement, 'unusual']);
  });

  test('reports a run of unusual days once, and its end', () => {
    const rows = withDay(ROWS, '2026-03-16', 4);
    const assessed = [assessedDay('2026-03-16', 'high')];
    expect(plan({ rows: withDay(rows, '2026-03-17', 4), assessed }).message).toBe('none');
    expect(plan({ rows, assessed }).message).toBe('back');
  });

  test.each([
    ['high', 0.02, 'unusual'],
    ['high', 4, 'none'],
    ['low', 4, 'unusual'],
    ['low', 0.02, 'none'],
  ] as const)('after a day that was %s, reports one with %d times as much: %s', (before, factor, message) => {
    const rows = withDay(withDay(ROWS, '2026-03-16', before === 'high' ? 4 : 0.02), '2026-03-17', factor);
    expect(plan({ rows, assessed: [assessedDay('2026-03-16', before)] }).message).toBe(message);
  });

  test('reports each change of direction among days that are judged together', () => {
    const rows = withDay(withDay(ROWS, '2026-03-16', 4), '2026-03-17', 0.02);
    const both = plan({ rows, since: '2026-03-15' });
    expect([both.message, both.days.map(({ judgement }) => judgement)]).toEqual(['unusual', ['high', 'low']]);
    const again = plan({
      rows: withDay(ROWS, '2026-03-17', 4),
      since: '2026-03-13',
      assessed: [assessedDay('2026-03-15', 'high')],
    });
    expect([again.message, again.days.map(({ judgement }) => judgement)]).toEqual(['unusual', ['usual', 'high']]);
  });

  test('reports no day before the watch began, and no day while it is snoozed', () => {
    expect(plan({ rows: withDay(ROWS, '2026-03-16', 4) }).message).toBe('none');
    const snoozed = plan({ rows: withDay(ROWS, '2026-03-17', 4), isSnoozed: true });
    expect([snoozed.message, snoozed.days[0]?.judgement]).toEqual(['none', 'high']);
  });

  test('sends one correction for a day that was restated to usual', () => {
    const assessed = [assessedDay('2026-03-16', 'high')];
    expect(plan({ assessed }).corrections.map(({ day }) => day)).toEqual(['2026-03-16']);
    expect(plan({ assessed }).message).toBe('none');
    expect(plan({ assessed: [assessedDay('2026-03-16', 'usual', { deliveryKey: 'k' })] }).corrections).toEqual([]);
  });

  test('leaves expected days out when it computes what is usual', () => {
    const tuesdays = ['2026-02-10', '2026-02-17', '2026-02-24', '2026-03-03', '2026-03-10'];
    const rows = tuesdays.reduce((all, day) => withDay(all, day, 6), ROWS);
    expect(plan({ rows: withDay(rows, '2026-03-17', 6) }).message).toBe('none');
    const assessed = tuesdays.map((day) => assessedDay(day, 'high', { isExpected: 1 }));
    const { days } = plan({ rows: withDay(rows, '2026-03-17', 6), assessed });
    expect(days.at(-1)?.judgement).toBe('high');
  });

  test('reports once that there is too little history, and is silent then', () => {
    const rows = usual('2026-03-10', '2026-03-17');
    expect(plan({ rows }).message).toBe('too_little');
    expect(plan({ rows, assessed: [assessedDay('2026-03-16', 'unknown')] }).message).toBe('none');
  });
});

describe('the note about a correction', () => {
  const note = { messageKey: 'k', about: '@web-team', day: '2026-03-16', before: admittedAmount.parse(9_000) };

  test('blames the platform if the day has another amount', () => {
    const { text } = noteMessage({ ...note, amount: admittedAmount.parse(1_000) });
    expect(mrkdwnOf(text)).toContain('The platform revised Mon 16 Mar: 1 K instead of 9 K credits');
  });

  test('blames the platform for nothing if the day is unchanged and only other days changed', () => {
    const { text } = noteMessage({ ...note, amount: admittedAmount.parse(9_000) });
    expect(mrkdwnOf(text)).not.toContain('platform');
    expect(mrkdwnOf(text)).toContain('because earlier days were revised: 9 K credits.');
  });
});
