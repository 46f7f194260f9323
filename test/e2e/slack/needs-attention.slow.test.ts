import { afterEach, expect, test } from 'vitest';
import { delivered, formValues, setUpDigest } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { ask } from '../../support/limits/limits.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => (scene = await startTestApp(options));
afterEach(() => scene.close());

/** The text of App Home, once it fits: a page that was begun earlier may be shown first. */
async function homeOf(as: string, fits = /Commands/): Promise<string> {
  const since = scene.slack.mark();
  await scene.slack.control.openHome({ as });
  const id = scene.slack.workspace.findPerson(as)?.id;
  const { view } = await scene.slack.next(
    'home_published',
    (event) => event.person === id && fits.test(textOfView(event.view)),
    { since },
  );
  return textOfView(view);
}

const QUIET = new Date('2026-03-18T12:00:00Z');
/** The platform begins with a revision of some days ago that weakens security. */
async function startQuiet(options: TestAppOptions = {}): Promise<void> {
  await start({ at: QUIET, ...options });
  await moveClock(scene, new Date(QUIET.getTime() + 3 * 86_400_000));
}

test('nothing is shown above App Home if nothing needs attention', async () => {
  await startQuiet();
  for (const person of ['mia', 'morgan', 'ada']) expect(await homeOf(person)).not.toContain('Needs attention');
});

test('a request leads the pages of the admins who can decide it', async () => {
  await startQuiet({ settings: { ADMINS: 'U0ADA,U0NORA', LIMITS_CHANNEL: '#agent-usage' } });
  await ask(scene, 'ada', { people: ['U0MIA'], amount: '5m' });
  const noras = await homeOf('nora', /1 request for a credit limit waits for your decision\./);
  expect(noras.indexOf('Needs attention')).toBeLessThan(noras.indexOf('My usage'));
  for (const person of ['ada', 'mia', 'morgan']) expect(await homeOf(person)).not.toContain('Needs attention');
});

test('a budget that is used up leads the pages of managers, without figures', async () => {
  await start({ at: QUIET });
  await openByCommand(scene.slack, 'morgan', '/budget', 'new');
  await submitForm(scene.slack, 'morgan', formValues({ credits: '10k' }));
  await submitForm(scene.slack, 'morgan');
  expect(await homeOf('morgan', /Needs attention.*1 budget is used up\./)).toContain('Needs attention');
  expect(await homeOf('mia')).not.toContain('Needs attention');
});

test('a budget that was exceeded in a month that is over is named with that month', async () => {
  await start({ at: new Date('2026-03-30T12:00:00Z') });
  await openByCommand(scene.slack, 'morgan', '/budget', 'new');
  await submitForm(scene.slack, 'morgan', formValues({ credits: '10k' }));
  await submitForm(scene.slack, 'morgan');
  await moveClock(scene, new Date('2026-04-01T07:00:00Z'));
  const home = await homeOf('morgan', /Needs attention.*1 budget was exceeded \(1–31 Mar, which is over\)\./);
  expect(home).not.toContain('is used up');
});

test('a digest that failed leads the page of its owner', async () => {
  await start();
  const { id } = await setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC' });
  await delivered(scene, 'digest-introduction');
  await scene.slack.control.archive({ as: 'ada', channel: 'agent-usage' });
  await moveClock(scene, new Date('2026-03-02T09:00:00Z'));
  await delivered(scene, `${id}:2026-03-02`, 'failed');
  expect(await homeOf('morgan', /Needs attention.*The last daily digest to .* failed/)).toContain('Needs attention');
});

test('a revision that weakens security leads the pages of managers for a week', async () => {
  await start({ settings: { CONTROLS_CHANNEL: '#agent-usage' } });
  await delivered(scene, 'controls-introduction');
  scene.platform.addRevision({ settings: { sandbox: { enabled: false } } });
  await moveClock(scene, new Date(scene.clock.now().getTime() + 70_000));
  await delivered(scene, 'controls:');
  expect(await homeOf('morgan', /Needs attention.*of the enterprise controls weakens security/)).toContain(
    'Needs attention',
  );
  await moveClock(scene, new Date(scene.clock.now().getTime() + 8 * 86_400_000));
  expect(await homeOf('morgan')).not.toContain('weakens security*, ');
});

test('a key that is refused for a minute leads the pages of admins', async () => {
  await start({ at: QUIET });
  scene.platform.faults.add({ kind: 'status', status: 401 });
  await homeOf('ada');
  await moveClock(scene, new Date(scene.clock.now().getTime() + 120_000));
  expect(await homeOf('ada', /Needs attention.*has refused the API key since/)).toContain('Needs attention');
});
