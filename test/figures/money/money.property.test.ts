import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Part } from '../../../src/analytics/day-facts.ts';
import { plusDays } from '../../../src/base/time/calendar.ts';
import { createPriceList } from '../../../src/figures/money/price-list.ts';
import { creditsRow, type CreditsRow } from '../../../src/platform/endpoints/analytics-rows.ts';
import { buildCreditsReport } from '../../../src/usage/reports/credits-report.ts';
import { creditsView } from '../../../src/usage/views/credits-view.ts';
import {
  inSteps,
  moneyOf,
  priceText,
  shownDecimals,
  stepsIn,
  written,
  type OraclePrice,
} from '../../support/money-oracle.ts';
import { propertyRuns } from '../../support/property-runs.ts';

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
