import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Part } from '../../../src/core/analytics/day-facts.ts';
import type { Person } from '../../../src/core/slack/people/people.ts';
import type { Role } from '../../../src/core/base/roles.ts';
import { choosePeriod, daysToReadOf, settlePeriod } from '../../../src/core/analytics/period.ts';
import {
  decideAccess,
  decideAvailability,
  parseUsage,
  VIEWS,
  wordsOf,
  type RequestedSubject,
  type UsageViewName,
} from '../../../src/features/usage/usage-command.ts';

const NOW = new Date('2026-03-04T09:00:00Z');
const parse = (text: string) => parseUsage(text.split(' ').filter(Boolean), NOW);

test.each([
  ['02/01 me', 'Type jan 2 or feb 1.'],
  ['models last few days', 'Type 3d or 7d.'],
])('“%s” has a period of two meanings, so both are named', (text, sentence) => {
  expect(parse(text)).toMatchObject({ kind: 'misunderstood', sentence: expect.stringContaining(sentence) });
});

describe('a view that exists for the whole organization only', () => {
  test.each([
    ['tools <@U1>', 'tools'],
    ['models me', 'models'],
    ['me csv tools', 'tools'],
    ['moved <!subteam^S1>', 'moved', 'a team'],
    ['activity mia@acme.example', 'activity'],
    ['productivity me 28d', 'productivity'],
  ])(
    'is refused for a person or a team with the available views if “%s” is typed',
    (text, view, whom = 'one person') => {
      const parsed = parse(text);
      expect(parsed.kind === 'run' && decideAvailability(parsed.request)).toEqual({
        allowed: false,
        why: `The ${view} view isn’t available for ${whom}, only for the whole organization. Try summary, credits or people.`,
      });
    },
  );

  test.each(['tools', 'moved csv', 'me', 'credits <@U1>', 'people <!subteam^S1> csv'])(
    'is not requested by “%s”',
    (text) => {
      const parsed = parse(text);
      expect(parsed.kind === 'run' && decideAvailability(parsed.request)).toEqual({ allowed: true });
    },
  );
});

describe('the words after /usage', () => {
  test.each([
    ['', { kind: 'default' }, '2026-02-25', '2026-03-03'],
    ['summary', { kind: 'default' }, '2026-02-25', '2026-03-03'],
    ['me last week', { kind: 'me' }, '2026-02-23', '2026-03-01'],
    ['summary 28d <@U1>', { kind: 'person', slackId: 'U1' }, '2026-02-04', '2026-03-03'],
    ['<!subteam^S1> yesterday', { kind: 'group', slackId: 'S1' }, '2026-03-03', '2026-03-03'],
    ['Mia@Acme.example', { kind: 'email', email: 'mia@acme.example' }, '2026-02-25', '2026-03-03'],
  ])('are parsed: “%s”', (text, subject, first, last) => {
    expect(parse(text)).toMatchObject({ kind: 'run', request: { view: 'summary', subject, period: { first, last } } });
  });

  test.each(VIEWS)('“%s 28d csv” is a view as a file', (view) => {
    expect(parse(`${view} 28d csv`)).toMatchObject({ kind: 'run', request: { view, isCsv: true } });
  });

  test.each([
    ['people credits', 'Only one view'],
    ['7d 28d', 'Only one period'],
    ['<@U1> <@U2>', 'Only one person'],
  ])('“%s” are too many words', (text, sentence) => {
    expect(parse(text)).toMatchObject({ kind: 'misunderstood', sentence: expect.stringContaining(sentence) });
  });

  test('on a button request the same again', () => {
    const views = fc.constantFrom(...VIEWS);
    const subjects = fc.constantFrom<RequestedSubject>(
      { kind: 'default' },
      { kind: 'me' },
      { kind: 'person', slackId: 'U1' },
      { kind: 'group', slackId: 'S1' },
      { kind: 'email', email: 'a.b+c@acme.example' },
    );
    const periods = fc.constantFrom('7d', '28d', 'yesterday', 'last week', 'mtd', '2026-02-01..2026-02-05');
    fc.assert(
      fc.property(
        views,
        subjects,
        periods,
        fc.nat({ max: 5000 }),
        fc.boolean(),
        (view, subject, period, offset, isMore) => {
          const parsed = parse(period);
          if (parsed.kind !== 'run') throw new Error(period);
          const request = { ...parsed.request, view, subject, offset, isMore };
          const again = parse(wordsOf(request));
          const shown = parse(wordsOf(request, { first: '2026-02-01', last: '2026-02-03' }));
          const { first, last, unit } = request.period;
          expect(again).toMatchObject({
            kind: 'run',
            request: { view, subject, offset, isMore, period: { first, last } },
          });
          expect(shown).toMatchObject({ request: { period: { first: '2026-02-01', last: '2026-02-03' } } });
          // The period of comparison of a month differs from that of a number of days.
          for (const one of [again, shown]) expect(one.kind === 'run' && one.request.period.unit).toBe(unit);
        },
      ),
    );
  });

  test.each([
    ['sumary', 'summary'],
    ['ocotber', 'october'],
    ['wensday', 'wednesday'],
    ['yesteday me', 'yesterday me'],
    ['last weak', 'last week'],
    ['me 7d summry', 'me 7d summary'],
  ])('“%s” were meant as “%s”', (text, corrected) => {
    expect(parse(text)).toMatchObject({ kind: 'misunderstood', corrected });
  });

  test('cannot name a channel as a person', () => {
    expect(parse('<#C1>')).toMatchObject({ kind: 'misunderstood' });
  });
});

