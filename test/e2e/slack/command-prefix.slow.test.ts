import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readInstalledApp } from '../../../src/sandbox/demo/installed-app.ts';
import { nextAnswer } from '../../support/slack/conversation.ts';
import { openByCommand, submitForm } from '../../support/slack/modals.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { askValues } from '../../support/limits/limits.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const PREFIX = 'workspace-';
const COMMANDS = readInstalledApp().commands?.map(({ command }) => command) ?? [];
/** A name of a command that does not exist in this workspace. */
const UNPREFIXED =
  /(?<![\w/.~@-])\/(?:usage|readiness|limits|session|computers|quartermaster|budget|digest|controls)(?![\w/-])/;

let scene: TestApp;
beforeEach(async () => {
  scene = await startTestApp({ settings: { COMMAND_PREFIX: PREFIX, LIMITS_CHANNEL: '#agent-usage' } });
  await scene.slack.control.configure(readInstalledApp(PREFIX));
});
afterEach(() => scene.close());

const type = (as: string, command: string, text: string) =>
  scene.slack.control.command({ as, channel: 'general', command: `/${PREFIX}${command}`, text });

describe('in a workspace whose commands have a prefix', () => {
  test.each(COMMANDS)('%s answers under its own name there, and mentions no other', async (command) => {
    const since = scene.slack.mark();
    await type('ada', command.slice(1), 'help');
    const answer = await nextAnswer(scene.slack, since);
    expect(JSON.stringify(answer.blocks)).toContain(`/${PREFIX}${command.slice(1)}`);
    expect(JSON.stringify([answer.text, answer.blocks]).replaceAll(/"value":"(?:[^"\\]|\\.)*"/g, '')).not.toMatch(
      UNPREFIXED,
    );
  });

  test('a refusal, a button and Home show the prefix, and the button works', async () => {
    const refused = scene.slack.mark();
    await type('mia', 'digest', 'list');
    expect((await nextAnswer(scene.slack, refused)).text).toBe(`${onlyFor('manager', `/${PREFIX}digest`)}U0ADA>.`);
    const misspelled = scene.slack.mark();
    await type('mia', 'usage', 'sumary');
    const answer = await nextAnswer(scene.slack, misspelled);
    expect(answer.text).toContain(`Did you mean /${PREFIX}usage summary?`);
    expect(JSON.stringify(answer.blocks)).toContain('Run it');
    const opened = scene.slack.mark();
    await scene.slack.control.openHome({ as: 'ada' });
    const { view } = await scene.slack.next('home_published', ({ view }) => JSON.stringify(view).includes('Commands'), {
      since: opened,
    });
    expect(JSON.stringify(view)).toContain(`\`/${PREFIX}usage\``);
  });

  test('text typed by a user stays unchanged', async () => {
    const reason = 'see /usage, */limits* and `/digest why`';
    const since = scene.slack.mark();
    await openByCommand(scene.slack, 'mia', `/${PREFIX}limits`, 'request');
    await submitForm(scene.slack, 'mia', askValues({ amount: '700', reason }));
    // Unusual amounts are shown before it is sent.
    await submitForm(scene.slack, 'mia');
    const { message } = await scene.slack.next('message', ({ message: { text } }) => text.includes('see /'), { since });
    expect(JSON.stringify(message.blocks)).toContain('see /usage, ∗/limits∗ and ˋ/digest whyˋ');
    expect(message.text).toContain('see /usage, ∗/limits∗ and ˋ/digest whyˋ');
    expect(message.text).not.toContain('\u2060');
  });
});
