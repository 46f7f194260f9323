import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PlatformError } from '../../src/platform/errors.ts';
import { checkBlocks } from '../../src/slack/block-rules/index.ts';
import { daysOf, plusDays, type Period } from '../../src/slack/periods.ts';
import { pointsOf } from '../../src/usage/by-day.ts';
import { dayStateOf } from '../../src/analytics/day-state.ts';
import type { OrganizationFacts } from '../../src/usage/facts.ts';
import { creditsOfPeople } from '../../src/analytics/person-credits.ts';
import { buildSummary } from '../../src/usage/report.ts';
import { creditsHeadline } from '../../src/usage/sentences.ts';
import { summaryMessage } from '../../src/usage/summary-blocks.ts';

const READ_AT = new Date('2026-03-10T09:00:00Z');
const WEEK: Period = { first: '2026-03-02', last: '2026-03-08' };
const BEFORE: Period = { first: '2026-02-23', last: '2026-03-01' };
const broken = new PlatformError({ code: 'server_error', method: 'GET', path: '/x', detail: 'x' });

/** What happened on one day; `undefined`: the day is not published. */
type Day = { models: Record<string, number>; daily: number; sessions: number; commits: number } | undefined;

const amount = fc.integer({ min: 0, max: 1_000_000 });
const day: fc.Arbitrary<Day> = fc.option(
  fc.record({
    models: fc.dictionary(fc.constantFrom('atlas', 'boreal', 'cirrus', '<!channel>'), amount, { maxKeys: 3 }),
    daily: fc.integer({ min: 1, max: 500 }),
    sessions: amount,
    commits: amount,
  }),
  { nil: undefined, freq: 5 },
);
const fortnight = fc.array(day, { minLength: 14, maxLength: 14 });

function factsOf(days: readonly Day[]): OrganizationFacts {
  const dated = days.flatMap((what, index) => (what ? [{ date: plusDays(BEFORE.first, index), ...what }] : []));
  return {
    readAt: READ_AT,
    credits: {
      kind: 'read',
      rows: dated.flatMap(({ date, models }) =>
        Object.entries(models).map(([group_key, billable_tokens]) => ({
          date,
          group_key,
          billable_tokens,
          input_tokens: 0,
          output_tokens: 0,
        })),
      ),
    },
    activity: {
      kind: 'read',
      rows: dated.map(({ date, daily, sessions, models }) => ({
        date,
        // The platform has no row by model for a day on which nobody used one.
        daily_active_users: Object.keys(models).length === 0 ? 0 : daily,
        weekly_active_users: 500,
        monthly_active_users: 600,
        daily_active_users_by_client: {},
        sessions,
        messages: sessions * 2,
        user_messages: sessions,
      })),
    },
    productivity: {
      kind: 'read',
      rows: dated.map(({ date, commits }) => ({
        date,
        files_created: 1,
        files_edited: 2,
        by_extension: [],
        by_language: [],
        git_commits: commits,
        git_prs_created: 3,
      })),
    },
  };
}

const creditsOf = (what: Day) => Object.values(what?.models ?? {}).reduce((sum, credits) => sum + credits, 0);

