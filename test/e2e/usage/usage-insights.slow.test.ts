import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { typeCommand } from '../../support/slack/conversation.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

/** A Thursday: the week before it ended four days ago. */
const THURSDAY = new Date('2026-03-19T09:00:00Z');

let scene: TestApp;
beforeEach(async () => {
  scene = await startTestApp({ at: THURSDAY });
});
afterEach(() => scene.close());

/** The words of an answer about a value, which all periods have in common except for the last words of the question. */
async function saidOf(periods: readonly string[], what: RegExp): Promise<Set<string>> {
  const said = new Set<string>();
  for (const period of periods) {
    const { text } = await typeCommand(scene.slack, 'morgan', '/usage', period);
    said.add(what.exec(text)?.[0] ?? `nothing for ${period}: ${text}`);
  }
  return said;
}

describe('for any requested period', () => {
  test('the forecast of the month is the same, through yesterday', async () => {
    const periods = [
      '7d',
      '20d',
      '28d',
      'this month',
      'last week',
      'yesterday',
      '2026-03-15',
      '2026-03-09..2026-03-16',
    ];
    const said = await saidOf(periods, /\w+ \d+ is on track for about [^\n]*/);
    expect([...said]).toEqual([expect.stringMatching(/^March 2026 is on track for about /)]);
  });

  test('a day is as unusual, compared with the same days before it', async () => {
    scene.platform.reviseDay('2026-03-10', 6);
    const said = await saidOf(
      ['14d more', '20d more', '28d more', 'this month more', 'last week more', '2026-03-10 more'],
      /Tue 10 Mar was unusually high: [\d.]+ [KM] instead of the usual [\d.]+ [KM] for a Tuesday/,
    );
    expect([...said]).toEqual([expect.stringMatching(/^Tue 10 Mar was unusually high: /)]);
  });

  test('a day with too short a history is marked as not judged', async () => {
    const { text } = await typeCommand(scene.slack, 'morgan', '/usage', '2026-01-20..2026-01-22 more');
    expect(text).toContain('Too few days before Tue 20 Jan and 2 more days to say whether they were unusual.');
  });
});
