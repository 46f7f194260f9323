import { WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../../src/core/base/log.ts';
import { createMovableClock } from '../../../src/sandbox/demo/movable-clock.ts';
import { section } from '../../../src/core/slack/blocks/blocks.ts';
import { createHome } from '../../../src/core/slack/inbound/home.ts';
import type { People } from '../../../src/core/slack/people/people.ts';
import { markup } from '../../../src/core/base/text/markup.ts';

const START = new Date('2026-03-02T09:00:00Z');
const LOADING = 'One moment …';

/** App Home with one part that a test holds back, and a Slack that refuses as the test decides. */
function open() {
  const clock = createMovableClock(START, { frozen: true });
  const published: { user: string; text: string }[] = [];
  let refused = 0;
  let reading = Promise.resolve();
  let reads = 0;
  const apiCall = (_method: string, { user_id: user, view }: { user_id: string; view: unknown }) => {
    if (refused > 0) {
      refused -= 1;
      return Promise.reject(new WebAPIRateLimitedError(30));
    }
    published.push({ user, text: JSON.stringify(view) });
    return Promise.resolve({ ok: true });
  };
  const people = {
    identify: (slackId: string) =>
      Promise.resolve({ kind: 'known', person: { slackId, name: slackId, role: 'member', seesPeople: false } }),
  };
  const home = createHome({
    answersWords: false,
    features: [
      {
        name: 'test',
        homeSections: [
          {
            order: 1,
            role: 'member',
            read: async () => {
              reads += 1;
              await reading;
              return [section(markup`page ${String(reads)}`)];
            },
          },
        ],
      },
    ],
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- App Home uses one method of each.
    people: people as unknown as People,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- App Home uses one method of each.
    interactive: { apiCall } as unknown as WebClient,
    clock,
    recordDisclosure: () => Promise.resolve(),
    log: createLogger('fatal', []),
  });
  onTestFinished(() => home.stop());
  return {
    clock,
    published,
    openTab: (user: string) => home.opened({ user, tab: 'home' }),
    refuse: (times: number) => void (refused = times),
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      reading = promise;
      return resolve;
    },
    advance: (ms: number) => clock.moveTo(new Date(clock.now().getTime() + ms)),
  };
}

test('a page that is ready within 0.7 s is published alone', async () => {
  const { openTab, published } = open();
  expect(await openTab('U1')).toBe('published');
  expect(published.map(({ text }) => text.includes(LOADING))).toEqual([false]);
});

test('a page that takes longer follows a loading view', async () => {
  const { openTab, published, hold, advance } = open();
  const release = hold();
  const opened = openTab('U1');
  await expect
    .poll(() => {
      advance(100);
      return published.length;
    })
    .toBe(1);
  release();
  await opened;
  expect(published.map(({ text }) => text.includes(LOADING))).toEqual([true, false]);
});

test('pages that Slack refuses with a 429 are published after its pause, only the newest for each person', async () => {
  const { openTab, published, refuse, advance } = open();
  refuse(1);
  expect(await openTab('U1')).toBe('waiting');
  expect(await Promise.all([openTab('U1'), openTab('U2'), openTab('U1')])).toEqual(['waiting', 'waiting', 'waiting']);
  advance(29_000);
  expect(published).toEqual([]);
  advance(1_000);
  await expect.poll(() => published.length).toBe(2);
  expect(published.map(({ user }) => user).toSorted()).toEqual(['U1', 'U2']);
});
