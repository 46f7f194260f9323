import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PlatformError } from '../../../../src/core/platform/errors.ts';
import { daysOf } from '../../../../src/core/base/time/calendar.ts';
import { type Moves, buildMoves, buildSummaryReport } from '../../../../src/features/usage/reports/summary-report.ts';
import { buildGroupReport } from '../../../../src/features/usage/reports/group-report.ts';
import { groupView } from '../../../../src/features/usage/views/group-view.ts';
import { mostCreditsFirst } from '../../../../src/core/analytics/person-credits.ts';
import { createPeopleFold, type PersonTotals } from '../../../../src/core/figures/measures/people-fold.ts';
import { buildPeopleReport } from '../../../../src/features/usage/reports/people-report.ts';
import { createPeopleSpendFold, type PeopleSpend } from '../../../../src/core/figures/measures/people-spend.ts';
import { peopleView } from '../../../../src/features/usage/views/people-view.ts';
import { keyOf, READ_AT, sceneOf, scenes, sum, tally, type Scene } from './generated.ts';
import { MANAGERS, NAMING } from '../../../support/slack/readers.ts';
import { propertyRuns } from '../../../support/property-runs.ts';
import { creditsColumns } from '../../../support/credits-columns.ts';

const broken = {
  kind: 'unreadable',
  fault: new PlatformError({ code: 'timeout', method: 'GET', path: '/x', detail: 'x' }),
} as const;
const nothing = { notes: [], faults: [] };
/** Readers may see who had no activity, and there is no earlier figure or limit. */
const nobodyKnown = { withRows: [], withLimit: [] };

function spendOf(scene: Scene, isWanted?: (key: string) => boolean) {
  const fold = createPeopleSpendFold(scene.scope.period, scene.scope.comparedWith, isWanted);
  for (const { date, people } of scene.people.toReversed()) fold.add(creditsColumns(date, people));
  return { days: scene.days, people: fold.people(), creditsOn: fold.creditsOn };
}

function totalsOf(scene: Scene, isWanted: (key: string) => boolean = () => true) {
  const fold = createPeopleFold();
  for (const row of scene.users) {
    const { first, last } = scene.scope.period;
    const key = row.user_email?.toLowerCase() ?? `id:${row.user_id}`;
    if (row.date >= first && row.date <= last && isWanted(key)) fold.add(row);
  }
  return { days: scene.days, people: mostCreditsFirst(fold.people()), activeDays: fold.activeDays() };
}

/** Credits of each person, from the leaves. */
function expectedCredits(scene: Scene, period = scene.scope.period) {
  return tally(
    scene
      .leaves(period)
      .flatMap(({ people }) =>
        people.map((leaf): [string, number] => [keyOf(leaf), sum(leaf.models.map((use) => use.billable))]),
      ),
  );
}

const valueOf = <Value>(known: { kind: 'known'; value: Value } | { kind: string } | undefined) =>
  known && 'value' in known ? known.value : undefined;
const changes = (moves: Moves | undefined) => sum((moves?.moves ?? []).map(({ value, before }) => value - before));
const creditsByKey = (people: PeopleSpend['people']) => tally(people.map(({ key, credits }) => [key, credits]));

describe('the credits of people', () => {
  test('are those of the published days, one person for each e-mail in any letter case', () => {
    fc.assert(
      fc.property(scenes(20), (scene) => {
        const { people, creditsOn } = spendOf(scene);
        expect(creditsByKey(people)).toEqual(expectedCredits(scene));
        const { comparedWith, period } = scene.scope;
        const before = comparedWith ? expectedCredits(scene, comparedWith) : {};
        expect(tally(people.map((person) => [person.key, person.before]))).toEqual(before);
        for (const day of daysOf(period))
          expect(creditsOn(day)).toBe(sum(Object.values(expectedCredits(scene, { first: day, last: day }))));
      }),
      { numRuns: propertyRuns(25) },
    );
  });
});

