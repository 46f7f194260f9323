import { afterEach, expect, test } from 'vitest';
import { typeCommand } from '../../support/slack/conversation.ts';
import { ask, openReview } from '../../support/limits/limits.ts';
import { nextView, textOfView } from '../../support/slack/modals.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
afterEach(() => scene.close());

test('/limits simulate names the people that a limit would have stopped to admins alone, and refuses members', async () => {
  scene = await startTestApp({ at: new Date('2026-03-24T09:00:00Z') });
  const ask = async (as: string) =>
    (await typeCommand(scene.slack, as, '/limits', 'simulate @web-team 1k per week')).text;
  const forManager = await ask('morgan');
  expect(forManager).toMatch(
    /With 1 K a week, \d of \d people of @web-team would have been stopped in the last 8 weeks\./,
  );
  expect(forManager).not.toContain('Most affected');
  expect(await ask('ada')).toMatch(
    /Most affected: Mia Chen: in \d of 8 weeks, at worst from .*, .*\d+% of [\d.]+ [KM]/,
  );
  expect(await ask('mia')).toContain(onlyFor('manager', '/limits simulate'));
  expect((await typeCommand(scene.slack, 'morgan', '/limits', 'simulate 5000')).text).toContain(
    'Type a @team and an amount',
  );
  const guessed = await typeCommand(scene.slack, 'morgan', '/limits', 'simulate @web-team 900b');
  expect(guessed.text).toContain('no one in @web-team would have been stopped in the last');
  expect(guessed.text).toContain('The period of limits isn’t set, so this counts per month.');
});

test('a requested limit can be simulated on past months by its reviewers', async () => {
  scene = await startTestApp({ at: new Date('2026-03-24T09:00:00Z'), settings: { LIMITS_CHANNEL: '#agent-usage' } });
  const id = await ask(scene, 'mia', { amount: '900k' });
  await openReview(scene, 'ada', id);
  const reviewed = scene.slack.mark();
  await scene.slack.control.click({ as: 'ada', source: { in: 'modal' }, actionId: 'limits_simulate' });
  const view = await nextView(scene.slack, reviewed, /would have been stopped/);
  expect(textOfView(view)).toMatch(/With the requested limits, 1 of 1 person would have been stopped in the last/);
});
