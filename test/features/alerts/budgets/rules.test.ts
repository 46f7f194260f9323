import { describe, expect, test } from 'vitest';
import { PRICE_RULE } from '../../../../src/core/base/text/numbers.ts';
import { daysOf } from '../../../../src/core/base/time/calendar.ts';
import { openPeriods, periodOf, type BudgetPrice } from '../../../../src/features/alerts/budgets/core/budget.ts';
import { amountsOf } from '../../../../src/features/alerts/budgets/core/budget-payload.ts';
import { createPriceList, type DatedPrice } from '../../../../src/core/figures/money/price-list.ts';
import { allowEverybodysAmounts, type Admission } from '../../../../src/core/figures/groups/admission.ts';
import { decide, figuresOf, type RecordedThreshold } from '../../../../src/features/alerts/budgets/core/decide.ts';
import { planBudget } from '../../../../src/features/alerts/budgets/evaluate/plan.ts';
import { readBudgetPrice, readPercents } from '../../../../src/features/alerts/budgets/manage/read-form.ts';

describe('the period of a budget', () => {
  test.each([
    [{ unit: 'week' }, '2026-03-08', '2026-03-02', '2026-03-08'],
    [{ unit: 'week' }, '2026-03-09', '2026-03-09', '2026-03-15'],
    [{ unit: 'month' }, '2026-02-10', '2026-02-01', '2026-02-28'],
    [{ unit: 'quarter' }, '2026-05-10', '2026-04-01', '2026-06-30'],
    [{ unit: 'year' }, '2026-05-10', '2026-01-01', '2026-12-31'],
    [{ first: '2026-03-10', days: 10 }, '2026-03-29', '2026-03-20', '2026-03-29'],
  ] as const)('%j on %s is %s to %s', (rule, day, first, last) => {
    expect(periodOf(rule, day)).toEqual({ first, last });
  });

  test('of a person’s own days begins with the first of them', () => {
    expect(periodOf({ first: '2026-03-10', days: 10 }, '2026-03-09')).toBeUndefined();
  });

  test('is evaluated until nine days after its end, and not if it ended before the budget was set up', () => {
    const firsts = (setUpOn: string, today: string) =>
      openPeriods({ unit: 'month' }, setUpOn, today).map(({ first }) => first);
    expect(firsts('2026-02-10', '2026-03-05')).toEqual(['2026-02-01', '2026-03-01']);
    expect(firsts('2026-02-10', '2026-03-20')).toEqual(['2026-03-01']);
    expect(firsts('2026-03-01', '2026-03-02')).toEqual(['2026-03-01']);
    expect(firsts('2026-03-01', '2026-03-01')).toEqual([]);
    expect(openPeriods({ first: '2026-03-10', days: 5 }, '2026-03-01', '2026-03-12')).toEqual([
      { first: '2026-03-10', last: '2026-03-14' },
    ]);
    expect(openPeriods({ first: '2026-03-10', days: 5 }, '2026-03-01', '2026-03-10')).toEqual([]);
  });
});

/** One hundred credits a day. */
const rows = (first: string, last: string, credits = 100) =>
  daysOf({ first, last }).map((date) => ({ date, billable_tokens: credits }));

const MARCH = { first: '2026-03-01', last: '2026-03-31' };
const budget = { credits: 2_000, thresholds: { actual: [50, 80, 100], forecast: [100] } };
const mark = (
  percent: number,
  state: RecordedThreshold['state'] = 'told',
  basis: RecordedThreshold['basis'] = 'actual',
): RecordedThreshold => ({
  basis,
  percent,
  credits: 2_000,
  round: 0,
  state,
  through: '2026-03-17',
  today: '2026-03-18',
});

describe('known faults of other budget tools do not occur', () => {
  const all = rows('2025-12-20', '2026-03-17');
  const figures = figuresOf(MARCH, all, { through: '2026-03-17', today: '2026-03-18' });
  const unused = () => figures;

  test('a repeated warning: a threshold that was announced, or was passed at the start, is not announced again', () => {
    const marks = [mark(50), mark(80, 'passed'), mark(100, 'told', 'forecast')];
    expect(decide(budget, figures, marks, unused)).toEqual({ report: [], withdraw: [] });
  });

  test('a projection that ignores the reset of its period: the projection begins and ends with the period', () => {
    const early = figuresOf(MARCH, rows('2025-12-20', '2026-03-02'), { through: '2026-03-02', today: '2026-03-03' });
    expect(early.spent).toBe(200);
    expect(Math.round(early.expected ?? 0)).toBe(3_100);
    const over = figuresOf(MARCH, rows('2025-12-20', '2026-04-02'), { through: '2026-04-02', today: '2026-04-03' });
    expect([over.spent, over.expected]).toEqual([3_100, undefined]);
  });

  test('several warnings after a jump: one decision holds all thresholds and names the highest', () => {
    const jump = figuresOf(MARCH, [...all, { date: '2026-03-18', billable_tokens: 400 }], {
      through: '2026-03-18',
      today: '2026-03-19',
    });
    expect(decide(budget, jump, [], unused).report).toEqual([
      { basis: 'actual', percent: 50, round: 0 },
      { basis: 'actual', percent: 80, round: 0 },
      { basis: 'actual', percent: 100, round: 0 },
    ]);
  });
});

