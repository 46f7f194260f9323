import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { typeCommand } from '../../support/slack/conversation.ts';
import { openByCommand, textOfView } from '../../support/slack/modals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
beforeAll(async () => {
  scene = await startTestApp({ settings: { ADMINS: 'U0ADA,U0MAX', COMPUTERS_ROLE: 'admin', SESSIONS_ROLE: 'admin' } });
});
afterAll(() => scene.close());

describe('a refusal by a feature names the admins to ask', () => {
  test.each([
    ['mia', '/usage', 'people', ' Ask <@U0ADA> or <@U0MAX>, or type /usage me for your own.'],
    ['mia', '/usage', 'people csv', ' Ask <@U0ADA> or <@U0MAX>, or type /usage me for your own.'],
    ['mia', '/usage', 'watch', ' Ask <@U0ADA> or <@U0MAX>.'],
    ['mia', '/readiness', 'watch', ' Ask <@U0ADA> or <@U0MAX>.'],
    ['mia', '/computers', 'retry web', ' Ask <@U0ADA> or <@U0MAX>.'],
    ['mia', '/limits', 'simulate @web-team 3000', ' Ask <@U0ADA> or <@U0MAX>.'],
    ['mia', '/limits', '@nora', ' Ask <@U0ADA> or <@U0MAX>, or type /limits with your own e-mail for yours.'],
    ['morgan', '/limits', 'audit csv', ' Ask <@U0ADA> or <@U0MAX>.'],
    ['morgan', '/limits', 'ending', ' Ask <@U0ADA> or <@U0MAX>.'],
    ['morgan', '/controls', 'watch', ' Ask <@U0ADA> or <@U0MAX>.'],
    [
      'morgan',
      '/session',
      '',
      ' Ask <@U0ADA> or <@U0MAX>, or for your own agent type /session notify or /session mine.',
    ],
  ])('%s: %s %s', async (as, command, text, ending) => {
    const answer = await typeCommand(scene.slack, as, command, text);
    expect(answer.text.endsWith(ending) ? ending : answer.text).toBe(ending);
  });

  test.each([
    ['morgan', '/quartermaster', 'jobs'],
    ['mia', '/limits', 'import'],
    ['mia', '/computers', 'create'],
  ])('in a form, %s: %s %s', async (as, command, text) => {
    const view = textOfView(await openByCommand(scene.slack, as, command, text));
    expect(view).toContain(' Ask <@U0ADA> or <@U0MAX>.');
  });
});
