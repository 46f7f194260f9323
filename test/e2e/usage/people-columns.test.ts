import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MessageView } from '../../../src/sandbox/slack/people/control-types.ts';
import { clickButton, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
beforeAll(async () => {
  scene = await startTestApp();
});
afterAll(() => scene.close());

/** The first row of the only table of an answer, and its second row. */
function rowsOf(answer: MessageView): string[][] {
  const table = answer.blocks.find(({ type }) => type === 'data_table' || type === 'table');
  const rows: unknown[] = Array.isArray(table?.['rows']) ? table['rows'] : [];
  return rows
    .slice(0, 2)
    .map((row) => (Array.isArray(row) ? row.map((cell: { text?: string; value?: unknown }) => cell.text ?? '') : []));
}

// Whoever adds a column decides here whether a phone shows it, and then describes it in docs/commands/usage.md.
test('/usage people shows five columns, and all of them in its details', async () => {
  const { slack } = scene;
  const answer = await typeCommand(slack, 'ada', '/usage', 'people 28d');
  const since = slack.mark();
  await clickButton(slack, 'ada', answer, 'Details');
  const details = await nextAnswer(slack, since);
  const [short = []] = rowsOf(answer);
  const [all = [], first = []] = rowsOf(details);
  expect(short).toEqual(['Person', 'Credits', 'Share', 'Sessions', 'Commits']);
  expect(all).toEqual([
    'Person',
    'Credits',
    'Share',
    'Sessions',
    'Messages',
    'Commits',
    'PRs',
    'Calls per message',
    'Autonomy',
    'Languages',
    'Active days',
    'Last active',
  ]);
  expect(first).toHaveLength(all.length);
});