describe('a warning that was sent', () => {
  const figures = figuresOf(MARCH, rows('2025-12-20', '2026-03-15'), { through: '2026-03-15', today: '2026-03-16' });

  test('is withdrawn if the restated days are lower, and is sent again if the threshold is crossed again', () => {
    expect(decide(budget, figures, [mark(80)], () => figures).withdraw).toEqual([mark(80)]);
    const later = figuresOf(MARCH, rows('2025-12-20', '2026-03-16'), { through: '2026-03-16', today: '2026-03-17' });
    expect(decide(budget, later, [mark(80, 'withdrawn'), mark(50)], () => later).report).toContainEqual({
      basis: 'actual',
      percent: 80,
      round: 1,
    });
  });

  test('about a forecast stays when only the forecast falls', () => {
    const low = { ...figures, expected: 1_900 };
    const then = { ...figures, expected: 2_100 };
    expect(decide(budget, low, [mark(100, 'told', 'forecast')], () => then).withdraw).toEqual([]);
    expect(decide(budget, low, [mark(100, 'told', 'forecast')], () => low).withdraw).toHaveLength(1);
  });

  test('for one amount does not suppress the warning for another amount', () => {
    const raised = { ...budget, credits: 1_800 };
    expect(decide(raised, figures, [mark(50), mark(80)], () => figures).report).toContainEqual({
      basis: 'actual',
      percent: 80,
      round: 0,
    });
  });
});

describe('the budget form', () => {
  test.each([
    ['50, 80 100%', [50, 80, 100]],
    ['80;50;80', [50, 80]],
    ['', []],
    ['0', undefined],
    ['1001', undefined],
    ['80.5', undefined],
    ['1 2 3 4 5 6 7 8 9 10 11', undefined],
  ])('reads the percentages “%s”', (text, percents) => {
    expect(readPercents(text)).toEqual(percents);
  });

  test.each([
    ['12,50 EUR', { perMillion: 12.5, currency: 'EUR' }],
    ['$3', { perMillion: 3, currency: '$' }],
    ['7', { perMillion: 7, currency: '' }],
    ['', undefined],
    ['0 EUR', PRICE_RULE],
    ['EUR 3 EUR', PRICE_RULE],
    ['cheap', PRICE_RULE],
    ['4,205 EUR', '“4,205 EUR” could mean 4205 or 4.205. Type 4205 or 4.2050.'],
  ])('reads the price “%s”', (text, price) => {
    const reading = readBudgetPrice(text);
    expect(reading?.price ?? reading?.problem).toEqual(price);
  });
});

describe('money of a budget', () => {
  const all = rows('2026-03-01', '2026-03-10', 1_000_000);
  const figures = figuresOf(MARCH, all, { through: '2026-03-10', today: '2026-03-11' });
  const costOf = (admission: Admission, price?: BudgetPrice, changes: readonly DatedPrice[] = []) =>
    amountsOf(
      { credits: 40_000_000, price },
      figures,
      admission,
      createPriceList([{ from: '2026-01-14', perMillion: '4', currency: 'USD' }, ...changes]),
    ).cost;
  const dearer = { from: '2026-03-06', perMillion: '8', currency: 'USD' };

  test('is at the price of its days, and at its own price if it has one', () => {
    expect(costOf(allowEverybodysAmounts())).toEqual({ spent: '$40', credits: '$160' });
    const own = { perMillion: 1.5, currency: '€' };
    expect(costOf(allowEverybodysAmounts(), own, [dearer])).toEqual({ spent: '€15', credits: '€60' });
  });

  test('counts each day at its price if it changes, and says nothing of all credits', () => {
    expect(costOf(allowEverybodysAmounts(), undefined, [dearer])).toEqual({ spent: '$60' });
  });

  test('is not shown at two prices to readers of a group who may not see its days', () => {
    const ofGroup = { ...allowEverybodysAmounts(), isBestAlternative: false };
    expect(costOf(ofGroup)).toEqual({ spent: '$40', credits: '$160' });
    expect(costOf(ofGroup, undefined, [dearer])).toBeUndefined();
  });

  test('is left out for two currencies', () => {
    expect(costOf(allowEverybodysAmounts(), undefined, [{ ...dearer, currency: 'EUR' }])).toBeUndefined();
  });
});

describe('when members change', () => {
  const planned = (newCredits: number, isBaselineTaken = true) =>
    planBudget({
      budget: {
        kind: 'budget',
        credits: 2_000,
        thresholds: { actual: [50, 80], forecast: [] },
        period: { unit: 'month' },
        setUpOn: '2026-03-01',
        isBaselineTaken,
      },
      marks: [],
      today: '2026-03-12',
      rowsOf: () => rows('2025-12-20', '2026-03-11'),
      newRows: rows('2025-12-20', '2026-03-11', newCredits),
    });

  test('a threshold that is crossed only by the change is left to the evaluation with the new members', () => {
    const [plan] = planned(150);
    expect(plan?.report).toEqual([{ basis: 'actual', percent: 50, round: 0 }]);
    expect(plan?.recordSilently).toEqual([]);
  });

  test('a threshold that the earlier members had reached is still announced', () => {
    expect(planned(1)[0]?.report).toEqual([{ basis: 'actual', percent: 50, round: 0 }]);
  });

  test('a budget that was just set up sends no warning', () => {
    const [plan] = planned(150, false);
    expect([plan?.report, plan?.recordSilently.map(({ percent }) => percent)]).toEqual([[], [50, 80]]);
  });
});
