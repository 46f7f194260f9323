import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { markup, mrkdwnOf } from '../../../src/core/base/text/markup.ts';
import { commandText } from '../../../src/core/slack/commands/command-text.ts';
import type { BlockMessage } from '../../../src/core/slack/blocks/blocks.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { openStore } from '../../../src/core/store/database.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { channelWatch } from '../../../src/core/watches/channel-watch.ts';
import { declareWatches } from '../../../src/core/watches/watch-kind.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/databases.ts';

const watches = declareWatches({ kind: 'weather', options: z.object({ label: z.string() }), recent: z.number() });

let database: TestDatabase;
let store: Store;
const clock = createMovableClock(new Date('2026-03-02T09:00:00Z'), { frozen: true });
afterAll(() => clock.dispose());
beforeEach(async () => {
  database = await createDatabase('sqlite');
  store = await openStore(database.url);
});
afterEach(async () => {
  await store.close();
  await database.drop();
});

function createWatch() {
  return channelWatch(
    {
      db: store.db,
      clock,
      people: { admins: () => Promise.resolve([]) },
      channels: { join: (channel) => Promise.resolve({ kind: 'joined', channel }), find: (id) => Promise.resolve(id) },
    },
    {
      watches,
      command: '/weather',
      role: 'manager',
      notice: 'weather-notice',
      check: () => Promise.resolve({ subject: 'rain', options: { label: 'rain' }, since: null, detail: null }),
      says: {
        alerts: 'Weather alerts',
        example: () => Promise.resolve({ none: 'No example.' }),
        next: 'when it rains',
        pause: { pause: markup`Missed rain stays missed.`, resume: markup`Later rain is posted.` },
        what: ({ options }) => markup`${options.label}`,
        start: markup`They come at dawn.`,
        again: ({ subject }) => commandText`watch ${subject}`,
      },
    },
  );
}

/** A click of a manager on a button with a value, and the answers to it. */
function clickOn(value: string) {
  const answers: string[] = [];
  const show = ({ text }: BlockMessage) => Promise.resolve(void answers.push(mrkdwnOf(text)));
  const click = { value, person: { slackId: 'U0MORGAN' }, reply: { show }, refreshHome: () => Promise.resolve() };
  return { click, answers };
}

describe('the button that ends a watch', () => {
  const start = (channel: string, subject: string) =>
    createWatch().start(channel, 'U0ADA', { subject, options: { label: 'rain' }, since: null, detail: null });
  const remaining = async () => (await watches.list(store.db)).map(({ channel, subject }) => `${channel} ${subject}`);

  test.each([
    ['the only one of a channel, in a released message', 'C0USAGE', 'C0USAGE rain'],
    ['one of several, in a released message', '{"channel":"C0USAGE","repository":"rain"}', 'C0USAGE '],
    ['one of several', '{"channel":"C0USAGE","subject":"rain"}', 'C0USAGE '],
  ])('ends %s', async (_, value, rest) => {
    await start('C0USAGE', '');
    await start('C0USAGE', 'rain');
    const { click, answers } = clickOn(value);
    await createWatch().action.run(click);
    expect(answers).toEqual(['✅ Weather alerts for <#C0USAGE> are off: rain.']);
    expect(await remaining()).toEqual([rest]);
  });

  test('leaves the direct messages of another person', async () => {
    await start('U0ADA', '');
    const { click, answers } = clickOn('{"channel":"U0ADA","subject":""}');
    await createWatch().action.run(click);
    expect(answers).toEqual(['Weather alerts for this channel are already off.']);
    expect(await remaining()).toEqual(['U0ADA ']);
  });
});
