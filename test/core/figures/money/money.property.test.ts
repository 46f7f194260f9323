import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { markup, mrkdwnOf } from '../../../../src/core/base/text/markup.ts';
import { mostCreditsFirst } from '../../../../src/core/analytics/person-credits.ts';
import { createPeopleFold } from '../../../../src/core/figures/measures/people-fold.ts';
import { createPeopleSpendFold } from '../../../../src/core/figures/measures/people-spend.ts';
import { dayOfPrice } from '../../../../src/core/figures/measures/breakdown.ts';
import { sourceOf } from '../../../../src/core/figures/measures/figures.ts';
import { comparisonParagraphs } from '../../../../src/features/usage/compare/comparison-view.ts';
import { compareSides, type Side } from '../../../../src/features/usage/compare/comparison.ts';
import { buildPeopleReport } from '../../../../src/features/usage/reports/people-report.ts';
import { buildTeamsReport } from '../../../../src/features/teams/teams-report.ts';
import { redactTeams } from '../../../../src/features/teams/team-details.ts';
import { teamsView } from '../../../../src/features/usage/views/teams-view.ts';
import { peopleView } from '../../../../src/features/usage/views/people-view.ts';
import { NAMING } from '../../../support/slack/readers.ts';
import type { Part } from '../../../../src/core/analytics/day-facts.ts';
import { daysOf, plusDays } from '../../../../src/core/base/time/calendar.ts';
import { createPriceList } from '../../../../src/core/figures/money/price-list.ts';
import { creditsRow, userRow, type CreditsRow } from '../../../../src/core/platform/endpoints/analytics-rows.ts';
import { buildCreditsReport } from '../../../../src/features/usage/reports/totals-report.ts';
import { creditsView } from '../../../../src/features/usage/views/credits-view.ts';
import { inSteps, moneyOf, priceText, shownDecimals, stepsIn, written, type OraclePrice } from './money-oracle.ts';
import { propertyRuns } from '../../../support/property-runs.ts';
import { creditsColumns } from '../../../support/credits-columns.ts';

const FIRST = '2026-03-01';
const MODELS = ['atlas', 'boreal', 'cirrus', 'delta', 'ember', 'fjord', 'gale', 'haze', 'iris', 'jade', 'kelp'];

const currencies = fc.oneof({ weight: 4, arbitrary: fc.constant('USD') }, fc.constantFrom('EUR', 'JPY', 'KWD'));
const prices = fc.array(
  fc.record({
    from: fc.oneof(
      fc.constant('2026-01-14'),
      fc.integer({ min: 0, max: 12 }).map((after) => plusDays(FIRST, after)),
    ),
    digits: fc.integer({ min: 1, max: 99_999 }),
    decimals: fc.integer({ min: 0, max: 6 }),
    currency: currencies,
  }),
  { maxLength: 3 },
);
/** Hundredths of credits by model: from a crumb to the use of a large organization. */
const amounts = fc.oneof(
  fc.integer({ min: 1, max: 10_000 }),
  fc.integer({ min: 1, max: 2_000_000_000 }),
  fc.constantFrom(33_333_333, 50_000_000, 100_000_000),
);
const days = fc.array(
  fc.record({
    models: fc.dictionary(fc.constantFrom(...MODELS), amounts, { minKeys: 1, maxKeys: MODELS.length }),
    // The models of a day may be less than all of its credits, or more.
    beyondModels: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.integer({ min: -3_000, max: 500_000_000 })),
  }),
  { minLength: 1, maxLength: 10 },
);

interface GeneratedDay {
  models: Record<string, number>;
  beyondModels: number;
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const totalOf = ({ models, beyondModels }: GeneratedDay) => Math.max(1, sum(Object.values(models)) + beyondModels);

function partOf(generated: readonly GeneratedDay[]): Part<CreditsRow> {
  const tokens = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 };
  const rows = generated.map((day, index) =>
    creditsRow.parse({
      date: plusDays(FIRST, index),
      billable_tokens: totalOf(day) / 100,
      ...tokens,
      by_model: Object.entries(day.models).map(([model_id, hundredths]) => ({
        model_id,
        model_tier: 'standard',
        billable_tokens: hundredths / 100,
        ...tokens,
      })),
    }),
  );
  return { kind: 'read', rows, readAt: new Date(0) };
}

