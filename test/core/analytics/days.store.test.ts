import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { watchChanges } from '../../../src/core/analytics/change-watch.ts';
import { createAnalyticsDays, type AnalyticsDays } from '../../../src/core/analytics/days.ts';
import type { PersonDayCredits, UserRow } from '../../../src/core/platform/endpoints/analytics-rows.ts';
import { pseudonymsByHash } from '../../../src/core/base/privacy/pseudonyms.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import { createPlatformClient } from '../../../src/core/platform/client.ts';
import { createMovableClock, type MovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import {
  startPlatform,
  type PlatformSettings,
  type SimulatedPlatform,
} from '../../../src/sandbox/platform/platform.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { type Engine, type Store } from '../../../src/core/store/store.ts';
import { availableEngines, createDatabase } from '../../support/stores/databases.ts';
import { predict } from '../../support/prediction.ts';
import { rowsOfColumns } from '../../support/credits-columns.ts';

interface Scene {
  clock: MovableClock;
  platform: SimulatedPlatform;
  days: AnalyticsDays;
  /** Another process on the same store. */
  replica: () => AnalyticsDays;
  /** Returns the requests since its last call. */
  requests: () => string[];
}

let stores: Store[] = [];
afterEach(() => {
  stores = [];
});

const NOW = new Date('2026-03-02T07:00:00Z');
const WEEK = { first: '2026-02-23', last: '2026-03-01' };

async function start(engine: Engine = 'sqlite', settings: Partial<PlatformSettings> = {}): Promise<Scene> {
  const clock = createMovableClock(NOW, { frozen: true });
  const platform = await startPlatform({ clock, people: 25, ...settings });
  const database = await createDatabase(engine);
  const client = createPlatformClient({ ...platform, apiKey: platform.apiKeys.manager, clock });
  const log = createLogger('silent', []);
  const open = async () => {
    const store = await openStore(database.url);
    stores.push(store);
    return createAnalyticsDays({ platform: client, db: store.db, clock, log, peopleDays: 375 });
  };
  const [days, other] = [await open(), await open()];
  const opened = stores;
  onTestFinished(async () => {
    await client.close();
    await platform.close();
    for (const store of opened) await store.close();
    await database.drop();
    clock.dispose();
  });
  let seen = 0;
  return {
    clock,
    platform,
    days,
    replica: () => other,
    requests: () => {
      const all = platform.requests.map(
        ({ path, query }) => `${path.split('/').at(-1)} ${query['startDate']}..${query['endDate']}`,
      );
      const fresh = all.slice(seen);
      seen = all.length;
      return fresh;
    },
  };
}

async function creditsOf(days: AnalyticsDays): Promise<number> {
  const part = await days.credits(WEEK);
  if (part.kind === 'unreadable') throw part.fault;
  return part.rows.reduce((sum, row) => sum + row.billable_tokens, 0);
}

describe.each(availableEngines())('the facts of a day on %s', (engine) => {
  test('are those of the platform, and the same from the store', async () => {
    const { days, platform } = await start(engine);
    const expected = predict(platform.organization, WEEK).credits;
    expect(await creditsOf(days)).toBe(expected);
    expect(await creditsOf(days)).toBe(expected);
  });

  test('are requested once if they are settled, also by another process; days that may still change are requested again', async () => {
    const { days, replica, requests } = await start(engine);
    await days.activity(WEEK);
    expect(requests()).toEqual(['activity 2026-02-23..2026-03-01']);
    const again = await replica().activity(WEEK);
    expect(requests()).toEqual(['activity 2026-02-28..2026-03-01']);
    expect(again.kind === 'read' && again.rows.map((row) => row.date)).toHaveLength(7);
  });

  test('are requested once more when they have become settled, and then never', async () => {
    const { days, clock, requests } = await start(engine);
    await days.activity(WEEK);
    clock.moveTo(new Date('2026-03-05T07:00:00Z'));
    requests();
    await days.activity(WEEK);
    expect(requests()).toEqual(['activity 2026-02-28..2026-03-01']);
    await days.activity(WEEK);
    expect(requests()).toEqual([]);
  });

  test('mark their day when they change', async () => {
    const { days, clock, platform } = await start(engine);
    await days.credits(WEEK);
    const since = clock.now();
    clock.moveTo(new Date(since.getTime() + 60_000));
    await days.credits(WEEK);
    expect(await days.changedAfter(WEEK, since)).toBe(false);
    platform.reviseDay('2026-02-28', 1.5);
    await days.credits(WEEK);
    expect(await days.changedAfter(WEEK, since)).toBe(true);
    expect(await days.changedAfter({ first: '2026-02-23', last: '2026-02-27' }, since)).toBe(false);
  });

  test('include their people, each person once a day', async () => {
    const { days, platform } = await start(engine, { people: 120 });
    for (let reading = 0; reading < 2; reading += 1) {
      const people = new Map<string, number>();
      const take = ({ user_id, user_email, billable_tokens }: PersonDayCredits | UserRow) => {
        const key = user_email?.toLowerCase() ?? user_id;
        people.set(key, (people.get(key) ?? 0) + (billable_tokens ?? Number.NaN));
      };
      const folded =
        reading === 0
          ? await days.peopleCredits(WEEK, (day) => rowsOfColumns(day).forEach(take))
          : await days.users(WEEK, take);
      expect(folded).toMatchObject({ kind: 'read' });
      const withCredits = [...people].filter(([, credits]) => credits > 0);
      const expected = [...predict(platform.organization, WEEK).people].filter(([, credits]) => credits > 0);
      expect(new Map(withCredits)).toEqual(new Map(expected));
    }
  });
});

describe('concurrent readers', () => {
  test('share one set of calls', async () => {
    const { days, requests } = await start();
    await Promise.all([
      days.credits(WEEK),
      days.peopleCredits(WEEK, () => {}),
      days.credits({ ...WEEK, first: '2026-02-25' }),
    ]);
    expect(requests()).toEqual(['tokens 2026-02-23..2026-03-01']);
  });

  test('share a failure too, and the next reader requests again', async () => {
    const { days, platform, requests } = await start();
    const repair = platform.faults.add({ match: { path: '/api/v1/analytics/activity' }, kind: 'status', status: 403 });
    const parts = await Promise.all([days.activity(WEEK), days.activity(WEEK)]);
    expect(parts.map((part) => part.kind)).toEqual(['unreadable', 'unreadable']);
    expect(requests()).toHaveLength(1);
    repair();
    expect(await days.activity(WEEK)).toMatchObject({ kind: 'read' });
  });
});

describe('a request for figures', () => {
  test('covers a week of people’s credits at a time, and a quarter of totals', async () => {
    const { days, requests } = await start();
    const period = { first: '2026-01-14', last: '2026-03-01' };
    await days.credits(period);
    expect(requests().toSorted()).toHaveLength(7);
    await days.tools(period);
    expect(requests()).toEqual(['tools 2026-01-14..2026-03-01']);
  });

  test('covers a quarter of sums of credits, which equal the sums of the days in full', async () => {
    const { days, requests } = await start();
    const period = { first: '2026-01-14', last: '2026-03-01' };
    const sums = await days.dailyCredits(period);
    // Days without credits have no rows by model: the activity shows whether there were active people.
    expect(requests()).toEqual(['tokens 2026-01-14..2026-03-01', expect.stringMatching(/^activity /)]);
    const full = await days.credits(period);
    const amountsOf = (part: typeof sums) =>
      part.kind === 'read'
        ? part.rows.filter((row) => row.billable_tokens > 0).map((row) => [row.date, row.billable_tokens])
        : [];
    expect(amountsOf(sums).length).toBeGreaterThan(40);
    expect(amountsOf(sums)).toEqual(amountsOf(full));
  });

  test('is not sent for days that were read a moment ago if the reader accepts this age', async () => {
    const { days, clock, platform, requests } = await start();
    platform.holdDay('2026-03-01');
    await days.activity(WEEK);
    requests();
    clock.moveTo(new Date(NOW.getTime() + 30_000));
    const part = await days.activity(WEEK, { maxAgeMs: 60_000 });
    expect(requests()).toEqual([]);
    expect(part).toMatchObject({ kind: 'read', readAt: NOW });
    await days.activity(WEEK);
    expect(requests()).toEqual(['activity 2026-02-28..2026-03-01']);
  });
});

describe('a day that is not published', () => {
  test('has no row, and appears as soon as the platform has it', async () => {
    const { days, platform } = await start();
    platform.holdDay('2026-02-25');
    const part = await days.productivity(WEEK);
    expect(part.kind === 'read' && part.rows.map(({ date }) => date)).not.toContain('2026-02-25');
    platform.releaseDay('2026-02-25');
    const later = await days.productivity(WEEK);
    expect(later.kind === 'read' && later.rows.map(({ date }) => date)).toContain('2026-02-25');
  });

  test('is never requested if it is today', async () => {
    const { days, requests } = await start();
    await days.activity({ first: '2026-03-01', last: '2026-03-04' });
    expect(requests()).toEqual(['activity 2026-03-01..2026-03-01']);
  });
});

describe('a day without active people', () => {
  const SUNDAYS = { first: '2026-02-15', last: '2026-02-15' };

  test('is published, though it has no rows of people, and is not requested again', async () => {
    const { days, requests, platform } = await start('sqlite', { people: 5 });
    const activity = await days.activity(SUNDAYS);
    expect(activity.kind === 'read' && activity.rows[0]?.daily_active_users).toBe(0);
    requests();
    expect(await days.users(SUNDAYS, () => {})).toMatchObject({ rows: ['2026-02-15'] });
    expect(requests()).toHaveLength(1);
    expect(await days.users(SUNDAYS, () => {})).toMatchObject({ rows: ['2026-02-15'] });
    expect(requests()).toEqual([]);
    expect(predict(platform.organization, SUNDAYS).credits).toBe(0);
  });

  test('does not count as published until an answer of the platform shows it', async () => {
    const { days, platform } = await start('sqlite', { people: 5 });
    const repair = platform.faults.add({ match: { path: '/api/v1/analytics/activity' }, kind: 'status', status: 403 });
    expect(await days.users(SUNDAYS, () => {})).toMatchObject({ rows: [] });
    repair();
    expect(await days.users(SUNDAYS, () => {}, { maxAgeMs: 0 })).toMatchObject({ rows: ['2026-02-15'] });
  });
});

test('the progress of a reading is reported day by day to the last', async () => {
  const { days } = await start();
  const told: string[] = [];
  await days.users(WEEK, () => {}, { onProgress: (done, of) => told.push(`${done} of ${of}`) });
  expect(told.at(-1)).toBe('7 of 7');
  expect(told).toHaveLength(7);
});

test('a store that cannot keep a day costs the next reading another request, not this answer', async () => {
  const { days, platform } = await start();
  const broken = stores[0];
  await broken?.db.schema.dropTable('analytics_days').execute();
  await broken?.db.schema
    .createTable('analytics_days')
    .addColumn('resource', 'text')
    .addColumn('day', 'text')
    .addColumn('part', 'integer')
    .addColumn('state', 'text')
    .addColumn('read_at', 'text')
    .addColumn('fingerprint', 'text')
    .execute();
  expect(await creditsOf(days)).toBe(predict(platform.organization, WEEK).credits);
});

describe.each(availableEngines())('a process on %s that has not read an erasure', (engine) => {
  test('neither shows the erased person nor stores days with their e-mail', async () => {
    const { days, replica } = await start(engine);
    const [store] = stores;
    if (!store) throw new Error('No store was opened');
    const { db } = store;
    const before: UserRow[] = [];
    await days.users(WEEK, (row) => before.push(row));
    const person = before.find(({ user_email: email }) => email !== null);
    if (!person?.user_email) throw new Error('No person has usage');
    const identifiers = { email: [person.user_email], userId: [person.user_id], slackId: [], name: [] };
    const at = NOW.toISOString();
    const erasure = { id: 'k7m2', state: 'asked' as const, askedBy: 'operator', askedAt: at, nextAt: at };
    const pseudonyms = JSON.stringify(pseudonymsByHash('k7m2', identifiers));
    await db.deleteFrom('analyticsDays').execute();
    await db.deleteFrom('analyticsColumns').execute();
    await db.deleteFrom('analyticsPeople').execute();
    await db
      .insertInto('erasures')
      .values({ ...erasure, pseudonyms, identifiers: null, finishedAt: null })
      .execute();
    const shown: UserRow[] = [];
    await replica().users(WEEK, (row) => shown.push(row));
    await replica().peopleCredits(WEEK, () => {});
    expect(JSON.stringify(shown)).not.toContain(person.user_email);
    expect(JSON.stringify(shown)).toContain('erased-k7m2@erased.invalid');
    expect(shown).toHaveLength(before.length);
    const kept = await db.selectFrom('analyticsPeople').select('person').execute();
    expect(kept.length).toBeGreaterThan(0);
    expect(JSON.stringify(kept)).not.toContain(person.user_email);
  });
});

test('the platform is asked for changed days only if they were read more than five minutes ago', async () => {
  const { days, clock, requests } = await start();
  await days.credits(WEEK);
  const hasChanged = watchChanges(days, clock);
  requests();
  expect(await hasChanged(WEEK, NOW)).toBe(false);
  expect(requests()).toEqual([]);
  clock.moveTo(new Date(NOW.getTime() + 6 * 60_000));
  expect(await hasChanged(WEEK, NOW)).toBe(true);
  expect(requests().length).toBeGreaterThan(0);
});
