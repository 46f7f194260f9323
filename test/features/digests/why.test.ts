import { afterEach, expect, test } from 'vitest';
import { listMessage } from '../../../src/features/digests/manage/list-digests.ts';
import { listDigests } from '../../../src/features/digests/core/digest-list.ts';
import { whyMessage } from '../../../src/features/digests/manage/history.ts';
import { enqueueSkipped } from '../../../src/core/outbox/deliveries.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { EVERY_DAY } from '../../../src/core/schedule/occurrences.ts';
import { createSubscription } from '../../../src/core/schedule/subscriptions.ts';
import { checkBlocks } from '../../../src/core/slack/blocks/rules/index.ts';
import type { Person } from '../../../src/core/slack/people/people.ts';
import { openStore } from '../../../src/core/store/database.ts';
import { createDatabase } from '../../support/stores/databases.ts';
import { mrkdwnOf } from '../../../src/core/base/text/markup.ts';

const NOW = new Date('2026-03-20T12:00:00Z');
const DIGESTS = 30;
const morgan: Person = {
  slackId: 'U0MORGAN',
  name: 'Morgan',
  email: undefined,
  timeZone: 'UTC',
  role: 'manager',
  seesPeople: true,
};

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** Many digests, each with one send of today that was skipped for a long reason. */
async function setScene() {
  const database = await createDatabase('sqlite');
  cleanUps.push(() => database.drop());
  const store = await openStore(database.url);
  cleanUps.push(() => store.close());
  const { db } = store;
  await db.transaction().execute(async (trx) => {
    for (let index = 0; index < DIGESTS; index += 1) {
      const id = `d${index}`;
      const schedule = { days: EVERY_DAY, at: '09:00', zone: 'UTC' };
      const subscription = { id, kind: 'digest', channel: 'C1', schedule, settings: {}, owner: 'U0MORGAN' };
      await createSubscription(trx, subscription, NOW);
      const payload = { subscriptionId: id, cadence: 'daily', period: { first: '2026-03-19', last: '2026-03-19' } };
      const about = { about: id, slot: '2026-03-20' };
      const delivery = { key: `digest:${id}:2026-03-20`, kind: 'digest', channel: 'C1', payload, dueAt: NOW, ...about };
      await enqueueSkipped(trx, delivery, NOW, 'A long reason. '.repeat(60));
    }
  });
  return { db, clock: createMovableClock(NOW, { frozen: true }) };
}

test('/digest and /digest why list a bounded number of digests, in a message that Slack accepts, and mention the rest', async () => {
  const parts = await setScene();
  const why = await whyMessage(parts, morgan);
  expect(mrkdwnOf(why.text)).toContain('15 older digests not shown.');
  expect(checkBlocks(why.blocks, 'message')).toEqual([]);
  const list = listMessage(await listDigests(parts, morgan), morgan);
  expect(mrkdwnOf(list.text)).toContain('30 digests');
  expect(mrkdwnOf(list.text)).toContain('10 more digests didn’t fit here.');
  expect(checkBlocks(list.blocks, 'message')).toEqual([]);
});
