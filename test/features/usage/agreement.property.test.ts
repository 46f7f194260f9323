import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OrganizationFacts } from '../../../src/core/analytics/day-facts.ts';
import {
  organizationCsv,
  CREDITS_CSV,
  MODELS_CSV,
  SUMMARY_CSV,
} from '../../../src/features/usage/export/organization-csv.ts';
import { PERSON_COLUMNS } from '../../../src/features/usage/export/people-csv.ts';
import { csvHeader, csvRows } from '../../../src/core/base/text/csv.ts';
import { creditsSection, peopleSection } from '../../../src/features/usage/digest/parts.ts';
import { summarySection } from '../../../src/features/usage/digest/summary.ts';
import {
  type KnownMoves,
  buildMoves,
  buildSummaryReport,
  changeOf,
} from '../../../src/features/usage/reports/summary-report.ts';
import { lengthOf } from '../../../src/core/base/time/calendar.ts';
import { mostCreditsFirst } from '../../../src/core/analytics/person-credits.ts';
import { createPeopleFold } from '../../../src/core/figures/measures/people-fold.ts';
import { createPeopleSpendFold } from '../../../src/core/figures/measures/people-spend.ts';
import { buildCreditsReport } from '../../../src/features/usage/reports/totals-report.ts';
import { buildModelsReport } from '../../../src/features/usage/reports/models-report.ts';
import { buildPeopleReport } from '../../../src/features/usage/reports/people-report.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { MANAGERS, NAMING } from '../../support/slack/readers.ts';
import { READ_AT, scenes, sum, type Scene } from './views/generated.ts';
import { creditsColumns } from '../../support/credits-columns.ts';

/** The same organization with credits in hundredths. */
const SCALE = 0.01;

function inHundredths({ facts, people, users }: Scene) {
  const scaled = <Row extends { billable_tokens: number }>(row: Row) => ({
    ...row,
    billable_tokens: row.billable_tokens * SCALE,
  });
  const scaledIfKnown = <Row extends { billable_tokens: number | null }>(row: Row) => ({
    ...row,
    billable_tokens: row.billable_tokens === null ? null : row.billable_tokens * SCALE,
  });
  const credits: OrganizationFacts['credits'] =
    facts.credits.kind === 'unreadable'
      ? facts.credits
      : {
          ...facts.credits,
          rows: facts.credits.rows.map((row) => ({ ...scaled(row), by_model: row.by_model.map(scaled) })),
        };
  return {
    facts: { ...facts, credits },
    people: people.map((row) => ({ ...row, people: row.people.map(scaledIfKnown) })),
    users: users.map(scaledIfKnown),
  };
}

const NO_HISTORY = { kind: 'read' as const, rows: [], readAt: READ_AT };

/** With few people, a digest names all of them. */
const MOST_NAMED = 5;

/** The last column of those lines of a file that are of one kind. */
function sumOfLines(csv: string, isMeant: (cells: readonly string[]) => boolean): number {
  const lines = csv.trim().split('\n').slice(1);
  return sum(lines.map((line) => line.split(',')).flatMap((cells) => (isMeant(cells) ? [Number(cells.at(-1))] : [])));
}

const isOrganization = ([, of, , measure]: readonly string[]) =>
  of === 'organization' && measure === 'Standard Credits';
const isModel = ([, of, , measure]: readonly string[]) => of === 'model' && measure === 'Standard Credits';

