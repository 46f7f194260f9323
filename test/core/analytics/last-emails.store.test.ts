import { expect, test } from 'vitest';
import { createAnalyticsDays } from '../../../src/core/analytics/days.ts';
import type { UserRow } from '../../../src/core/platform/endpoints/analytics-rows.ts';
import { createPeopleFold } from '../../../src/core/figures/measures/people-fold.ts';
import { createPeopleSpendFold } from '../../../src/core/figures/measures/people-spend.ts';
import { setAnalyticsScene } from '../../support/stores/analytics-scene.ts';
import { usualEngine } from '../../support/stores/databases.ts';

const NOW = new Date('2026-03-06T07:00:00Z');
const WEEK = { first: '2026-02-23', last: '2026-03-01' };
const LOST = '2026-03-04';
const DAY = { first: LOST, last: LOST };

/** A platform that leaves an e-mail out: of whom, and on which days. */
async function start(isLeftOut: (id: string, day: string) => boolean) {
  const scene = await setAnalyticsScene({ now: NOW, people: 12, engine: usualEngine() });
  const { analytics } = scene.client;
  const platform = {
    ...scene.client,
    analytics: {
      ...analytics,
      changedTokens: async (range: Parameters<typeof analytics.tokens>[0]) => {
        const answer = await analytics.tokens(range);
        const data = answer.data.map((row) => ({
          ...row,
          by_user: row.by_user.map((one) => (isLeftOut(one.user_id, row.date) ? { ...one, user_email: null } : one)),
        }));
        return { body: { digest: '', bytes: 0 }, answer: { ...answer, data } };
      },
      userPages: async function* (range: Parameters<typeof analytics.userPages>[0]) {
        for await (const page of analytics.userPages(range))
          yield page.map((row): UserRow => (isLeftOut(row.user_id, row.date) ? { ...row, user_email: null } : row));
      },
    },
  };
  const days = () => createAnalyticsDays({ ...scene, peopleDays: 375, platform });
  const rows: { id: string; email: string | null }[] = [];
  await createAnalyticsDays({ ...scene, peopleDays: 375, platform: scene.client }).users(
    DAY,
    ({ user_id: id, user_email: email }) => {
      rows.push({ id, email });
    },
  );
  await scene.db.deleteFrom('analyticsDays').execute();
  const person = rows.find(({ email }) => email !== null);
  if (!person?.email) throw new Error('Nobody with an e-mail was active on that day');
  return { days, clock: scene.clock, id: person.id, email: person.email.toLowerCase() };
}

/** Who has the figures of that id on the day, by each of the two resources. */
async function seenOn(days: ReturnType<Awaited<ReturnType<typeof start>>['days']>, id: string) {
  const [totals, spend] = [createPeopleFold(), createPeopleSpendFold(DAY, undefined)];
  await days.users(DAY, (row) => totals.add(row));
  await days.peopleCredits(DAY, (row) => spend.add(row));
  return [[...totals.people()], spend.people()].map((people) => people.find(({ userId }) => userId === id)?.key);
}

test('a person whose e-mail is left out on one day is known by the last one that the store has', async () => {
  let isMeant = (_id: string) => false;
  const { days, id, email } = await start((one, day) => day === LOST && isMeant(one));
  isMeant = (one) => one === id;
  await days().peopleCredits(WEEK, () => {});
  expect(await seenOn(days(), id)).toEqual([email, email]);
});

test('a person whose e-mail the store does not know is known by the id, until another answer stores it', async () => {
  let isMeant = (_id: string) => false;
  const { days, id, email, clock } = await start((one, day) => day === LOST && isMeant(one));
  isMeant = (one) => one === id;
  const running = days();
  expect(await seenOn(running, id)).toEqual([`id:${id}`, `id:${id}`]);
  await running.peopleCredits(WEEK, () => {});
  clock.moveTo(new Date(NOW.getTime() + 10 * 60_000));
  expect(await seenOn(running, id)).toEqual([email, email]);
});

test('a person who never has an e-mail stays without one', async () => {
  let isMeant = (_id: string) => false;
  const { days, id } = await start((one) => isMeant(one));
  isMeant = (one) => one === id;
  await days().peopleCredits(WEEK, () => {});
  expect(await seenOn(days(), id)).toEqual([`id:${id}`, `id:${id}`]);
});
