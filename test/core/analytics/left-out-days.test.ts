import { describe, expect, test } from 'vitest';
import { createAnalyticsDays, type AnalyticsDays } from '../../../src/core/analytics/days.ts';
import { decideLeftOutDay } from '../../../src/core/analytics/reading/doubtful-days.ts';
import type { Part } from '../../../src/core/analytics/day-facts.ts';
import { readEvidence } from '../../../src/features/limits/card/evidence.ts';
import type { Analytics } from '../../../src/core/platform/endpoints/analytics.ts';
import type { Envelope } from '../../../src/core/platform/endpoints/analytics-rows.ts';
import { setAnalyticsScene } from '../../support/stores/analytics-scene.ts';

const NOW = new Date('2026-03-03T07:00:00Z');
/** There are no active people on these days; the rows of the others are those of the simulated platform. */
const WEEKEND = new Set(['2026-02-28', '2026-03-01']);
const MONTH = { first: '2026-02-02', last: '2026-03-02' };

type Answer = keyof Pick<Analytics, 'tokens' | 'tokensByModel' | 'tools' | 'activity' | 'productivity' | 'userPages'>;

/** A platform that leaves rows out of the named answers: the day, and the resources that lack it. */
async function start(
  isLeftOut: (answer: Answer, day: string) => boolean,
  isIdle = (_day: string) => false,
  isUnused = (_day: string) => false,
) {
  const scene = await setAnalyticsScene({ now: NOW, people: 12, engine: 'sqlite' });
  const { clock, platform, client } = scene;
  const { analytics } = client;
  const calls: string[] = [];
  const without =
    <Row extends { date: string }>(answer: Answer, ask: (range: Range) => Promise<Envelope<Row>>) =>
    async (range: Range) => {
      calls.push(`${answer} ${range.startDate}..${range.endDate}`);
      const read = await ask(range);
      return { ...read, data: read.data.filter(({ date }) => !isLeftOut(answer, date)) };
    };
  const activity = async (range: Range) => {
    const read = await analytics.activity(range);
    const idle = {
      daily_active_users: 0,
      sessions: 0,
      messages: 0,
      user_messages: 0,
      daily_active_users_by_client: {},
    };
    return { ...read, data: read.data.map((row) => (isIdle(row.date) ? { ...row, ...idle } : row)) };
  };
  const tokens = without('tokens', (range) => analytics.tokens(range));
  const days = createAnalyticsDays({
    ...scene,
    peopleDays: 375,
    platform: {
      ...client,
      analytics: {
        ...analytics,
        changedTokens: async (range) => ({ body: { digest: '', bytes: 0 }, answer: await tokens(range) }),
        tokensByModel: without('tokensByModel', async (range) => {
          const read = await analytics.tokensByModel(range);
          return {
            ...read,
            data: read.data.map((row) => (isUnused(row.date) ? { ...row, billable_tokens: 0 } : row)),
          };
        }),
        tools: without('tools', (range) => analytics.tools(range)),
        activity: without('activity', activity),
        productivity: without('productivity', (range) => analytics.productivity(range)),
        userPages: async function* (range) {
          for await (const page of analytics.userPages(range))
            yield page.filter((row) => !isLeftOut('userPages', row.date));
        },
      },
    },
  });
  return { days, calls, clock, organization: platform.organization };
}

type Range = { startDate: string; endDate: string };

const READERS: Record<Exclude<Answer, 'activity'>, (days: AnalyticsDays, of: typeof MONTH) => Promise<string[]>> = {
  tokens: async (days, of) => datesOf(await days.credits(of)),
  tokensByModel: async (days, of) => datesOf(await days.dailyCredits(of)),
  tools: async (days, of) => datesOf(await days.tools(of)),
  productivity: async (days, of) => datesOf(await days.productivity(of)),
  userPages: async (days, of) => datesRead(await days.users(of, () => {})),
};
const RESOURCES: readonly Exclude<Answer, 'activity'>[] = [
  'tokens',
  'tokensByModel',
  'tools',
  'productivity',
  'userPages',
];

function datesOf(part: Part<{ date: string }>): string[] {
  if (part.kind === 'unreadable') throw part.fault;
  return part.rows.map(({ date }) => date);
}

function datesRead(part: Part<string>): string[] {
  if (part.kind === 'unreadable') throw part.fault;
  return [...part.rows];
}

const onWeekend = (day: string) => WEEKEND.has(day);
const only = (day: string) => ({ first: day, last: day });