/** The Standard Credits of a period, in every view that shows them. */
function creditsEverywhere(scene: Scene): Record<string, number | undefined> {
  const { scope, days } = scene;
  const { facts, people, users } = inHundredths(scene);
  const spendFold = createPeopleSpendFold(scope.period, scope.comparedWith);
  for (const { date, people: rows } of people) spendFold.add(creditsColumns(date, rows));
  const totalsFold = createPeopleFold();
  for (const row of users) if (row.date >= scope.period.first) totalsFold.add(row);
  const spend = { days, people: spendFold.people() };
  const totals = { days, people: mostCreditsFirst(totalsFold.people()) };
  const summary = buildSummaryReport({ ...facts, history: NO_HISTORY, people: spend }, { ...scope, readers: MANAGERS });
  const credits = buildCreditsReport(facts, scope);
  const models = buildModelsReport(facts, scope);
  const peopleReport = buildPeopleReport(totals, scope);
  const moves = buildMoves({ credits: facts.credits, people: spend }, scope, NAMING);
  const named = spend.people.length <= MOST_NAMED ? peopleSection(peopleReport, spend, NAMING) : undefined;
  const digest = [summarySection(summary, facts), creditsSection(credits)].map(
    ({ figures }) => figures['Standard Credits'],
  );
  const value = (known: { kind: string; value?: { value: number } } | undefined) => known?.value?.value;
  const totalOf = (known: KnownMoves | undefined) => (known?.kind === 'known' ? known.value.total.value : undefined);
  const usersOfPeriod = users.filter(({ date }) => date >= scope.period.first);
  const file = csvHeader(PERSON_COLUMNS) + csvRows(PERSON_COLUMNS, usersOfPeriod);
  const column = file.split('\n')[0]?.split(',').indexOf('Standard Credits') ?? -1;
  return {
    summary: value(summary.credits),
    credits: value(credits.credits),
    models: sum(models.models.map((model) => model.value)),
    people: peopleReport.people.kind === 'known' ? peopleReport.people.value.credits : undefined,
    digestOfSummary: value(digest[0]),
    digestOfCredits: value(digest[1]),
    digestOfPeople: named && sum(Object.values(named.figures).map((known) => value(known) ?? 0)),
    movedByModel: totalOf(moves.byModel),
    movedByPerson: totalOf(moves.byPerson),
    summaryFile: sumOfLines(organizationCsv(facts, SUMMARY_CSV, scope.period), isOrganization),
    creditsFile: sumOfLines(organizationCsv(facts, CREDITS_CSV, scope.period), isOrganization),
    modelsFile: sumOfLines(organizationCsv(facts, MODELS_CSV, scope.period), isModel),
    peopleFile: sum(
      file
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => Number(line.split(',')[column])),
    ),
  };
}

/** Adding up thousands of decimals in another order may differ by at most this much. */
const NOISE = 1e-5;

test('every view, section of a digest and file shows the same credits of a period, decimals included', () => {
  fc.assert(
    fc.property(scenes(20), (scene) => {
      const leaves = scene.leaves(scene.scope.period).flatMap(({ people }) => people);
      const expected = sum(leaves.flatMap(({ models }) => models.map((use) => use.billable))) * SCALE;
      const told = Object.entries(creditsEverywhere(scene));
      const disagreeing = told.filter(([, credits]) => credits !== undefined && Math.abs(credits - expected) > NOISE);
      expect(disagreeing).toEqual([]);
      // Only a period with a gap, or without a period of comparison, is missing in some places; large teams are not all
      // named.
      const { comparedWith, period } = scene.scope;
      const isWhole =
        comparedWith !== undefined &&
        scene.published.length === lengthOf({ first: comparedWith.first, last: period.last });
      const untold = told.flatMap(([place, credits]) => (credits === undefined ? [place] : []));
      expect(isWhole ? untold.filter((place) => place !== 'digestOfPeople') : []).toEqual([]);
    }),
    { numRuns: propertyRuns(150) },
  );
}, 120_000);

test('the moves add up to the change of the summary, by model and by person', () => {
  fc.assert(
    fc.property(scenes(20), (scene) => {
      const { facts, people } = inHundredths(scene);
      const fold = createPeopleSpendFold(scene.scope.period, scene.scope.comparedWith);
      for (const { date, people: rows } of people) fold.add(creditsColumns(date, rows));
      const spend = { days: scene.days, people: fold.people() };
      const moves = buildMoves({ credits: facts.credits, people: spend }, scene.scope, NAMING);
      const { credits } = buildCreditsReport(facts, scene.scope);
      if (credits.kind !== 'known' || credits.value.before === undefined) return;
      const change = credits.value.value - credits.value.before;
      const sums = [moves.byModel, moves.byPerson].flatMap((known) =>
        known?.kind === 'known' ? [sum(known.value.moves.map(changeOf))] : [],
      );
      expect(sums).toHaveLength(2);
      expect(sums.filter((one) => Math.abs(one - change) > NOISE)).toEqual([]);
    }),
    { numRuns: propertyRuns(150) },
  );
}, 120_000);
