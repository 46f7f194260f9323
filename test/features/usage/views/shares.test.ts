import { describe, expect, test } from 'vitest';
import type { Part } from '../../../../src/core/analytics/day-facts.ts';
import { PlatformError } from '../../../../src/core/platform/errors.ts';
import { shareLines } from '../../../../src/core/figures/measures/breakdown.ts';
import { buildCreditsReport } from '../../../../src/features/usage/reports/totals-report.ts';
import { buildGroupReport } from '../../../../src/features/usage/reports/group-report.ts';
import { mostCreditsFirst } from '../../../../src/core/analytics/person-credits.ts';
import { createPeopleFold } from '../../../../src/core/figures/measures/people-fold.ts';
import { buildProductivityReport } from '../../../../src/features/usage/reports/productivity-report.ts';
import { sourceOf, sourceWords } from '../../../../src/core/figures/measures/figures.ts';
import { sceneOf, sum } from './generated.ts';
import { NAMING } from '../../../support/slack/readers.ts';

const scene = sceneOf({ seed: 9, size: 12, period: { first: '2026-03-02', last: '2026-03-05' } });
const only = <Row extends { date: string }>(part: Part<Row>, days: readonly string[]): Part<Row> =>
  part.kind === 'read' ? { ...part, rows: part.rows.filter(({ date }) => days.includes(date)) } : part;
const leaves = (days: readonly string[]) =>
  scene.leaves(scene.scope.period).flatMap(({ day, people }) => (days.includes(day) ? people : []));

describe('a ratio of two parts', () => {
  const both = ['2026-03-03', '2026-03-04'];
  const used = sum(leaves(both).flatMap(({ models }) => models.map(({ billable }) => billable)));

  test('covers the days that both parts have', () => {
    const productivity = only(scene.facts.productivity, ['2026-03-02', ...both]);
    const credits = only(scene.facts.credits, [...both, '2026-03-05']);
    const commits = sum(leaves(both).map((leaf) => leaf.commits));
    const report = buildProductivityReport({ productivity, sums: credits }, scene.scope);
    expect(report.creditsPerCommit).toEqual({ kind: 'known', value: used / commits });
    const activity = only(scene.facts.activity, ['2026-03-02', ...both]);
    const active = buildCreditsReport({ credits, activity }, scene.scope).perActivePersonDay;
    expect(active).toEqual({ kind: 'known', value: used / leaves(both).length });
  });
});

describe('a share line', () => {
  const items = ['a', 'b', 'c', 'd'].map((name, index) => ({ name, value: 40 - 10 * index }));

  test('adds up the remaining parts, and nothing is lost', () => {
    expect(shareLines(items, 2, 'other model')).toEqual(['a: 40 (40%)', 'b: 30 (30%)', '2 other models: 30 (30%)']);
  });

  test('shows a tiny part in credits, not in percent', () => {
    const models = [
      { name: 'large', value: 1_000_000, before: 800_000 },
      { name: 'tiny', value: 300, before: 100 },
    ];
    expect(shareLines(models, 5, 'other model')).toEqual(['large: 1 M (>99%, up 25%)', 'tiny: 300 (<1%, was 100)']);
  });

  test('names a single remaining part', () => {
    expect(shareLines(items, 3, 'other model').at(-1)).toBe('d: 10 (10%)');
  });
});

describe('the report of a team', () => {
  test('leaves out people that were not requested, even if they were folded', () => {
    const fold = createPeopleFold();
    for (const row of scene.users) fold.add(row);
    const people = mostCreditsFirst(fold.people());
    const [first] = people;
    const report = buildGroupReport(
      {
        organization: scene.facts.credits,
        spend: { days: scene.days, people: [], creditsOn: () => 0 },
        totals: { days: scene.days, people, activeDays: 1 },
      },
      { ...scene.scope, label: 'x', emails: [first?.key ?? ''], kind: 'person', naming: NAMING },
    );
    expect(report.people).toEqual({ kind: 'known', value: [first] });
  });
});

describe('the source of a view', () => {
  const part = (days: readonly string[], readAt: string): Part<{ date: string }> => ({
    kind: 'read',
    rows: days.map((date) => ({ date })),
    readAt: new Date(readAt),
  });
  const scope = { period: { first: '2026-03-02', last: '2026-03-04' }, comparedWith: undefined, today: '2026-03-05' };
  const whole = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'];

  test('names the oldest reading, the least of the cache, and the days that all parts have', () => {
    const source = sourceOf(
      [
        part(whole, '2026-03-05T09:00:00Z'),
        part(whole.slice(0, 3), '2026-03-05T08:00:00Z'),
        { kind: 'unreadable', fault: new PlatformError({ code: 'timeout', method: 'GET', path: '/x', detail: 'x' }) },
      ],
      scope,
    );
    expect(source.days.map(({ state }) => state)).toEqual(['settled', 'fresh', 'unpublished']);
    expect(sourceWords(source).text).toBe(
      '2–4 Mar, UTC days; 1 day final, 1 may still change, 1 not published; read 2026-03-05 08:00 UTC.',
    );
  });

  test('omits the time of the reading if no part could be read', () => {
    expect(sourceWords(sourceOf([], scope)).text).toBe('2–4 Mar, UTC days; 3 days not published.');
  });
});
