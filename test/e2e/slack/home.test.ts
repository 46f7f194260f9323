import { afterEach, describe, expect, test } from 'vitest';
import type { ViewView } from '../../../src/sandbox/slack/people/control-types.ts';
import { delivered, setUpDigest, subscriptions, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { nextView, textOfView } from '../../support/slack/modals.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => (scene = await startTestApp(options));
afterEach(() => scene.close());

/** Opens App Home and returns it once it is more than a loading view. */
async function openHome(as: string): Promise<ViewView> {
  const since = scene.slack.mark();
  const { delivery } = await scene.slack.control.openHome({ as });
  if (!delivery.inTime) throw new Error('The event was not acknowledged in time');
  return nextHome(since);
}

async function nextHome(since: number, fits = /./): Promise<ViewView> {
  const isReady = ({ view }: { view: ViewView }) =>
    !textOfView(view).includes('One moment …') && fits.test(textOfView(view));
  return (await scene.slack.next('home_published', isReady, { since })).view;
}

const clickInHome = (as: string, actionId: string) =>
  scene.slack.control.click({ as, source: { in: 'home' }, actionId });

describe('App Home', () => {
  test('shows what the person may see', async () => {
    await start();
    const mias = textOfView(await openHome('mia'));
    expect(mias).toContain('My usage this month');
    expect(mias).not.toContain('Your digests');
    const morgans = textOfView(await openHome('morgan'));
    expect(morgans).toContain('Your digests');
    expect(morgans).toContain('`/digest`');
    // My own usage first, then my digests.
    expect(morgans.indexOf('My usage')).toBeLessThan(morgans.indexOf('Your digests'));
  });

  test('that Slack has no time for is shown to all users as soon as it has', async () => {
    await start();
    await scene.slack.control.configure({ callsAMinute: { 'views.publish': 3 } });
    const since = scene.slack.mark();
    const people = ['mia', 'morgan', 'ada', 'max', 'nora', 'gus'];
    for (const person of [...people, ...people]) await scene.slack.control.openHome({ as: person });
    const shown = () =>
      new Set(
        scene.slack.events.since(since).flatMap((event) => (event.kind === 'home_published' ? [event.person] : [])),
      );
    await until(scene, async () => {
      if (shown().size === people.length) return true;
      await moveClock(scene, new Date(scene.clock.now().getTime() + 20_000));
      return undefined;
    });
    expect(scene.log.filter(({ level, kind }) => level === 50 && kind === 'home')).toEqual([]);
  });

  test('refuses guests', async () => {
    await start();
    expect(textOfView(await openHome('gus'))).toContain('guests can’t');
  });

  test('shows the readable parts if one fails, with a reference that is in the log', async () => {
    await start();
    scene.platform.faults.add({ kind: 'status', status: 403 });
    const home = textOfView(await openHome('morgan'));
    expect(home).toContain('Your digests');
    const reference = /\b([0-9a-f]{8})\b/.exec(home)?.[1];
    expect(scene.log.some((line) => line['reference'] === reference)).toBe(true);
  });

  test('opens the form of a new digest, and is updated when it is set up', async () => {
    await start();
    await openHome('morgan');
    const since = scene.slack.mark();
    await clickInHome('morgan', 'digest_new');
    await nextView(scene.slack, since, /Where does it go/);
    await scene.slack.control.submit({ as: 'morgan', values: {} });
    const home = textOfView(await nextHome(since, /Daily digest to/));
    expect(home).toContain('none sent yet');
  });

  test('answers a click in a window of its own, and is updated', async () => {
    await start();
    const { id } = await setUpDigest(scene, {});
    await openHome('morgan');
    const since = scene.slack.mark();
    await clickInHome('morgan', 'digest_pause');
    expect(textOfView(await nextView(scene.slack, since))).toContain('You paused the daily digest');
    await nextHome(since, /"Resume"/);
    const again = scene.slack.mark();
    await clickInHome('morgan', 'digest_now');
    expect(textOfView(await nextView(scene.slack, again))).toContain(`The digest \`${id}\` is on its way`);
    await delivered(scene, `${id}:now`);
    expect((await subscriptions(scene))[0]?.state).toBe('paused');
  });

  test('answers a command button in a window, without what a window cannot hold', async () => {
    await start();
    await openHome('mia');
    const since = scene.slack.mark();
    await clickInHome('mia', 'quartermaster_run_command');
    const view = await nextView(scene.slack, since, /Usage/);
    expect(textOfView(view)).not.toMatch(/"type":"data_(visualization|table)"/);
  });

  test('answers by direct message if Slack opens no window', async () => {
    await start();
    await setUpDigest(scene, {});
    await openHome('morgan');
    await scene.slack.control.addFault({ method: 'views.open', kind: 'error', error: 'expired_trigger_id', times: 1 });
    const since = scene.slack.mark();
    await clickInHome('morgan', 'digest_pause');
    const { message } = await scene.slack.next('message', ({ message: { text } }) => text.includes('You paused'), {
      since,
    });
    expect(message.text).toContain('You paused');
  });

  test('is finished before the bot stops, and measured', async () => {
    await start();
    const since = scene.slack.mark();
    await scene.slack.control.openHome({ as: 'morgan' });
    await nextHome(since);
    const isMeasured = async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${scene.app.metricsPort}/metrics`)).text();
      return metrics.includes('kind="home",name="app_home_opened",outcome="published"');
    };
    await expect.poll(isMeasured).toBe(true);
  });
});
