import { afterEach, describe, expect, test } from 'vitest';
import { OPTIONAL_SCOPES } from '../../../src/core/slack/client/optional-scopes.ts';
import { DEFAULT_SCOPES } from '../../../src/sandbox/slack/model/seed.ts';
import { formValues } from '../../support/digests.ts';
import { uploadList } from '../../support/limits/limit-lists.ts';
import { typeCommand } from '../../support/slack/conversation.ts';
import { openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
afterEach(() => scene.close());

const openWithout = async (...declined: string[]) => {
  const scopes = DEFAULT_SCOPES.filter((scope) => !declined.includes(scope));
  scene = await startTestApp();
  await scene.slack.control.configure({ scopes });
};

const status = async (as: string) => (await typeCommand(scene.slack, as, '/quartermaster')).text;

describe('an app that was installed without', () => {
  test.each(Object.entries(OPTIONAL_SCOPES))(
    '%s says to admins once what is lost, and works',
    async (scope, { lost }) => {
      await openWithout(scope);
      const said = await status('ada');
      expect(said.split(`Slack didn’t grant \`${scope}\`: ${lost}`)).toHaveLength(2);
      expect(said.match(/didn’t grant/g)).toHaveLength(1);
      expect(await status('mia')).not.toContain('didn’t grant');
      expect((await typeCommand(scene.slack, 'morgan', '/usage', '7d')).text).toMatch(/credits/);
    },
  );

  test('channels:join keeps the form of a digest for a public channel until somebody invites it', async () => {
    await openWithout('channels:join');
    await openByCommand(scene.slack, 'morgan', '/digest', 'new');
    const values = formValues({ channel: 'C0RANDOM' });
    const view = textOfView(await submitForm(scene.slack, 'morgan', values));
    expect(view).toContain('Nothing is set up yet.');
    expect(view).toContain('/invite @Quartermaster');
  });

  test('files:read refuses an uploaded list of limits', async () => {
    await openWithout('files:read');
    const view = textOfView(await uploadList(scene, Buffer.from('mia@acme.example,5m')));
    expect(view).toContain(OPTIONAL_SCOPES['files:read']?.lost);
  });

  test('files:write says that it can’t send a file', async () => {
    await openWithout('files:write');
    const said = (await typeCommand(scene.slack, 'morgan', '/usage', '7d csv')).text;
    expect(said).toContain(OPTIONAL_SCOPES['files:write']?.lost);
  });

  test('app_mentions:read answers direct messages', async () => {
    await openWithout('app_mentions:read');
    const since = scene.slack.mark();
    await scene.slack.control.post({ as: 'mia', channel: 'dm', text: 'usage last week' });
    const isAnswer = ({ message }: { message: { text: string } }) => message.text.includes('Read as');
    const { message } = await scene.slack.next('message', isAnswer, { since });
    expect(message.text).toContain('credits');
  });
});

test('an app with every scope says nothing about them', async () => {
  await openWithout();
  expect(await status('ada')).not.toContain('didn’t grant');
});