const ABOUT = /\((?:about|less than) ([^()]+)\)/;
const PART = /(?:: |; )[^:;]+: [^,;]+?, (<?(?:[$€¥]|KWD\u{A0})[\d,.]+)( rounded)? \(/gu;

/** The money in the text of an answer: its total, and for each list the sum of its parts or “rounded”. */
function moneyIn(lines: readonly string[]) {
  const lists = lines.filter((line) => line.startsWith('By '));
  return {
    total: ABOUT.exec(lines.join('\n'))?.[1],
    hasMoney: /about|[$€¥]|KWD/.test(lines.join('\n')),
    sums: lists.map((line) => {
      const parts = [...line.matchAll(PART)];
      if (parts.some(([, , rounded]) => rounded !== undefined)) return 'rounded';
      return parts.map(([, amount = '']) => stepsIn(amount)).reduce((all, one) => all + one, 0n);
    }),
  };
}

/** The same by the oracle. Only models that are more than all credits cannot add up. */
function expectedMoney(prices: readonly OraclePrice[], generated: readonly GeneratedDay[], lists: number) {
  const money = moneyOf(
    prices,
    generated.map((day, index) => ({ day: plusDays(FIRST, index), hundredths: totalOf(day) })),
  );
  if (!money) return { total: undefined, hasMoney: false, sums: Array.from({ length: lists }, () => 0n) };
  const decimals = shownDecimals(money);
  const total = inSteps(money.amount, decimals);
  return {
    total: written(total === 0n ? 1n : total, decimals, money.currency),
    hasMoney: true,
    sums: Array.from({ length: lists }, () => total),
  };
}

test('money in answers is exact, and its parts add up to the total as it is shown or say “rounded”', () => {
  fc.assert(
    fc.property(prices, days, (generatedPrices, generated) => {
      const unique = [...new Map(generatedPrices.map((price) => [price.from, price])).values()];
      const period = { first: FIRST, last: plusDays(FIRST, generated.length - 1) };
      const list = createPriceList(
        unique.map((price) => ({ from: price.from, perMillion: priceText(price), currency: price.currency })),
      );
      const activity = { kind: 'read' as const, rows: [], readAt: new Date(0) };
      const report = buildCreditsReport(
        { credits: partOf(generated), activity, prices: list },
        { period, comparedWith: undefined, today: plusDays(period.last, 5) },
      );
      const answer = creditsView(report, { notes: [], faults: [] });
      const canExceed = generated.some(({ beyondModels }) => beyondModels < 0);
      for (const { lines } of [answer, answer.short]) {
        const shown = moneyIn(lines);
        const expected = expectedMoney(unique, generated, shown.sums.length);
        const sums = expected.sums.map((one, index) =>
          canExceed && shown.sums[index] === 'rounded' ? 'rounded' : one,
        );
        expect(shown).toEqual({ ...expected, sums });
      }
    }),
    { numRuns: propertyRuns(10_000) },
  );
});

const priceListOf = (generated: readonly OraclePrice[]) =>
  createPriceList(
    generated.map((price) => ({ from: price.from, perMillion: priceText(price), currency: price.currency })),
  );
const uniqueOf = (generated: readonly OraclePrice[]) => [
  ...new Map(generated.map((price) => [price.from, price])).values(),
];

test('money beside both sides of a comparison is exact, and missing where a day has no price', () => {
  fc.assert(
    fc.property(prices, days, days, (generatedPrices, one, other) => {
      const unique = uniqueOf(generatedPrices);
      const list = priceListOf(unique);
      const sideOf = (label: string, generated: readonly GeneratedDay[]): Side => ({
        label,
        period: { first: FIRST, last: plusDays(FIRST, generated.length - 1) },
        part: {
          kind: 'read',
          readAt: new Date(0),
          rows: generated.map((day, index) => ({ date: plusDays(FIRST, index), credits: totalOf(day) / 100 })),
        },
        isByDay: true,
        prices: list,
      });
      const today = plusDays(FIRST, 60);
      const comparison = compareSides(sideOf('@web', one), sideOf('@mobile', other));
      const sources = [one, other].map((_, index) => {
        const { period } = comparison.sides[index] ?? comparison.sides[0];
        return sourceOf([], { period, today });
      });
      const [first, second] = sources;
      if (!first || !second) throw new Error('There are two sides');
      const [headline = ''] = comparisonParagraphs(comparison, [], [first, second]).flatMap(({ lines }) =>
        lines.map((line) => mrkdwnOf(markup`${line}`)),
      );
      const shown = [...headline.matchAll(/(?:about|less than) (<?(?:[$€¥]|KWD\u{A0})[\d,.]*\d)/gu)].map(
        ([, amount]) => amount,
      );
      const expected = [one, other].flatMap((generated) => {
        const { total } = expectedMoney(unique, generated, 0);
        return total === undefined ? [] : [total];
      });
      expect([headline, shown]).toEqual([headline, expected]);
    }),
    { numRuns: propertyRuns(10_000) },
  );
});

/** Hundredths of credits of each person on each day. */
const peopleCredits = fc.array(
  fc.array(fc.oneof({ weight: 4, arbitrary: amounts }, fc.constant(0)), { minLength: 10, maxLength: 10 }),
  { minLength: 1, maxLength: 12 },
);

/** The cells of the money column in the tables of a view, and whether its title says “rounded”. */
function moneyColumnOf(blocks: readonly object[]) {
  const table = blocks.flatMap((block) => tableSchema.safeParse(block).data ?? [])[0];
  const [titles = [], ...rows] = table?.rows ?? [];
  const at = titles.findIndex(({ text }) => text.startsWith('Money'));
  if (at < 0) return undefined;
  const columnOf = (place: number) => rows.map((row) => row[place]?.text ?? '');
  return { isRounded: titles[at]?.text === 'Money (rounded)', cells: columnOf(at), names: columnOf(0) };
}

const tableSchema = z.object({
  type: z.literal('data_table'),
  rows: z.array(z.array(z.object({ text: z.string() }))),
});

/** The money that the rows show adds up to the total; `<$1` is a row that rounds to nothing. */
const sumOfCells = (cells: readonly string[]) =>
  cells.map((cell) => (cell.startsWith('<') ? 0n : stepsIn(cell))).reduce((all, one) => all + one, 0n);

test('money of people and teams is exact at the price of each day, and adds up to the total or says “rounded”', () => {
  fc.assert(
    fc.property(prices, peopleCredits, fc.integer({ min: 0, max: 9 }), (generatedPrices, generated, length) => {
      const unique = uniqueOf(generatedPrices);
      const list = priceListOf(unique);
      const period = { first: FIRST, last: plusDays(FIRST, length) };
      const scope = { period, comparedWith: undefined, today: plusDays(period.last, 5) };
      const dates = daysOf(period);
      const usedOn = (hundredths: readonly number[]) =>
        dates.map((day, index) => ({ day, hundredths: hundredths[index] ?? 0 }));
      const money = moneyOf(unique, generated.flatMap(usedOn));
      const decimals = money && shownDecimals(money);
      const expected = money && decimals !== undefined ? inSteps(money.amount, decimals) : undefined;
      const { people, spent } = foldsOf(generated, dates, dayOfPrice(list, period));
      const read = { kind: 'read' as const, rows: dates, readAt: new Date(0) };
      const report = buildPeopleReport({ days: read, people }, scope, undefined, list);
      const ofPeople = peopleView(report, { notes: [], faults: [] }, NAMING);
      const teams = generated.map((_, index) => ({ label: `@team-${index}`, members: 1, emails: [emailOf(index)] }));
      const spend = { days: read, people: spent };
      const credits = { kind: 'read' as const, rows: [], readAt: new Date(0) };
      const ofTeams = teamsView(buildTeamsReport({ spend, credits, teams, prices: list }, scope), {
        notes: [],
        faults: [],
      });
      for (const { blocks } of [ofPeople, ofTeams]) {
        const column = moneyColumnOf(blocks);
        const sum = column && !column.isRounded ? sumOfCells(column.cells) : expected;
        expect([column === undefined, sum]).toEqual([expected === undefined, expected]);
        if (decimals === undefined) continue;
        for (const [place, cell] of (column?.cells ?? []).entries()) {
          const name = column?.names[place] ?? '';
          const own = moneyOf(unique, usedOn(generated[Number(/\d+/.exec(name)?.[0])] ?? []));
          const difference = stepsIn(cell) - inSteps(own?.amount ?? 0n, decimals);
          expect([name, difference >= -1n && difference <= 1n]).toEqual([name, true]);
        }
      }
    }),
    { numRuns: propertyRuns(10_000) },
  );
});

test('readers who may not see single people get no money of teams at two prices', () => {
  const period = { first: FIRST, last: plusDays(FIRST, 1) };
  const list = priceListOf([
    { from: FIRST, digits: 420, decimals: 2, currency: 'USD' },
    { from: period.last, digits: 840, decimals: 2, currency: 'USD' },
  ]);
  const { spent } = foldsOf([[100, 200]], daysOf(period), dayOfPrice(list, period));
  const spend = { days: { kind: 'read' as const, rows: daysOf(period), readAt: new Date(0) }, people: spent };
  const credits = { kind: 'read' as const, rows: [], readAt: new Date(0) };
  const teams = [{ label: '@team-0', members: 1, emails: [emailOf(0)] }];
  const scope = { period, comparedWith: undefined, today: plusDays(period.last, 5) };
  const report = buildTeamsReport({ spend, credits, teams, prices: list }, scope);
  const detail = { isByDay: false, isCompared: false };
  const redacted = redactTeams(report, new Map([['@team-0', detail]]));
  const money = [report, redacted].map(({ cost, teams: [line] }) => [cost, line?.cost].filter(Boolean).length);
  expect(money).toEqual([2, 0]);
});

const emailOf = (index: number) => `person${index}@acme.example`;

/** The same days of the same people as both reports get them. */
function foldsOf(
  generated: readonly (readonly number[])[],
  dates: readonly string[],
  priceDayOf?: (day: string) => string,
) {
  const period = { first: dates[0] ?? FIRST, last: dates.at(-1) ?? FIRST };
  const totals = createPeopleFold(undefined, priceDayOf);
  const spend = createPeopleSpendFold(period, undefined, undefined, priceDayOf);
  for (const [place, date] of dates.entries()) {
    const people = generated.map((hundredths, index) => ({
      user_id: `u${index}`,
      user_email: emailOf(index),
      billable_tokens: (hundredths[place] ?? 0) / 100,
    }));
    spend.add(creditsColumns(date, people));
    for (const person of people) totals.add({ ...NO_USE, ...person, date });
  }
  return { people: mostCreditsFirst(totals.people()), spent: spend.people() };
}

const NO_USE = userRow.parse({ user_id: '', user_email: null, date: FIRST, languages: [] });