describe('the view of all people', () => {
  test('has the figures of every person, and loses none between its pages', () => {
    fc.assert(
      fc.property(scenes(12), (scene) => {
        const totals = totalsOf(scene);
        const report = buildPeopleReport(totals, scene.scope);
        const known = report.people.kind === 'known' ? report.people.value.people : [];
        expect(tally(known.map(({ key, credits }) => [key, credits]))).toEqual(expectedCredits(scene));
        expect(pagesOf(report, known.length)).toEqual(known.map(({ credits }) => credits));
      }),
      { numRuns: propertyRuns(25) },
    );
  });

  test('pages through 2,000 people, each shown once, and counts the remaining ones', () => {
    const scene = sceneOf({ seed: 5, size: 2_000, period: { first: '2026-03-02', last: '2026-03-02' } });
    const report = buildPeopleReport(totalsOf(scene), scene.scope);
    const people = report.people.kind === 'known' ? report.people.value.people : [];
    expect(pagesOf(report, people.length)).toEqual(people.map(({ credits }) => credits));
    expect(Object.keys(expectedCredits(scene)).length).toBe(people.length);
    const view = peopleView(report, nothing, NAMING);
    expect(view.next).toBeGreaterThan(100);
    expect(view.lines.join('\n')).toMatch(
      /And [\d,]+ more people with [\d.]+(?: [KM])? credits; the CSV lists everyone\./,
    );
  });

  test('shows a person without an e-mail as unknown, by id', () => {
    const report = buildPeopleReport(
      { days: days('2026-03-02'), people: [person({ userId: 'u7', email: undefined })] },
      march2,
    );
    expect(peopleView(report, nothing, NAMING).lines.join('\n')).toContain('unknown e-mail (u7)');
  });

  test('distinguishes unpublished, unreadable and empty days', () => {
    const headlineOf = (facts: Parameters<typeof buildPeopleReport>[0]) =>
      peopleView(buildPeopleReport(facts, march2), nothing, NAMING).lines[0];
    expect(headlineOf({ days: broken, people: [] })).toBe('The people could not be read.');
    expect(headlineOf({ days: days(), people: [] })).toBe('The people of these days are not published yet.');
    expect(headlineOf({ days: days('2026-03-02'), people: [] })).toBe('0 people used 0 credits.');
  });
});

const march2 = { period: { first: '2026-03-02', last: '2026-03-02' }, comparedWith: undefined, today: '2026-03-04' };
const days = (...rows: string[]) => ({ kind: 'read', rows, readAt: READ_AT }) as const;

function person(change: Partial<PersonTotals>): PersonTotals {
  return {
    key: 'mia@acme.example',
    email: 'mia@acme.example',
    userId: 'u1',
    credits: 10,
    sessions: 1,
    messages: 4,
    userMessages: 2,
    toolCalls: 6,
    commits: 0,
    pullRequests: 0,
    filesCreated: 0,
    filesEdited: 0,
    activeDays: 1,
    lastActiveDay: '2026-03-02',
    delegationLevel: 'manual',
    languages: ['Go'],
    ...change,
  };
}

/** The credits of all rows of all pages. */
function pagesOf(report: ReturnType<typeof buildPeopleReport>, most: number): number[] {
  const rows: number[] = [];
  for (let offset: number | undefined = 0; offset !== undefined && offset <= most;) {
    const page: ReturnType<typeof peopleView> = peopleView(report, nothing, NAMING, offset);
    const table = page.blocks.find(({ type }) => type === 'data_table');
    const body = Array.isArray(table?.['rows']) ? table['rows'].slice(1) : [];
    for (const row of body) if (Array.isArray(row)) rows.push(Number(row[1].value));
    offset = page.next;
  }
  return rows;
}

