import { z } from 'zod';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { change, nextPoll, noticesIn, repliesIn, startWatching } from '../../support/controls.ts';
import { typeCommand } from '../../support/slack/conversation.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import type { TestApp } from '../../support/test-app.ts';
import { moveClock, passTo } from '../../support/scene-clock.ts';

let scene: TestApp;
beforeEach(async () => {
  scene = await startWatching();
});
afterEach(() => scene.close());

const byModel = z.object({
  data: z.array(z.object({ group_key: z.string(), billable_tokens: z.number() })),
});

/** The share of a model in the 28 days before 2 March, read from the platform itself. */
async function shareOf(model: string): Promise<number> {
  const query = new URLSearchParams({ startDate: '2026-02-02', endDate: '2026-03-01', group_by: 'model' });
  const headers = { authorization: `Bearer ${scene.platform.apiKeys.manager}` };
  const answer = await fetch(`${scene.platform.baseUrl}/api/v1/analytics/tokens?${query.toString()}`, { headers });
  const { data } = byModel.parse(await answer.json());
  const sum = (rows: typeof data) => rows.reduce((total, row) => total + row.billable_tokens, 0);
  return Math.round((100 * sum(data.filter(({ group_key: name }) => name === model))) / sum(data));
}

async function noticeAbout(settings: Record<string, unknown>): Promise<string> {
  // Revisions that follow each other within minutes share a notice.
  await moveClock(scene, new Date(scene.clock.now().getTime() + 3 * 3_600_000));
  const before = (await noticesIn(scene, 0)).length;
  await change(scene, settings);
  await nextPoll(scene);
  return (await noticesIn(scene, before + 1)).at(-1)?.text ?? '';
}

const lineIn = (text: string) => text.split('\n').find((line) => line.startsWith('📊')) ?? '';
const block = (...models: string[]) => ({ modelPolicy: { blockedModelIds: models } });

test('a revision that names a model and a server says how much they were used, and never that they are blocked', async () => {
  const text = await noticeAbout({ ...block('atlas-large'), mcpPolicy: { enabled: true, allowlist: ['github'] } });
  const line = lineIn(text);
  expect(line).toContain(`model \`atlas-large\`, ${await shareOf('atlas-large')}% of credits`);
  expect(line).toContain('(28 days before).');
  expect(line).not.toMatch(/block/i);
});

test('people are counted where the store holds their days, and a small group has no number', async () => {
  expect(lineIn(await noticeAbout(block('atlas-large')))).not.toContain('main model');
  await typeCommand(scene.slack, 'ada', '/usage', 'people 28d');
  const line = lineIn(await noticeAbout(block('atlas-large', 'cinder-mini', 'boreal-2')));
  expect(line).toMatch(/main model of (\d+|fewer than 5) people/);
  for (const [, count] of line.matchAll(/main model of (\d+) people/g)) expect(Number(count)).toBeGreaterThanOrEqual(5);
});

test('a revision that names neither has no such line', async () => {
  expect(lineIn(await noticeAbout({ sessionRetentionDays: 45 }))).toBe('');
  expect(lineIn(await noticeAbout(block('a-model-that-nobody-used')))).toBe('');
});

test('seven settled days later, one note in its thread says what people moved to, and credits beside the usual', async () => {
  await typeCommand(scene.slack, 'ada', '/usage', 'people 28d');
  await noticeAbout(block('atlas-large'));
  const before = (await repliesIn(scene, 0)).length;
  await moveClock(scene, new Date('2026-03-09T12:00:00Z'));
  expect((await repliesIn(scene, before)).filter(({ text }) => text.includes('Seven days after'))).toEqual([]);
  await passTo(scene, new Date('2026-03-20T12:00:00Z'));
  // Days of which a reading began before the jump are as of then, and the note asks again after six hours.
  await moveClock(scene, new Date('2026-03-20T18:30:00Z'));
  const notes = (await repliesIn(scene, before + 1)).filter(({ text }) => text.includes('Seven days after'));
  expect(notes).toHaveLength(1);
  const [note] = notes;
  expect(note?.text).toContain('(3–9 Mar 2026, UTC)');
  expect(note?.text).toMatch(/`atlas-large`: \d+% of credits before, \d+% after\./);
  expect(note?.text).toMatch(
    /Credits: \*[\d.]+ [KMB]\*, (each day within its usual range|\d+ days? (above|below) the usual)/,
  );
});

test('who may not see the controls reads the refusal, and managers see the line in /controls', async () => {
  await noticeAbout(block('atlas-large'));
  expect((await typeCommand(scene.slack, 'mia', '/controls', '')).text).toContain(onlyFor('manager', '/controls'));
  expect(lineIn((await typeCommand(scene.slack, 'morgan', '/controls', '')).text)).toContain('`atlas-large`');
});
