import { afterEach, beforeEach, expect, test } from 'vitest';
import { setLimit } from '../../support/limits/known-limit.ts';
import { everythingIn, typeCommand } from '../../support/slack/conversation.ts';
import { explain, explainUsage, pressCheck } from '../../support/slack/explanations.ts';
import { nextView, textOfView } from '../../support/slack/modals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
beforeEach(async () => {
  scene = await startTestApp({ at: new Date('2026-03-24T09:00:00Z'), settings: { LIMIT_PERIOD: 'month' } });
  const email = 'mia.member@acme.example';
  await setLimit(scene, { email, value: 900_000_000, at: '2026-03-03T10:00:00.000Z' });
});
afterEach(() => scene.close());

const LIMIT = '*Your limit: 900,000,000*';

test('the run-out line of /limits is explained, and its days can be checked', async () => {
  const modal = await explain(scene.slack, 'mia', await typeCommand(scene.slack, 'mia', '/limits', '', 'agent-usage'));
  expect(modal).toContain('*Will I run out?*');
  expect(modal).toContain(`${LIMIT}\\nIt was set here on 3 Mar. It counts over each month.`);
  expect(modal).toMatch(/\*Used of your limit: [\d,.]+\*[\s\S]*Mon 2 Mar: [\d,.]+/);
  expect(modal).toMatch(/Final: 1–21 Mar, read <!date/);
  expect(modal).toMatch(
    /\*A week at your pace: [\d,.]+\*\\nFor each weekday, the share of days with use[\s\S]*Monday: [\d,.]+ {2}· {2}Tuesday: /,
  );
  expect(modal).toMatch(/\*Expected by 31 Mar: [\d,.]+\*[\s\S]*stays below 900,000,000 until the end of the month/);
  expect(await pressCheck(scene.slack, 'mia')).toContain('✅ *Unchanged: ');
});

test('App Home has the button, and it explains only the line of the person who presses it', async () => {
  const since = scene.slack.mark();
  await scene.slack.control.openHome({ as: 'mia' });
  const isReady = ({ view }: { view: Parameters<typeof textOfView>[0] }) => !textOfView(view).includes('One moment …');
  const home = textOfView((await scene.slack.next('home_published', isReady, { since })).view);
  expect(home).toContain('How was this worked out?');
  const message = await typeCommand(scene.slack, 'mia', '/limits', '', 'agent-usage');
  const source = { in: 'message' as const, channel: 'agent-usage', ts: message.ts };
  const sinceClick = scene.slack.mark();
  const answer = await typeCommand(scene.slack, 'max', '/usage', '7d', 'agent-usage');
  const forged = { value: '#own-limit' };
  await scene.slack.control.click({
    as: 'max',
    source: { ...source, ts: answer.ts },
    actionId: 'usage_explain',
    forged,
  });
  const modal = textOfView(await nextView(scene.slack, sinceClick));
  expect(modal).toContain('Your limit or its use isn’t known now.');
  expect(modal).not.toContain('900,000,000');
});

test('an answer of /usage has one button, which also explains the line above it', async () => {
  const answer = await typeCommand(scene.slack, 'mia', '/usage', 'me', 'agent-usage');
  expect(everythingIn(answer).match(/How was this worked out\?/g)).toHaveLength(1);
  expect(await explain(scene.slack, 'mia', answer)).toContain(LIMIT);
  expect(await explainUsage(scene.slack, 'max', '7d')).not.toContain('Your limit');
});
