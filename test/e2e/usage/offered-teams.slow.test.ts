import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clickButton, everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { nextView, openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
beforeEach(async () => {
  scene = await startTestApp();
});
afterEach(() => scene.close());

async function choose(groups: readonly string[]): Promise<void> {
  const answer = await typeCommand(scene.slack, 'ada', '/usage', 'teams');
  const since = scene.slack.mark();
  await clickButton(scene.slack, 'ada', answer, 'Choose teams');
  await nextView(scene.slack, since);
  await submitForm(scene.slack, 'ada', { teams: { teams: [...groups] } });
}

describe('the teams that an admin chose', () => {
  test.each(['/digest', '/budget'])('come before other groups in the form of %s, and are marked', async (command) => {
    const order = async () =>
      [
        ...textOfView(await openByCommand(scene.slack, 'ada', command, 'new')).matchAll(
          /"text":"(@[\w-]+)"[^}]*\},"value":"S0\w+"(?:,"description":\{"type":"plain_text","text":"([\w ]+)")?/g,
        ),
      ].map(([, handle, description]) => [handle, description]);
    expect(await order()).toEqual([
      ['@platform-leads', undefined],
      ['@web-team', undefined],
    ]);
    await choose(['S0WEB']);
    expect(await order()).toEqual([
      ['@web-team', 'Team'],
      ['@platform-leads', 'Other group'],
    ]);
  });

  test('are meant by a misspelled name, before other groups, in every command that takes one', async () => {
    await scene.slack.control.setUserGroup({ handle: 'web-tea', members: ['mia'] });
    await choose(['S0WEB']);
    const misspelled = await typeCommand(scene.slack, 'morgan', '/usage', '7d @web-tean', 'agent-usage');
    expect(misspelled.text).toBe('No one in this workspace is called @web-tean. Did you mean @web-team?');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', misspelled, 'Run it', 'agent-usage');
    expect((await nextAnswer(scene.slack, since)).text).toContain('Usage of @web-team');
    const ask = async (command: string, text: string) =>
      (await typeCommand(scene.slack, 'ada', command, text, 'agent-usage')).text;
    expect(await ask('/usage', 'watch me @webteam')).toContain('Did you mean @web-team?');
    expect(await ask('/usage', '@webteam vs @platform-leads last week')).toContain('Did you mean @web-team?');
    expect(await ask('/limits', 'simulate @webteam 3000')).toContain('Did you mean @web-team?');
    expect(await ask('/usage', '@nothing-like-it')).toContain('Pick the name from the list');
  });

  test('are in the help of the commands that take a group', async () => {
    const help = async (command: string) =>
      everythingIn(await typeCommand(scene.slack, 'morgan', command, 'help', 'agent-usage'));
    expect(await help('/usage')).not.toContain('Teams: ');
    await choose(['S0WEB']);
    expect(await help('/usage')).toContain('Teams: @web-team.');
    expect(await help('/limits')).toContain('Teams: @web-team.');
    expect(await help('/computers')).not.toContain('Teams: ');
  });
});
