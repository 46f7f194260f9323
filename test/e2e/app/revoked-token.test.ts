import { afterEach, expect, test } from 'vitest';
import { readReadiness } from '../../support/slack/refreshes.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
afterEach(() => scene.close());

test('a token that Slack refuses over HTTP fails /readyz at once, until Slack accepts it again', async () => {
  scene = await startTestApp({ transport: 'http' });
  const { slack, app } = scene;
  expect(await readReadiness(app.port)).toMatchObject({ slack: 'in order' });
  slack.faults.add({ method: '*', kind: 'error', error: 'token_revoked' });
  // Any request to Slack detects it: here the page of a person who opens App Home.
  await slack.control.openHome({ as: 'mia' });
  await expect.poll(() => readReadiness(app.port)).toMatchObject({ slack: 'not in order' });
  expect(scene.log.map(({ msg }) => msg)).toContain('Slack refuses the bot’s token');
  expect(slack.traffic.latest(50).map(({ method }) => method)).toContain('auth.test');

  slack.faults.clear();
  await slack.control.openHome({ as: 'mia' });
  await expect.poll(() => readReadiness(app.port)).toMatchObject({ slack: 'in order' });
});
