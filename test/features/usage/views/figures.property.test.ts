import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DELEGATION_LEVELS,
  EXTENSIONS,
  HOOKS,
  MODELS,
  SERVERS,
  SKILLS,
  SLASH_COMMANDS,
  TOOLS,
} from '../../../../src/sandbox/platform/model/catalogue.ts';
import type { PersonDay } from '../../../../src/sandbox/platform/model/person-day.ts';
import { daysOf } from '../../../../src/core/base/time/calendar.ts';
import { buildActivityReport, buildCreditsReport } from '../../../../src/features/usage/reports/totals-report.ts';
import type { Autonomy } from '../../../../src/core/figures/measures/autonomy.ts';
import type { NamedFigure } from '../../../../src/core/figures/measures/breakdown.ts';
import type { Measurement } from '../../../../src/core/figures/measures/figures.ts';
import { buildModelsReport } from '../../../../src/features/usage/reports/models-report.ts';
import { buildProductivityReport } from '../../../../src/features/usage/reports/productivity-report.ts';
import { buildToolsReport } from '../../../../src/features/usage/reports/tools-report.ts';
import { propertyRuns } from '../../../support/property-runs.ts';
import { ARTIFACT_CALLS, sceneOf, scenes, sum, tally, type Scene } from './generated.ts';

/** The expected figure, from the leaves of the generator. */
function expected(scene: Scene, measure: (leaf: PersonDay) => number) {
  const { period, comparedWith } = scene.scope;
  const total = (of: typeof period) => sum(scene.leaves(of).flatMap(({ people }) => people.map(measure)));
  if (scene.leaves(period).length === 0) return { kind: 'unpublished' };
  const isFair =
    comparedWith && [...daysOf(comparedWith), ...daysOf(period)].every((day) => scene.published.includes(day));
  return { kind: 'known', value: { value: total(period), ...(isFair ? { before: total(comparedWith) } : {}) } };
}

function expectedTally(scene: Scene, pairs: (leaf: PersonDay) => (readonly [string, number])[]) {
  return tally(scene.leaves(scene.scope.period).flatMap(({ people }) => people.flatMap(pairs)));
}

const values = (items: readonly NamedFigure[]) => tally(items.map(({ name, value }) => [name, value]));
const valueOf = <Value>(known: Measurement<Value>) => (known.kind === 'known' ? known.value : undefined);
const credits = (leaf: PersonDay) => sum(leaf.models.map((use) => use.billable));
const calls = (leaf: PersonDay) => sum(leaf.tools);
const byModel = (measure: (use: PersonDay['models'][number]) => number) => (leaf: PersonDay) =>
  leaf.models.map((use) => [MODELS[use.model]?.id ?? '', measure(use)] as const);
const onDays = (scene: Scene, measure: (people: readonly PersonDay[]) => number) =>
  scene.leaves(scene.scope.period).map(({ people }) => measure(people));