describe.each(RESOURCES)('a day that %s leaves out', (resource) => {
  test('is a day of zero as soon as the activity shows no active people, whichever resource was read first', async () => {
    const { days } = await start((answer, day) => answer === resource && onWeekend(day), onWeekend);
    const dates = await READERS[resource](days, { first: '2026-02-27', last: '2026-03-02' });
    expect(dates).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
  });

  test('is not published yet if people were active and the batch may be incomplete', async () => {
    // A late day in full would contain the credits that a late day without models lacks: both are incomplete.
    const isLate = (answer: Answer) => answer === resource || (resource === 'tokensByModel' && answer === 'tokens');
    const { days } = await start((answer, day) => isLate(answer) && day === '2026-03-02');
    expect(await READERS[resource](days, only('2026-03-02'))).toEqual([]);
  });

  test.each(['2026-02-27', '2026-02-25', '2026-02-10'])(
    'is not published if people were active, however old it is: %s',
    async (lost) => {
      const isLost = (answer: Answer) => answer === resource || (resource === 'tokensByModel' && answer === 'tokens');
      const { days } = await start((answer, day) => isLost(answer) && day === lost);
      expect(await READERS[resource](days, only(lost))).toEqual([]);
      // A later answer must not find a zero that this one stored.
      expect(await READERS[resource](days, only(lost))).toEqual([]);
    },
  );

  test('is not published if the activity leaves it out too', async () => {
    const { days } = await start((_, day) => day === '2026-02-25');
    expect(await READERS[resource](days, only('2026-02-25'))).toEqual([]);
  });
});

describe('a day that the activity leaves out', () => {
  test('is not published if credits were used on it, however old it is', async () => {
    const { days } = await start((answer, day) => answer === 'activity' && day === '2026-02-25');
    expect(datesOf(await days.activity(only('2026-02-25')))).toEqual([]);
  });

  test('has no active people if no credits were used, and does not show who was active in the weeks before', async () => {
    const { days } = await start(
      (answer, day) => answer === 'activity' && day === '2026-02-25',
      () => false,
      (day) => day === '2026-02-25',
    );
    const part = await days.activity(only('2026-02-25'));
    expect(part).toMatchObject({
      rows: [{ date: '2026-02-25', daily_active_users: 0, weekly_active_users: null, monthly_active_users: null }],
    });
  });

  test('is not published if there are no credits either', async () => {
    const { days } = await start((_, day) => day === '2026-02-25');
    expect(datesOf(await days.activity(only('2026-02-25')))).toEqual([]);
  });
});

test('a platform that leaves nothing out gets no additional requests', async () => {
  const { days, calls } = await start(() => false);
  const week = { first: '2026-02-23', last: '2026-02-27' };
  await Promise.all([days.credits(week), days.dailyCredits(week), days.tools(week), days.productivity(week)]);
  await days.activity(week);
  const names = calls.map((call) => call.split(' ')[0]).toSorted((a = '', b = '') => (a < b ? -1 : 1));
  expect(names).toEqual(['activity', 'productivity', 'tokens', 'tokensByModel', 'tools']);
});

test('the evidence about a left-out day is requested once for all resources of an answer', async () => {
  const { days, calls } = await start((answer, day) => answer !== 'activity' && onWeekend(day), onWeekend);
  const week = { first: '2026-02-23', last: '2026-03-01' };
  await Promise.all([
    days.activity(week),
    days.credits(week),
    days.dailyCredits(week),
    days.tools(week),
    days.productivity(week),
  ]);
  expect(calls.filter((call) => call.startsWith('activity'))).toHaveLength(1);
});

test('the evidence on a card is the same before and after a request for the usage', async () => {
  const isQuiet = (day: string) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
  const { days, clock, organization } = await start((answer, day) => answer === 'tokens' && isQuiet(day), isQuiet);
  const email = organization.people[0]?.email?.toLowerCase() ?? '';
  const wanted = [{ email, amount: 1_000 }];
  const before = await readEvidence(days, wanted, clock.now());
  await Promise.all([days.activity(MONTH), days.credits(MONTH)]);
  clock.moveTo(new Date(NOW.getTime() + 15 * 60_000));
  const after = await readEvidence(days, wanted, clock.now());
  expect(before).toMatchObject({ kind: 'read', evidence: { shortDays: 7, longDays: 28, lastDay: '2026-03-02' } });
  expect(after).toEqual({ ...before, evidence: { ...readEvidenceOf(before), readAt: clock.now().toISOString() } });
});

function readEvidenceOf(reading: Awaited<ReturnType<typeof readEvidence>>) {
  if (reading.kind !== 'read') throw new Error('There is no evidence');
  return reading.evidence;
}

describe('a day that is left out', () => {
  test.each([
    ['unpublished', '2026-02-01', { kind: 'unpublished' }],
    ['unused', '2026-03-02', { kind: 'zero', state: 'fresh' }],
    ['unused', '2026-02-27', { kind: 'zero', state: 'settled' }],
    ['used', '2026-03-01', { kind: 'unpublished' }],
    ['used', '2026-02-27', { kind: 'unpublished' }],
    ['used', '2026-02-01', { kind: 'unpublished' }],
  ] as const)('that is %s elsewhere is %s', (elsewhere, day, decision) => {
    expect(decideLeftOutDay(day, elsewhere, '2026-03-03')).toEqual(decision);
  });
});
