import { describe, expect, test } from 'vitest';
import { createAnalyticsDays, type AnalyticsDays } from '../../../src/core/analytics/days.ts';
import { readStoredDays } from '../../../src/core/analytics/reading/day-store.ts';
import { peopleRetention } from '../../../src/core/analytics/reading/roll-up.ts';
import { plusDays, type Period } from '../../../src/core/base/time/calendar.ts';
import { type Engine } from '../../../src/core/store/store.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { setAnalyticsScene } from '../../support/stores/analytics-scene.ts';
import { predict } from '../../support/prediction.ts';
import { rowsOfColumns } from '../../support/credits-columns.ts';

const NOW = new Date('2026-05-04T07:00:00Z');
const KEPT_DAYS = 40;
/** 40 days before. */
const FIRST_KEPT = '2026-03-25';
const OLD = { first: '2026-02-23', last: '2026-03-08' };
const ACROSS = { first: '2026-03-18', last: '2026-03-31' };

async function start(engine: Engine, people = 30) {
  const scene = await setAnalyticsScene({ now: NOW, people, engine });
  const { platform, client, db } = scene;
  const keeping = (peopleDays: number) => createAnalyticsDays({ ...scene, platform: client, peopleDays });
  const prune = async (days = KEPT_DAYS) => {
    let rows = 0;
    const before = new Date(NOW.getTime() - days * 86_400_000);
    for await (const deleted of peopleRetention.prune(db, before)) rows += deleted;
    return rows;
  };
  const rowsOfPeople = async () => {
    const rows = await db.selectFrom('analyticsColumns').select('day').where('resource', '=', 'tokens').execute();
    return new Set(rows.map(({ day }) => day));
  };
  return { platform, db, keeping, prune, rowsOfPeople, requests: () => platform.requests.length };
}

/** The content of an answer about the organization, without the time of its reading. */
async function organizationOf(days: AnalyticsDays, period: Period) {
  const parts = [
    await days.credits(period),
    await days.dailyCredits(period),
    await days.tools(period),
    await days.activity(period),
    await days.productivity(period),
  ];
  return parts.map((part) => (part.kind === 'read' ? part.rows : part));
}

async function peopleOf(days: AnalyticsDays, period: Period) {
  const credits = new Map<string, number>();
  const part = await days.peopleCredits(period, (day) => {
    for (const { user_id: id, user_email: email, billable_tokens: amount } of rowsOfColumns(day)) {
      const key = email?.toLowerCase() ?? id;
      credits.set(key, (credits.get(key) ?? 0) + (amount ?? 0));
    }
  });
  const users = await days.users(period, () => {});
  return {
    credits,
    days: part.kind === 'read' ? part.rows : part,
    userDays: users.kind === 'read' ? users.rows : users,
  };
}

const withCredits = (people: ReadonlyMap<string, number>) => new Map([...people].filter(([, amount]) => amount > 0));

describe.each(availableEngines())('days whose people are past their retention, on %s', (engine) => {
  test('give the same figures of the organization as before, from the store alone', async () => {
    const { keeping, prune, requests, rowsOfPeople } = await start(engine);
    const days = keeping(375);
    await peopleOf(days, OLD);
    await peopleOf(days, ACROSS);
    const before = [await organizationOf(days, OLD), await organizationOf(days, ACROSS)];
    expect(await prune()).toBeGreaterThan(0);
    const asked = requests();
    const rolledUp = keeping(KEPT_DAYS);
    expect([await organizationOf(rolledUp, OLD), await organizationOf(rolledUp, ACROSS)]).toEqual(before);
    expect(requests()).toBe(asked);
    // A day's people stay for a day longer, because a request may be reading them at midnight.
    expect([...(await rowsOfPeople())].toSorted()[0]).toBe(plusDays(FIRST_KEPT, -1));
    expect(await prune()).toBe(0);
  });

  test('have no people, which differs from people without usage, and are not requested from the platform again', async () => {
    const { keeping, prune, requests, platform } = await start(engine);
    await peopleOf(keeping(375), ACROSS);
    await prune();
    const asked = requests();
    const days = keeping(KEPT_DAYS);
    expect(days.beginningOfPeople()).toEqual({ first: FIRST_KEPT, keptDays: KEPT_DAYS });
    const { credits, days: read, userDays } = await peopleOf(days, ACROSS);
    expect(read).toEqual([
      '2026-03-25',
      '2026-03-26',
      '2026-03-27',
      '2026-03-28',
      '2026-03-29',
      '2026-03-30',
      '2026-03-31',
    ]);
    expect(userDays).toEqual(read);
    const expected = predict(platform.organization, { first: FIRST_KEPT, last: ACROSS.last }).people;
    expect(withCredits(credits)).toEqual(withCredits(expected));
    expect(await peopleOf(days, OLD)).toEqual({ credits: new Map(), days: [], userDays: [] });
    expect(requests()).toBe(asked);
  });

  test('that are read from the platform only later are stored without their people', async () => {
    const { keeping, rowsOfPeople } = await start(engine);
    const days = keeping(KEPT_DAYS);
    const read = await organizationOf(days, OLD);
    expect(read[0]).toHaveLength(14);
    expect(await rowsOfPeople()).toEqual(new Set());
    expect(await organizationOf(days, OLD)).toEqual(read);
  });

  test('get their people back from the platform when the retention is extended', async () => {
    const { keeping, prune, platform } = await start(engine);
    await peopleOf(keeping(375), OLD);
    await prune();
    const { credits, days } = await peopleOf(keeping(375), OLD);
    expect(days).toHaveLength(14);
    expect(withCredits(credits)).toEqual(withCredits(predict(platform.organization, OLD).people));
  });

  test('are rolled up whole or not at all, at whatever point the process stops', async () => {
    const { db, keeping, prune, rowsOfPeople } = await start(engine, 20);
    const days = keeping(375);
    const whole = (await peopleOf(days, OLD)).credits;
    const before = new Date(NOW.getTime() - KEPT_DAYS * 86_400_000);
    const withPeople = await rowsOfPeople();
    expect(withPeople.size).toBeGreaterThan(5);
    // Each turn of the loop is one transaction; the generator is left after it, as if the process had died.
    for (;;) {
      const { value: rows } = await peopleRetention.prune(db, before)[Symbol.asyncIterator]().next();
      if (rows === undefined) break;
      const left = await rowsOfPeople();
      const found = [...(await readStoredDays(db, 'tokens', OLD)).values()].filter(({ day }) => withPeople.has(day));
      expect(found.map(({ day, state }) => [day, state])).toEqual(
        found.map(({ day }) => [day, left.has(day) ? 'settled' : 'rolled_up']),
      );
    }
    expect(await prune()).toBe(0);
    expect((await peopleOf(days, OLD)).credits).toEqual(whole);
  });
});