const checks: Record<string, (scene: Scene) => void> = {
  credits: (scene) => {
    const report = buildCreditsReport(scene.facts, scene.scope);
    const use = (measure: (use: PersonDay['models'][number]) => number) => (leaf: PersonDay) =>
      sum(leaf.models.map(measure));
    expect(report.credits).toEqual(expected(scene, credits));
    expect(report.input).toEqual(
      expected(
        scene,
        use(({ input }) => input),
      ),
    );
    expect(report.output).toEqual(
      expected(
        scene,
        use(({ output }) => output),
      ),
    );
    expect(report.cacheRead).toEqual(
      expected(
        scene,
        use(({ cacheRead }) => cacheRead),
      ),
    );
    expect(report.cacheWrite).toEqual(
      expected(
        scene,
        use(({ cacheWrite }) => cacheWrite),
      ),
    );
    expect(values(report.models)).toEqual(
      expectedTally(
        scene,
        byModel(({ billable }) => billable),
      ),
    );
    expect(values(report.tiers)).toEqual(
      expectedTally(scene, (leaf) => leaf.models.map(({ model, billable }) => [MODELS[model]?.tier ?? '', billable])),
    );
    expect(report.days.map(({ day, row }) => [day, row?.billable_tokens])).toEqual(
      daysOf(scene.scope.period).map((day) => {
        const [found] = scene.leaves({ first: day, last: day });
        return [day, found && sum(found.people.map(credits))];
      }),
    );
    const input = sum(onDays(scene, (people) => sum(people.map(use((one) => one.input)))));
    const reads = sum(onDays(scene, (people) => sum(people.map(use((one) => one.cacheRead)))));
    expect(valueOf(report.cacheReadsPerInput)).toEqual(input === 0 ? undefined : reads / input);
    const personDays = sum(onDays(scene, (people) => people.length));
    const used = sum(onDays(scene, (people) => sum(people.map(credits))));
    expect(valueOf(report.perActivePersonDay)).toEqual(personDays === 0 ? undefined : used / personDays);
  },
  models: (scene) => {
    const { models } = buildModelsReport(scene.facts, scene.scope);
    expect(values(models)).toEqual(
      expectedTally(
        scene,
        byModel(({ billable }) => billable),
      ),
    );
    const used = models.filter(({ value }) => value > 0);
    expect(tally(used.map(({ name, tokens }) => [name, tokens?.input ?? 0]))).toEqual(
      expectedTally(
        scene,
        byModel(({ input }) => input),
      ),
    );
    expect(tally(used.map(({ name, tokens }) => [name, tokens?.output ?? 0]))).toEqual(
      expectedTally(
        scene,
        byModel(({ output }) => output),
      ),
    );
    for (const { name, tiers } of used) expect(tiers).toEqual([MODELS.find(({ id }) => id === name)?.tier]);
  },
  activity: (scene) => {
    const report = buildActivityReport(scene.facts, scene.scope);
    expect(report.sessions).toEqual(expected(scene, (leaf) => leaf.sessions));
    expect(report.messages).toEqual(expected(scene, (leaf) => leaf.userMessages + leaf.assistantMessages));
    expect(report.userMessages).toEqual(expected(scene, (leaf) => leaf.userMessages));
    const days = scene.leaves(scene.scope.period);
    const last = days.at(-1)?.day;
    const active = valueOf(report.active);
    expect(active?.day).toBe(last);
    if (!active || last === undefined) return;
    const daily = days.map(({ people }) => people.length);
    expect(active).toMatchObject({
      daily: scene.active(last, 1),
      weekly: scene.active(last, 7),
      monthly: scene.active(last, 30),
      averageDaily: sum(daily) / daily.length,
      peak: { daily: Math.max(...daily) },
    });
    // Both are means over the same days: the monthly people of the last day alone would be those of another time.
    const monthly = sum(days.map(({ day }) => scene.active(day, 30)));
    expect(active.stickiness).toBe(monthly === 0 ? undefined : sum(daily) / monthly);
    const web = report.clients.find(({ client }) => client === 'web');
    const onWeb = days.map(({ people }) => people.filter(({ clients }) => clients.includes(1)).length);
    expect(web).toMatchObject({ averageDaily: sum(onWeb) / onWeb.length, peak: { daily: Math.max(...onWeb) } });
  },
  productivity: (scene) => {
    const report = buildProductivityReport({ ...scene.facts, sums: scene.facts.credits }, scene.scope);
    const operations = (leaf: PersonDay) => sum(leaf.extensions.map(([, count]) => count));
    expect(report.commits).toEqual(expected(scene, (leaf) => leaf.commits));
    expect(report.pullRequests).toEqual(expected(scene, (leaf) => leaf.pullRequests));
    expect(report.filesCreated).toEqual(expected(scene, (leaf) => leaf.filesCreated));
    expect(report.filesEdited).toEqual(expected(scene, (leaf) => operations(leaf) - leaf.filesCreated));
    expect(values(report.languages)).toEqual(
      expectedTally(scene, (leaf) =>
        leaf.extensions.map(([index, count]) => [EXTENSIONS[index]?.language ?? '', count]),
      ),
    );
    expect(values(report.extensions)).toEqual(
      expectedTally(scene, (leaf) =>
        leaf.extensions.map(([index, count]) => [EXTENSIONS[index]?.extension ?? '', count]),
      ),
    );
    const used = sum(onDays(scene, (people) => sum(people.map(credits))));
    const pullRequests = sum(onDays(scene, (people) => sum(people.map((leaf) => leaf.pullRequests))));
    expect(valueOf(report.creditsPerPullRequest)).toBe(pullRequests === 0 ? undefined : used / pullRequests);
    const commits = sum(onDays(scene, (people) => sum(people.map((leaf) => leaf.commits))));
    expect(valueOf(report.creditsPerCommit)).toBe(commits === 0 ? undefined : used / commits);
  },
  tools: (scene) => {
    const report = buildToolsReport(scene.facts, scene.scope);
    const published = scene.leaves(scene.scope.period).length;
    const allCalls = sum(onDays(scene, (people) => sum(people.map(calls))));
    expect(valueOf(report.calls)?.value).toBe(published === 0 ? undefined : allCalls + published * ARTIFACT_CALLS);
    const byTool = expectedTally(scene, (leaf) => [
      ...leaf.tools.map((count, index) => [TOOLS[index]?.[0] ?? '', count] as const),
      ...(leaf.artifact === undefined
        ? []
        : ([
            ['Read', -1],
            ['other', 1],
          ] as const)),
    ]);
    expect(values(report.tools)).toEqual(tally([...Object.entries(byTool), ['other', published * ARTIFACT_CALLS]]));
    const lower = (pairs: Iterable<readonly [string, number]>) =>
      tally([...pairs].map(([name, count]) => [name.toLowerCase(), count]));
    expect(lower(Object.entries(values(report.servers)))).toEqual(
      lower(
        Object.entries(
          expectedTally(scene, (leaf) => leaf.servers.map(([index, count]) => [SERVERS[index] ?? '', count])),
        ),
      ),
    );
    expect(new Set(report.servers.map(({ name }) => name.toLowerCase())).size).toBe(report.servers.length);
    const column = (names: readonly string[], counts: (leaf: PersonDay) => readonly number[]) =>
      expectedTally(scene, (leaf) => counts(leaf).map((count, index) => [names[index] ?? '', count]));
    expect(values(report.skills)).toEqual(column(SKILLS, (leaf) => leaf.skills));
    expect(values(report.commands)).toEqual(column(SLASH_COMMANDS, (leaf) => leaf.commands));
    const hooks = HOOKS.map(({ event, matcher }) => (matcher ? `${event} (${matcher})` : event));
    expect(values(report.hooks)).toEqual(column(hooks, (leaf) => leaf.hooks));
    expect(valueOf(report.hookRuns)?.value).toBe(
      published === 0 ? undefined : sum(Object.values(column(hooks, (leaf) => leaf.hooks))),
    );
    const withServers = onDays(
      scene,
      (people) => people.filter(({ servers }) => servers.some(([, count]) => count > 0)).length,
    );
    expect(valueOf(report.serverUsers)?.peak.daily).toBe(published === 0 ? undefined : Math.max(...withServers));
    expect(valueOf(report.serverUsers)?.averageDaily).toBe(published === 0 ? undefined : sum(withServers) / published);
    expectAutonomy(scene, valueOf(report.autonomy));
  },
};