describe('the summary of a period', () => {
  test('adds up what was published, and nothing else', () => {
    fc.assert(
      fc.property(fortnight, (days) => {
        const report = buildSummary(factsOf(days), WEEK, BEFORE, undefined);
        const week = days.slice(7);
        const isPublished = week.some((what) => what !== undefined);
        const expected = week.reduce((sum, what) => sum + creditsOf(what), 0);
        expect(report.credits.kind).toBe(isPublished ? 'known' : 'unpublished');
        expect(report.credits.kind === 'known' ? report.credits.value.value : expected).toBe(expected);
        expect(report.models.reduce((sum, model) => sum + model.credits, 0)).toBe(expected);
        expect(report.days.map((one) => one.credits)).toEqual(week.map((what) => (what ? creditsOf(what) : undefined)));
      }),
    );
  });

  test('is compared only where every day of both periods is published', () => {
    fc.assert(
      fc.property(fortnight, (days) => {
        const report = buildSummary(factsOf(days), WEEK, BEFORE, undefined);
        const isWhole = days.every((what) => what !== undefined);
        const before = days.slice(0, 7).reduce((sum, what) => sum + creditsOf(what), 0);
        const known = report.credits.kind === 'known' ? report.credits.value.before : undefined;
        expect(known).toBe(isWhole ? before : undefined);
      }),
    );
  });

  test('never adds active people of several days', () => {
    fc.assert(
      fc.property(fortnight, (days) => {
        const facts = factsOf(days);
        const report = buildSummary(facts, WEEK, BEFORE, undefined);
        const daily = facts.activity.kind === 'read' ? facts.activity.rows : [];
        const within = daily.filter((row) => row.date >= WEEK.first).map((row) => row.daily_active_users);
        const active = report.active.kind === 'known' ? report.active.value : undefined;
        expect(active?.daily).toBe(within.at(-1));
        expect(active?.peak.daily).toBe(within.length === 0 ? undefined : Math.max(...within));
      }),
    );
  });

  test('becomes a message that Slack takes, whatever the models and people are called', () => {
    fc.assert(
      fc.property(
        fortnight,
        fc.array(fc.tuple(fc.string({ unit: 'binary' }), amount), { maxLength: 300 }),
        (days, people) => {
          const by_user = people.map(([name, billable_tokens], index) => ({
            user_id: `u${index}`,
            user_email: name,
            billable_tokens,
            by_model: [],
          }));
          const row = {
            date: WEEK.first,
            billable_tokens: 0,
            input_tokens: 0,
            output_tokens: 0,
            cache_read_tokens: 0,
            cache_write_tokens: 0,
            by_model: [],
            by_user,
          };
          const report = buildSummary(factsOf(days), WEEK, BEFORE, { kind: 'read', rows: [row] });
          const made = summaryMessage({ report, notes: [], faults: [] }, '{}');
          expect(checkBlocks(made.blocks, 'message')).toEqual([]);
          expect(made.text).not.toMatch(/<[!@#]/);
        },
      ),
    );
  });

  test('a part that could not be read is neither zero nor unpublished', () => {
    const facts: OrganizationFacts = { ...factsOf([]), productivity: { kind: 'unreadable', fault: broken } };
    const report = buildSummary(facts, WEEK, BEFORE, undefined);
    expect(report.commits).toEqual({ kind: 'unreadable' });
    expect(report.sessions).toEqual({ kind: 'unpublished' });
    expect(report.faults).toEqual([{ part: 'productivity', fault: broken }]);
  });

  test('a published day on which nobody was active is zero', () => {
    const quiet: Day = { models: {}, daily: 0, sessions: 0, commits: 0 };
    const report = buildSummary(factsOf(Array.from({ length: 14 }, () => quiet)), WEEK, BEFORE, undefined);
    expect(report.credits).toEqual({ kind: 'known', value: { value: 0, before: 0 } });
    expect(creditsHeadline(report.credits, BEFORE)).toBe('0 Standard Credits, none either in 23 Feb – 1 Mar 2026');
  });
});

describe('the state of a day', () => {
  test.each([
    ['2026-03-10', false, 'open'],
    ['2026-03-09', false, 'unpublished'],
    ['2026-03-09', true, 'fresh'],
    ['2026-03-08', true, 'fresh'],
    ['2026-03-07', true, 'settled'],
    ['2026-02-01', false, 'unpublished'],
  ] as const)('%s, published %s, is %s on 2026-03-10', (day, isPublished, state) => {
    expect(dayStateOf(day, isPublished, '2026-03-10')).toBe(state);
  });
});

describe('the same person under an e-mail in other letter case', () => {
  test('is one person, and nobody is lost', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('mia@acme.example', 'Mia@Acme.Example', 'max@acme.example', null), amount)),
        (entries) => {
          const by_user = entries.map(([user_email, billable_tokens], index) => ({
            user_id: `u${index}`,
            user_email,
            billable_tokens,
            by_model: [],
          }));
          const rows = [
            {
              date: WEEK.first,
              billable_tokens: 0,
              input_tokens: 0,
              output_tokens: 0,
              cache_read_tokens: 0,
              cache_write_tokens: 0,
              by_model: [],
              by_user,
            },
          ];
          const people = creditsOfPeople(rows);
          const total = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0);
          expect(total(people.map((person) => person.credits))).toBe(total(entries.map(([, credits]) => credits)));
          expect(new Set(people.map((person) => person.key)).size).toBe(people.length);
          expect(
            people.filter((person) => person.email?.toLowerCase() === 'mia@acme.example').length,
          ).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});

describe('the points of the chart', () => {
  test('are days up to twenty, then weeks; nothing is lost but what is said to be left out', () => {
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 200 }), (credits) => {
        const days = daysOf({ first: '2026-01-14', last: plusDays('2026-01-14', credits.length - 1) });
        const { unit, points, leftOut } = pointsOf(
          days.map((one, index) => ({ day: one, state: 'settled', credits: credits[index] ?? 0 })),
        );
        expect(points.length).toBeLessThanOrEqual(20);
        expect(unit).toBe(credits.length <= 20 ? 'day' : 'week');
        const drawn = points.reduce((sum, point) => sum + point.credits, 0);
        const all = credits.reduce((sum, value) => sum + value, 0);
        expect(leftOut > 0 ? drawn <= all : drawn === all).toBe(true);
      }),
    );
  });
});