describe('the right to see figures', () => {
  const person = (role: Role): Person => ({
    slackId: 'U1',
    name: 'Mia',
    email: 'mia@acme.example',
    timeZone: 'UTC',
    role,
    seesPeople: role !== 'member',
  });
  const mayAsk = (role: Role, subject: RequestedSubject, view: UsageViewName = 'summary') =>
    decideAccess(person(role), { view, subject });
  const own: RequestedSubject[] = [
    { kind: 'default' },
    { kind: 'me' },
    { kind: 'person', slackId: 'U1' },
    { kind: 'email', email: 'mia@acme.example' },
  ];
  const others: RequestedSubject[] = [
    { kind: 'person', slackId: 'U2' },
    { kind: 'group', slackId: 'S1' },
    { kind: 'email', email: 'max@acme.example' },
  ];

  test.each(['member', 'manager', 'admin'] as const)('lets a %s see their own', (role) => {
    expect(own.every((subject) => mayAsk(role, subject).allowed)).toBe(true);
  });

  test('covers the organization for all users, in every view except by person', () => {
    const allowed = VIEWS.filter((view) => mayAsk('member', { kind: 'default' }, view).allowed);
    expect(allowed).toEqual(VIEWS.filter((view) => view !== 'people' && view !== 'teams'));
    expect(VIEWS.every((view) => mayAsk('manager', { kind: 'default' }, view).allowed)).toBe(true);
  });

  test('covers other people for managers and admins', () => {
    expect(others.map((subject) => mayAsk('member', subject).allowed)).toEqual([false, false, false]);
    expect(others.every((subject) => mayAsk('manager', subject).allowed)).toBe(true);
    expect(others.every((subject) => mayAsk('admin', subject).allowed)).toBe(true);
  });
});

describe('the days that are read and shown', () => {
  const sevenDays = { first: '2026-02-25', last: '2026-03-03', label: 'the last 7 days', lastDays: 7 };
  const TODAY = '2026-03-04';
  const published = (date: string): Part<{ date: string }> => ({
    kind: 'read',
    rows: [{ date }],
    readAt: NOW,
  });

  test('include the comparison and the room for a shift in one reading', () => {
    expect(daysToReadOf(sevenDays, sevenDays, TODAY, false)).toEqual({ first: '2026-02-16', last: '2026-03-03' });
  });

  test('start at 2026-01-14, and no comparison is made before it', () => {
    const early = { first: '2026-01-14', last: '2026-01-20', label: 'x', lastDays: 7 };
    expect(daysToReadOf(early, early, TODAY, false)).toEqual({ first: '2026-01-14', last: '2026-01-20' });
    expect(settlePeriod(early, early, published('2026-01-20'), TODAY).notes[0]).toMatch(/^Not compared/);
  });

  test('end with the last published one, if that is near', () => {
    expect(settlePeriod(sevenDays, sevenDays, published('2026-03-02'), TODAY).period).toEqual({
      first: '2026-02-24',
      last: '2026-03-02',
    });
    expect(settlePeriod(sevenDays, sevenDays, published('2026-02-26'), TODAY).period).toEqual(sevenDays);
    const { lastDays: _, ...named } = sevenDays;
    expect(settlePeriod(named, named, published('2026-03-02'), TODAY).period).toEqual(named);
  });

  test('without any possible figures are refused with the reason', () => {
    expect(choosePeriod({ first: '2025-01-01', last: '2025-01-02', label: 'then' }, '2026-03-04')).toMatchObject({
      kind: 'none',
    });
    expect(choosePeriod({ first: '2026-03-04', last: '2026-03-04', label: 'today' }, '2026-03-04')).toMatchObject({
      kind: 'none',
    });
  });
});