/** The platform rounds ratios to two decimals. */
const ROUNDED = 0.0051;

function expectAutonomy(scene: Scene, autonomy: Autonomy | undefined): void {
  const days = scene.leaves(scene.scope.period).map(({ people }) => people);
  const worked = days.filter((people) => people.length > 0);
  const leaves = worked.flat();
  if (leaves.length === 0) return expect(autonomy?.callsPerTurn).toBeUndefined();
  const average = (value: number, by: (leaf: PersonDay) => number) =>
    sum(leaves.map(value === 0 ? calls : (leaf) => leaf.userMessages)) / sum(leaves.map(by));
  const near = (told: { value: number } | undefined, value: number) =>
    expect(Math.abs((told?.value ?? Number.NaN) - value)).toBeLessThan(ROUNDED);
  near(
    autonomy?.callsPerTurn,
    average(0, (leaf) => leaf.userMessages),
  );
  near(
    autonomy?.callsPerSession,
    average(0, (leaf) => leaf.sessions),
  );
  near(
    autonomy?.turnsPerSession,
    average(1, (leaf) => leaf.sessions),
  );
  const percentile = (part: number) => {
    const ofDays = worked.map((people) => {
      const ratios = people.map((leaf) => calls(leaf) / leaf.userMessages).toSorted((a, b) => a - b);
      return Math.round((ratios[Math.floor(ratios.length * part)] ?? 0) * 100) / 100;
    });
    return { low: Math.min(...ofDays), high: Math.max(...ofDays) };
  };
  expect(autonomy?.median).toEqual(percentile(0.5));
  expect(autonomy?.ninetieth).toEqual(percentile(0.9));
  const told = days.map((people) => sum(people.map(calls)) + ARTIFACT_CALLS);
  const parts = tally(
    days.flatMap((people, day) =>
      people.map((leaf): [string, number] => [
        DELEGATION_LEVELS[leaf.delegation]?.autonomy ?? '',
        ((calls(leaf) / Math.max(1, sum(people.map(calls)))) * (told[day] ?? 0)) / sum(told),
      ]),
    ),
  );
  expect(autonomy?.levels.length).toBe(Object.keys(parts).length);
  for (const { level, part } of autonomy?.levels ?? []) expect(part).toBeCloseTo(parts[level] ?? 0, 9);
}

const large = sceneOf({ seed: 7, size: 2_000, period: { first: '2026-02-27', last: '2026-03-02' } });

describe.each(Object.entries(checks))('every figure of the view %s', (_, check) => {
  test('follows from the activity of people on the published days', () => {
    fc.assert(fc.property(scenes(24), check), { numRuns: propertyRuns(25) });
  });

  test('holds for an organization of 2,000 and over the end of a month', () => {
    expect(() => check(large)).not.toThrow();
  });

  test('holds on the first day of data', () => {
    const first = sceneOf({ seed: 3, size: 30, period: { first: '2026-01-14', last: '2026-01-14' } });
    expect(() => check(first)).not.toThrow();
  });
});
