import { afterEach, beforeEach, expect, test } from 'vitest';
import { clickButton, everythingIn, typeCommand } from '../../support/slack/conversation.ts';
import { nextView, submitForm, textOfView } from '../../support/slack/modals.ts';
import { delivered, messagesIn } from '../../support/digests.ts';
import { anyRefusal, onlyFor } from '../../support/slack/refusals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
beforeEach(async () => {
  scene = await startTestApp();
});
afterEach(() => scene.close());

const ask = (as: string, text: string) => typeCommand(scene.slack, as, '/usage', text);

async function choose(groups: readonly string[]): Promise<string> {
  const answer = await ask('ada', 'teams');
  const since = scene.slack.mark();
  await clickButton(scene.slack, 'ada', answer, 'Choose teams');
  await nextView(scene.slack, since);
  return textOfView(await submitForm(scene.slack, 'ada', { teams: { teams: [...groups] } }));
}

test('an admin chooses user groups, and managers see them with all other people as “No team”', async () => {
  expect((await ask('morgan', 'teams')).text).toContain('No teams yet.');
  expect(await choose(['S0WEB'])).toContain('✅ 1 team chosen.');
  const { text } = await ask('morgan', 'teams 7d');
  expect(text).toMatch(/@web-team: Credits [\d,]+, Share \d+%, Change [^,]+, Members 2, Active 2/);
  expect(text).toMatch(/No team: Credits [\d,]+/);
  expect(text).not.toContain('@acme.example');
  expect(await choose([])).toContain('No teams are shown now.');
  expect((await ask('morgan', 'teams')).text).toContain('No teams yet.');
});

test('a manager asks the admins for teams, once a day, and the message opens the form', async () => {
  const answer = await ask('morgan', 'teams');
  const since = scene.slack.mark();
  await clickButton(scene.slack, 'morgan', answer, 'Ask an admin to choose teams');
  await clickButton(scene.slack, 'morgan', answer, 'Ask an admin to choose teams');
  await delivered(scene, 'usage-teams:');
  const { message } = await scene.slack.next(
    'message',
    ({ message: { text } }) => text.includes('asks you to choose'),
    {
      since,
    },
  );
  await clickButton(scene.slack, 'ada', message, 'Choose teams', 'dm');
  expect(textOfView(await nextView(scene.slack, since))).toContain('Which user groups are teams?');
  const { posts } = await messagesIn(scene, 'dm', 'ada');
  expect(posts.filter(({ text }) => text.includes('asks you to choose'))).toHaveLength(1);
});

test('members see no teams, and managers cannot choose them', async () => {
  expect((await ask('mia', 'teams')).text).toContain(onlyFor('manager', 'Figures by team', 'are'));
  expect(everythingIn(await ask('morgan', 'teams'))).not.toContain('Choose teams');
});

test('a forged click that chooses teams on another answer is refused to a manager', async () => {
  const answer = await ask('morgan', 'teams');
  const since = scene.slack.mark();
  const source = { in: 'message' as const, channel: 'general', ts: answer.ts };
  const forged = { type: 'button', action_id: 'usage_choose_teams', value: 'x' };
  await scene.slack.control.click({ as: 'morgan', source, actionId: 'usage_choose_teams', forged });
  expect(textOfView(await nextView(scene.slack, since))).toMatch(anyRefusal('admin'));
});

test('teams are shared only after a confirmation, since a team may have one member', async () => {
  await choose(['S0WEB']);
  const answer = await ask('morgan', 'teams');
  expect(everythingIn(answer)).toContain('Share people’s figures?');
  expect(everythingIn(answer)).not.toContain('"usage_share"');
});
