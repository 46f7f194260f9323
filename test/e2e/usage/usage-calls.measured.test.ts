import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readText } from '../../repository/parsing/sources.ts';
import { type CallWaves, startCallWaves } from '../../support/platform/call-waves.ts';
import { freePort } from '../../support/processes/free-port.ts';
import { typeCommand } from '../../support/slack/conversation.ts';
import { startTestApp } from '../../support/test-app.ts';

/** The table of the document: a view, the calls and round trips of its first answer, the calls of the next. */
const ROW = /^\| `(\w+)` \| (\d+) in (\d+) \| (\d+) \|$/gm;
const ROWS = readText('docs/performance.md')
  .matchAll(ROW)
  .map(([, view = '', calls, waves, again]) => ({
    view,
    first: { calls: Number(calls), waves: Number(waves) },
    again: Number(again),
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
    expect(ROWS.map(({ view }) => view)).toEqual([
      'summary',
      'credits',
      'people',
      'teams',
      'tools',
      'activity',
      'productivity',
      'models',
      'moved',
      'me',
    ]);
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
