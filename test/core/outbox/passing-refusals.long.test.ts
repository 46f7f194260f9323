import { expect, onTestFinished, test } from 'vitest';
import { noCheckpoint } from '../../../src/core/base/checkpoint.ts';
import { createLogger } from '../../../src/core/base/log.ts';
import { markup } from '../../../src/core/base/text/markup.ts';
import type { DeliveryKind } from '../../../src/core/outbox/attempts/delivery-outcomes.ts';
import { enqueue } from '../../support/outbox/enqueue.ts';
import { createOutbox } from '../../../src/core/outbox/attempts/worker.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { startSlack, type SandboxSlack } from '../../../src/sandbox/slack/index.ts';
import { createSlackClients } from '../../../src/core/slack/client/clients.ts';
import { createChannels } from '../../../src/core/slack/outbound/channels/channels.ts';
import { createChartSupport } from '../../../src/core/slack/outbound/safe-message.ts';
import { createPoster } from '../../../src/core/slack/outbound/poster.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { deliveriesThere } from '../../support/digests.ts';
import { START } from '../../support/outbox/outbox-scene.ts';
import { INVENTED_ERRORS, POST_MESSAGE_ERRORS } from '../../support/slack/post-message-errors.ts';
import { createDatabase, usualEngine } from '../../support/stores/databases.ts';
import { eventually } from '../../support/waiting.ts';

const log = createLogger('fatal', []);
const OUTAGE_MS = 45_000;
const LATE_MS = 10 * 60_000;

const { final: _final, passing, ...others } = POST_MESSAGE_ERRORS;
/** A rate limit names its own wait, and after an unknown outcome the history is read first. */
const PASSING = new Set<string>([...passing, ...others.installation, ...INVENTED_ERRORS]);
const CODES = [...PASSING, ...Object.values(others).flat()];

/** One channel for each code, and one delivery in it. */
interface Posting {
  code: string;
  channel: string;
  key: string;
}

async function startPostings(isLate: boolean) {
  const clock = createMovableClock(START, { frozen: true });
  onTestFinished(() => clock.dispose());
  const slack = await startSlack({ clock });
  onTestFinished(() => slack.close());
  const database = await createDatabase(usualEngine());
  onTestFinished(() => database.drop());
  const store = await openStore(database.url, undefined, () => clock.now());
  onTestFinished(() => store.close());
  const clients = createSlackClients(slack.botToken, slack.apiUrl, log);
  const kind: DeliveryKind = {
    prepare: ({ key }) => Promise.resolve({ kind: 'send', message: { text: markup`message ${key}` } }),
  };
  const outbox = createOutbox({
    db: store.db,
    engine: usualEngine(),
    commits: store.commits,
    clock,
    poster: createPoster({
      ...clients,
      botUserId: 'U0QUARTERMASTER',
      charts: createChartSupport(clock),
      channels: createChannels({ ...clients, clock, allowShared: false }),
      log,
    }),
    kinds: { test: kind },
    log,
    replica: 'replica',
    checkpoint: noCheckpoint,
  });
  onTestFinished(() => outbox.stop());
  const postings: Posting[] = [];
  for (const [index, code] of CODES.entries()) {
    const { id } = await slack.control.addChannel({ name: `channel-${index}`, members: ['ada'] });
    await slack.control.invite({ as: 'ada', channel: id, who: 'app' });
    postings.push({ code, channel: id, key: `key-${index}` });
  }
  const dueAt = new Date(START.getTime() - (isLate ? LATE_MS : 0));
  await store.db.transaction().execute(async (trx) => {
    for (const { key, channel } of postings)
      await enqueue(trx, { key, kind: 'test', channel, payload: {}, dueAt }, clock.now());
  });
  return { clock, slack, store, outbox, postings };
}

const rowsOf = ({ db }: Store) => db.selectFrom('deliveries').selectAll().execute();

/** Moves the clock from attempt to attempt, never past `until`; each attempt takes no time. */
async function passTime({ clock, store, outbox }: Awaited<ReturnType<typeof startPostings>>, until: Date) {
  for (;;) {
    const rows = await eventually(
      async () => {
        const now = clock.now().toISOString();
        const all = await rowsOf(store);
        const isQuiet = all.every(
          ({ state, nextAttemptAt: next }) =>
            ['sent', 'failed'].includes(state) || (['waiting', 'unknown'].includes(state) && next > now),
        );
        return isQuiet ? all : undefined;
      },
      () => deliveriesThere(store.db),
    );
    const next = rows
      .filter(({ state }) => state === 'waiting' || state === 'unknown')
      .map(({ nextAttemptAt: at }) => at)
      .toSorted()[0];
    if (next === undefined || next > until.toISOString()) break;
    clock.moveTo(new Date(next));
    outbox.poke();
  }
  clock.moveTo(until);
  outbox.poke();
}

const postsIn = (slack: SandboxSlack, channel: string) =>
  slack.workspace.channels.get(channel)?.messages.filter(({ text }) => text.startsWith('message ')).length;

test.each([
  ['posts are refused', 'chat.postMessage', 'punctual', false],
  ['posts are refused', 'chat.postMessage', 'late', true],
  ['everything is refused', '*', 'punctual', false],
  ['everything is refused', '*', 'late', true],
])(
  '45 seconds in which %s (%s) with any code that is not final delay a %s delivery by at most that time again, and it is posted once',
  async (_what, method, _when, isLate) => {
    const scene = await startPostings(isLate);
    const { slack, store, outbox, postings } = scene;
    for (const { code, channel } of postings)
      slack.faults.add({ method, kind: 'error', error: code, when: (args) => args['channel'] === channel });
    outbox.start();
    await passTime(scene, new Date(START.getTime() + OUTAGE_MS));
    expect((await rowsOf(store)).map(({ state }) => state)).not.toContain('failed');
    expect(postings.map(({ channel }) => postsIn(slack, channel))).toEqual(postings.map(() => 0));
    slack.faults.clear();
    await passTime(scene, new Date(START.getTime() + LATE_MS));
    expect(postings.filter(({ channel }) => postsIn(slack, channel) !== 1)).toEqual([]);
    const limit = new Date(START.getTime() + 2 * OUTAGE_MS).toISOString();
    const sentAt = new Map((await rowsOf(store)).map(({ key, sentAt: at }) => [key, at]));
    const isLater = ({ key }: Posting) => (sentAt.get(key) ?? '9') > limit;
    expect(postings.filter((posting) => PASSING.has(posting.code) && isLater(posting))).toEqual([]);
  },
  120_000,
);
