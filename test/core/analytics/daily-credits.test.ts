import { describe, expect, test } from 'vitest';
import { createAnalyticsDays } from '../../../src/core/analytics/days.ts';
import { daysOf, plusDays } from '../../../src/core/base/time/calendar.ts';
import { PlatformError } from '../../../src/core/platform/errors.ts';
import { forecastMonth } from '../../../src/core/figures/insight/forecast.ts';
import { judgeDay } from '../../../src/core/figures/insight/unusual.ts';
import { historyOf } from '../../../src/core/analytics/period.ts';
import { setAnalyticsScene } from '../../support/stores/analytics-scene.ts';
import { predict } from '../../support/prediction.ts';

const NOW = new Date('2026-04-22T07:00:00Z');
const TODAY = '2026-04-22';
const WEEK = { first: '2026-04-15', last: '2026-04-21' };
const MONTH_SO_FAR = { first: '2026-04-01', last: '2026-04-21' };

interface Models {
  /** The days without any models, neither in the days nor in the rows by model. */
  missing?: readonly string[];
  /** The days that lack half of the models. */
  halved?: readonly string[];
}

/** An organization whose platform lacks the models on some days; the totals of all days are right. */
async function start({ missing = [], halved = [] }: Models) {
  const { platform, client, ...services } = await setAnalyticsScene({ now: NOW, people: 40, engine: 'sqlite' });
  const { analytics } = client;
  const isHalf = (index: number) => index % 2 === 0;
  const spoilt = {
    ...analytics,
    changedTokens: async (range: Range) => {
      const read = await analytics.tokens(range);
      const data = read.data.map((row) => ({
        ...row,
        by_model: missing.includes(row.date)
          ? []
          : row.by_model.filter((_, index) => !halved.includes(row.date) || isHalf(index)),
      }));
      return { body: NEW_BODY, answer: { ...read, data } };
    },
    tokensByModel: async (range: Range) => {
      const read = await analytics.tokensByModel(range);
      const data = read.data
        .filter(({ date }) => !missing.includes(date))
        .filter(({ date }, index) => !halved.includes(date) || isHalf(index));
      return { ...read, data };
    },
  };
  const open = () => createAnalyticsDays({ ...services, platform: { ...client, analytics: spoilt }, peopleDays: 375 });
  const truth = (day: string) => predict(platform.organization, { first: day, last: day }).credits;
  return { days: open(), open, truth, platform };
}

const NEW_BODY = { digest: '', bytes: 0 };
type Range = { startDate: string; endDate: string };

const amounts = (part: Awaited<ReturnType<ReturnType<typeof createAnalyticsDays>['dailyCredits']>>) => {
  if (part.kind === 'unreadable') throw part.fault;
  return part.rows.map(({ date, billable_tokens }) => ({ day: date, amount: billable_tokens }));
};

async function readWeek({ days }: Awaited<ReturnType<typeof start>>) {
  const scope = { period: WEEK, comparedWith: undefined, today: TODAY };
  const credits = days.credits(MONTH_SO_FAR);
  const history = await days.dailyCredits(historyOf(scope), { totals: { period: MONTH_SO_FAR, part: credits } });
  const facts = { credits: await credits, history };
  return { facts, history: amounts(facts.history), scope };
}

describe('the history of days whose models are missing', () => {
  test.each<[string, Models]>([
    ['in the shown period', { missing: ['2026-04-14', '2026-04-20'] }],
    ['in part', { halved: ['2026-04-13', '2026-04-16'] }],
    ['long before the period', { missing: ['2026-02-20', '2026-03-03', '2026-03-10'] }],
  ])('%s is computed from the totals', async (_, models) => {
    const scene = await start(models);
    const { facts, history, scope } = await readWeek(scene);
    expect(history.map(({ day }) => day)).toContain('2026-02-20');
    expect(history).toEqual(history.map(({ day }) => ({ day, amount: scene.truth(day) })));
    const { first, last } = historyOf(scope);
    expect([history[0]?.day, history.at(-1)?.day]).toEqual([first, last]);
    const forecast = forecastMonth(facts.credits, facts.history, TODAY);
    const soFar = predict(scene.platform.organization, MONTH_SO_FAR).credits;
    expect(forecast).toMatchObject({ kind: 'known', value: { soFar } });
  });
});

test('a day whose models are missing is not unusual for that reason', async () => {
  const spoilt = await start({ missing: ['2026-04-14', '2026-04-20'], halved: ['2026-04-16', '2026-03-31'] });
  const { history } = await readWeek(spoilt);
  const whole = await start({});
  const { history: expected } = await readWeek(whole);
  const judgements = (days: typeof history) => days.map((day) => judgeDay(days, day));
  expect(judgements(history)).toEqual(judgements(expected));
});

test('stored models that do not add up are detected after a restart', async () => {
  const scene = await start({ halved: ['2026-04-16', '2026-02-20'] });
  await scene.days.credits(WEEK);
  const long = { first: '2026-02-16', last: '2026-04-21' };
  const history = amounts(await scene.open().dailyCredits(long));
  expect(history.find(({ day }) => day === '2026-02-20')?.amount).toBe(scene.truth('2026-02-20'));
});

test('a history is complete although the credits read beside it could not be read', async () => {
  const { days, truth } = await start({});
  const fault = new PlatformError({ code: 'timeout', method: 'GET', path: '/tokens', detail: 'away' });
  const unreadable = Promise.resolve({ kind: 'unreadable' as const, fault });
  const period = { first: '2026-03-01', last: '2026-04-21' };
  const history = amounts(await days.dailyCredits(period, { totals: { period: WEEK, part: unreadable } }));
  expect(history.map(({ day }) => day)).toEqual(daysOf(period));
  expect(history.at(-1)?.amount).toBe(truth('2026-04-21'));
});

test('a history whose models add up is read by model, in one call', async () => {
  const { days, platform } = await start({});
  await days.credits(WEEK);
  const before = platform.requests.length;
  await days.dailyCredits({ first: plusDays(TODAY, -62), last: plusDays(TODAY, -1) });
  const calls = platform.requests.slice(before).filter(({ path }) => path.endsWith('/tokens'));
  expect(calls.map(({ query }) => query['group_by'])).toEqual(['model']);
});
