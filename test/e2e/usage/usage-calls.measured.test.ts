import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readText } from '../../repository/parsing/sources.ts';
import { type CallWaves, startCallWaves } from '../../support/platform/call-waves.ts';
import { freePort } from '../../support/processes/free-port.ts';
import { typeCommand } from '../../support/slack/conversation.ts';
import { startTestApp } from '../../support/test-app.ts';
import { moveClock } from '../../support/scene-clock.ts';

/** The table of the document: a view, the calls and round trips of its first answer, the calls of the next, the least. */
const ROW = /^\| `(\w+)` \| (\d+) in (\d+) \| (\d+) \| (\d+) \|$/gm;

/** The resources of each view by the contract: each has an address of its own, and says what may still have changed. */
const RESOURCES: Readonly<Record<string, readonly string[]>> = {
  summary: ['activity', 'tokens', 'productivity'],
  credits: ['activity', 'tokens'],
  people: ['activity', 'users'],
  teams: ['activity', 'tokens'],
  tools: ['activity', 'tools'],
  activity: ['activity'],
  productivity: ['activity', 'productivity', 'tokens by model'],
  models: ['activity', 'tokens'],
  moved: ['activity', 'tokens', 'tools'],
  me: ['activity', 'tokens'],
};
const ROWS = readText('docs/performance.md')
  .matchAll(ROW)
  .map(([, view = '', calls, waves, again, least]) => ({
    view,
    first: { calls: Number(calls), waves: Number(waves) },
    again: Number(again),
    least: Number(least),
  }))
  .toArray();

let port: number;
let waves: CallWaves;
beforeAll(async () => {
  port = await freePort();
  waves = await startCallWaves(port);
});
afterAll(() => waves.close());

describe('the calls of a view of four weeks', () => {
  test('are listed for each view of the organization, and for people', () => {
    expect(ROWS.map(({ view, least }) => [view, least])).toEqual(
      Object.entries(RESOURCES).map(([view, resources]) => [view, resources.length]),
    );
  });

  test('are the least once its days are stored', () => {
    expect(ROWS.filter(({ again, least }) => again !== least)).toEqual([]);
  });

  test.each(ROWS)(
    '/usage $view 28d: as the document says, and one round trip once its days are stored',
    async (row) => {
      const scene = await startTestApp({ platform: { port }, settings: { PLATFORM_BASE_URL: waves.url } });
      onTestFinished(() => scene.close());
      const answer = () => waves.count(() => typeCommand(scene.slack, 'morgan', '/usage', `${row.view} 28d`));
      expect(await answer()).toEqual(row.first);
      expect(await answer()).toEqual({ calls: row.again, waves: 1 });
    },
  );
});

const IN_FORCE =
  /^On a platform that shows limits, `me` makes (\d+) calls? more, in the same round trips, and none more again within a minute\.$/m;

test('on a platform that shows limits, they are read in the same round trip as the days', async () => {
  const more = Number(IN_FORCE.exec(readText('docs/performance.md'))?.[1]);
  const row = ROWS.find(({ view }) => view === 'me');
  const platform = { port, edition: 'today' as const };
  const both = await startCallWaves(port, '/analytics/|/usage/limits/');
  const scene = await startTestApp({ platform, settings: { PLATFORM_BASE_URL: both.url } });
  onTestFinished(async () => {
    await scene.close();
    await both.close();
  });
  const answer = () => both.count(() => typeCommand(scene.slack, 'morgan', '/usage', 'me 28d'));
  // The reading at the start is a minute old.
  await moveClock(scene, new Date(scene.clock.now().getTime() + 61_000));
  const first = await answer();
  expect(first).toEqual({ calls: (row?.first.calls ?? 0) + more, waves: row?.first.waves });
  expect(await answer()).toEqual({ calls: row?.again, waves: 1 });
});