describe('the figures of a team', () => {
  const scopeOf = (scene: Scene, emails: readonly string[]) => ({
    ...scene.scope,
    label: '@web',
    emails,
    kind: 'team' as const,
    naming: NAMING,
  });
  const factsOf = (scene: Scene, emails: readonly string[]) => {
    const wanted = new Set(emails);
    return {
      organization: scene.facts.credits,
      spend: spendOf(scene, (key) => wanted.has(key)),
      totals: totalsOf(scene, (key) => wanted.has(key)),
    };
  };

  test('are those of its people alone', () => {
    fc.assert(
      fc.property(scenes(12), fc.nat(3), (scene, every) => {
        const all = expectedCredits(scene);
        const keys = Object.keys(all).filter((key, index) => !key.startsWith('id:') && index % (every + 1) === 0);
        const report = buildGroupReport(
          { ...factsOf(scene, keys), known: nobodyKnown },
          scopeOf(scene, [...keys, 'nobody@acme.example']),
        );
        const value = report.credits.kind === 'known' ? report.credits.value.value : 0;
        expect(value).toBe(sum(keys.map((key) => all[key] ?? 0)));
        expect(report.withoutFigures.neverUsed).toEqual(['nobody@acme.example']);
        const active = scene
          .leaves(scene.scope.period)
          .filter(({ people }) => people.some((leaf) => keys.includes(keyOf(leaf)))).length;
        expect(report.activeDays.kind === 'known' ? report.activeDays.value : 0).toBe(active);
        expect(sum(report.days.map(({ row }) => row?.billable_tokens ?? 0))).toBe(value);
      }),
      { numRuns: propertyRuns(25) },
    );
  });

  test('name the people without figures, and no names if names are not requested', () => {
    const scene = sceneOf({ seed: 1, size: 5, period: { first: '2026-03-02', last: '2026-03-04' } });
    const emails = ['mia.member@acme.example', 'nobody@acme.example'];
    const facts = { ...factsOf(scene, emails), known: nobodyKnown };
    const named = groupView(buildGroupReport(facts, scopeOf(scene, emails)), nothing);
    expect(named.lines).toContain('Never used: 1 of 2 (nobody@acme.example).');
    expect(named.hasNames).toBe(true);
    const unnamed = groupView(buildGroupReport(facts, { ...scopeOf(scene, emails), naming: undefined }), nothing);
    expect(JSON.stringify(unnamed)).not.toContain('acme.example');
    expect(unnamed.hasNames).toBe(false);
  });

  test('name no people without figures to readers who may not see them, even if names are requested', () => {
    const scene = sceneOf({ seed: 1, size: 5, period: { first: '2026-03-02', last: '2026-03-04' } });
    const emails = ['mia.member@acme.example', 'nobody@acme.example'];
    const report = buildGroupReport(factsOf(scene, emails), scopeOf(scene, emails));
    expect(report.withoutFigures).toEqual({ inactive: [], neverUsed: undefined });
    expect(JSON.stringify(groupView(report, nothing))).not.toContain('nobody');
  });

  test('omit missing people if a part could not be read', () => {
    const scene = sceneOf({ seed: 1, size: 5, period: { first: '2026-03-02', last: '2026-03-04' } });
    const facts = factsOf(scene, ['x@acme.example']);
    const report = buildGroupReport(
      { ...facts, totals: { ...facts.totals, days: broken } },
      scopeOf(scene, ['x@acme.example']),
    );
    expect(report.withoutFigures.inactive).toEqual([]);
    expect(report.people).toEqual({ kind: 'unreadable' });
    expect(report.faults.map(({ part }) => part)).toEqual(['people']);
  });
});

describe('a summary', () => {
  test('has the total of the organization, a member’s own part, and names only for viewers who may see them', () => {
    fc.assert(
      fc.property(scenes(12), fc.boolean(), (scene, withNames) => {
        const email = 'mia.member@acme.example';
        const people = spendOf(scene);
        const readers = withNames ? MANAGERS : ({ kind: 'person', email } as const);
        const report = buildSummaryReport(
          { ...scene.facts, history: scene.facts.credits, people },
          { ...scene.scope, readers },
        );
        const all = expectedCredits(scene);
        const isPublished = scene.leaves(scene.scope.period).length > 0;
        expect(report.credits.kind).toBe(isPublished ? 'known' : 'unpublished');
        expect(valueOf(report.credits)?.value ?? 0).toBe(sum(Object.values(all)));
        const own = isPublished ? { kind: 'known', value: all[email] ?? 0 } : { kind: 'unpublished' };
        expect(report.own).toEqual(withNames ? undefined : own);
        expect(report.people !== undefined).toBe(withNames);
        expect(report.moves.byPerson !== undefined).toBe(withNames);
      }),
      { numRuns: propertyRuns(25) },
    );
  });
});

describe('the list of moves', () => {
  test('by person, model and tool adds up to the change of the total', () => {
    fc.assert(
      fc.property(scenes(14), (scene) => {
        const { credits, tools } = scene.facts;
        const report = buildMoves({ credits, tools, people: spendOf(scene) }, scene.scope, NAMING);
        const { value = 0, before = 0 } = valueOf(report.credits) ?? {};
        for (const moves of [valueOf(report.byModel), valueOf(report.byPerson), valueOf(report.byTool)])
          expect(changes(moves)).toBe((moves?.total.value ?? 0) - (moves?.total.before ?? 0));
        const isComparable = report.byModel.kind === 'known';
        expect(isComparable).toBe(valueOf(report.credits)?.before !== undefined);
        expect(changes(valueOf(report.byModel))).toBe(isComparable ? value - before : 0);
        expect(changes(valueOf(report.byPerson))).toBe(isComparable ? value - before : 0);
      }),
      { numRuns: propertyRuns(25) },
    );
  });
});
