import { afterEach, expect, test } from 'vitest';
import { delivered, formValues, messagesIn } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { everythingIn, typeCommand } from '../../support/slack/conversation.ts';
import { explain, pressCheck } from '../../support/slack/explanations.ts';
import { nextView, openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { anyRefusal } from '../../support/slack/refusals.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) =>
  (scene = await startTestApp({ at: new Date('2026-03-11T12:00:00Z'), ...options }));
afterEach(() => scene.close());

async function setUp(fields: Record<string, string | string[] | null>, as = 'morgan'): Promise<string> {
  await openByCommand(scene.slack, as, '/budget', 'new');
  await submitForm(scene.slack, as, formValues(fields));
  const { text } = await typeCommand(scene.slack, as, '/budget');
  return /`(\w+)`/.exec(text)?.[1] ?? '';
}

const show = (as: string, id: string) => typeCommand(scene.slack, as, '/budget', `show ${id}`, 'agent-usage');

/** Clicks the button of a budget on a message that doesn’t have it. */
async function forgeExplain(as: string, id: string): Promise<string> {
  const answer = await typeCommand(scene.slack, as, '/usage', '7d', 'agent-usage');
  const since = scene.slack.mark();
  const source = { in: 'message' as const, channel: 'agent-usage', ts: answer.ts };
  await scene.slack.control.click({ as, source, actionId: 'budget_explain', forged: { value: id } });
  return textOfView(await nextView(scene.slack, since));
}

const numberIn = (text: string, pattern: RegExp) => Number((pattern.exec(text)?.[1] ?? '').replaceAll(',', ''));

test('shows the days of the used credits, the thresholds in credits and the formula of the forecast', async () => {
  await start();
  const id = await setUp({ credits: '90m', actual: '50, 80', forecast: '100' });
  const modal = await explain(scene.slack, 'morgan', await show('morgan', id));
  expect(modal).toContain('Monthly budget of the organization, 1–31 Mar');
  const used = numberIn(modal, /\*Credits used: ([\d,]+)\*/);
  const days = [...modal.matchAll(/\w{3} \d+ Mar: ([\d,]+)/g)].map(([, amount = '']) =>
    Number(amount.replaceAll(',', '')),
  );
  expect(days).toHaveLength(10);
  expect(days.reduce((sum, one) => sum + one, 0)).toBe(used);
  expect(numberIn(modal, /\*Percent used: ([\d,]+)\*/)).toBe(Math.floor((used * 100) / 90_000_000));
  expect(modal).toContain('50%: 45,000,000  ·  80%: 72,000,000');
  expect(modal).toMatch(/\*Expected by 31 Mar: [\d,]+\*\\n.* so far, on 10 days\. The rest is estimated from \d+ days/);
  expect(modal).toMatch(/Final: 1–8 Mar, read <!date.* May still change: 9–10 Mar, read <!date/);
});

test('explains the details of a budget after its warning, also to another manager; members are refused', async () => {
  await start();
  const id = await setUp({ credits: '30m', forecast: '', actual: '50, 80' });
  scene.platform.reviseDay('2026-03-11', 100);
  await moveClock(scene, new Date('2026-03-12T07:00:00Z'));
  await delivered(scene, 'budget:');
  const { posts } = await messagesIn(scene, 'agent-usage');
  expect(posts.map(({ text }) => text)).toContainEqual(expect.stringContaining('past 80%'));
  const details = await show('ada', id);
  expect(await explain(scene.slack, 'ada', details)).toMatch(/Wed 11 Mar: [\d,]+[\s\S]*\*Percent used: \d+\*/);
  expect(await forgeExplain('mia', id)).toMatch(anyRefusal('manager'));
  await explain(scene.slack, 'ada', details);
  scene.platform.reviseDay('2026-03-11', 0.01);
  const result = await pressCheck(scene.slack, 'ada', 'budget_check_now');
  expect(result).toMatch(/✏️ \*Changed\* on 1–11 Mar[\s\S]*Wed 11 Mar: [\d,]+ → [\d,]+/);
  await delivered(scene, 'budget:%:correction:%:note');
});

test('of a small group shows no figure to managers who may not see people, not even by a forged click', async () => {
  await start({ settings: { PEOPLE_ROLE: 'admin' } });
  const id = await setUp({ credits: '30m', whose: 'S0WEB', names: ['names'] }, 'ada');
  const details = await show('ada', id);
  expect(await explain(scene.slack, 'ada', details)).toMatch(/\*Credits used: [\d,]+\*[\s\S]*Tue 10 Mar: [\d,]+/);
  expect(everythingIn(await show('morgan', id))).not.toContain('How was this worked out?');
  const modal = await forgeExplain('morgan', id);
  expect(modal).toContain('How much is used isn’t shown');
  expect(modal).not.toContain('Credits used');
});
