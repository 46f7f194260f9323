import { afterEach, describe, expect, test } from 'vitest';
import { clickButton, everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { delivered, messagesIn, setUpDigest, subscriptions } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => (scene = await startTestApp(options));
afterEach(() => scene.close());
const why = (as = 'morgan', period = '') => typeCommand(scene.slack, as, '/digest', `why ${period}`, 'general');
const daily = () => setUpDigest(scene, { rhythm: 'daily', at: '09:00', zone: 'UTC' });

describe.each(availableEngines())('/digest why on %s', (engine) => {
  test('shows for each planned send what it waited for and when it was posted, the newest first', async () => {
    await start({ engine });
    const { id } = await daily();
    scene.platform.holdDay('2026-03-01');
    await moveClock(scene, new Date('2026-03-02T09:00:00Z'));
    await delivered(scene, `${id}:2026-03-02`, 'waiting');
    expect((await why()).text.replaceAll(/<!date[^|]*\|([^>]*)>/g, '$1')).toMatch(
      /⏳ Waiting for Sunday’s figures \(until 2026-03-02 15:0\d UTC\)\. Next check: 2026-03-02 09:1\d UTC\./,
    );
    scene.platform.releaseDay('2026-03-01');
    await moveClock(scene, new Date('2026-03-02T11:10:00Z'));
    await delivered(scene, `${id}:2026-03-02`);
    await moveClock(scene, new Date('2026-03-03T09:00:00Z'));
    await delivered(scene, `${id}:2026-03-03`);
    const { text } = await why();
    expect(text.indexOf('Mon 2 Mar (UTC)')).toBeLessThan(text.indexOf('Sun 1 Mar (UTC)'));
    expect(text).toContain('waiting for Sunday’s figures');
    expect(text).toContain('✅ sent, 2 hours late');
    expect(text).toMatch(/✅ Sent .*, on time/);
    expect(text).not.toContain('posting');
    expect(text).not.toContain('⏳ Waiting');
  });

  test('offers to send a failed digest again, once', async () => {
    await start({ engine });
    const { id } = await daily();
    await delivered(scene, 'digest-introduction');
    await scene.slack.control.archive({ as: 'ada', channel: 'agent-usage' });
    await moveClock(scene, new Date('2026-03-02T09:00:00Z'));
    await delivered(scene, `${id}:2026-03-02`, 'failed');
    await scene.slack.control.unarchive({ as: 'ada', channel: 'agent-usage' });
    await scene.slack.control.invite({ as: 'ada', channel: 'agent-usage', who: 'app' }).catch(() => undefined);
    const answer = await why();
    expect(answer.text).toContain('failed. The channel is archived');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', answer, 'Send again');
    expect((await nextAnswer(scene.slack, since)).text).toContain('on its way to <#C0USAGE> again');
    await delivered(scene, `${id}:2026-03-02`);
    const again = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', answer, 'Send again');
    expect((await nextAnswer(scene.slack, again)).text).toContain('didn’t fail');
    const { text, blocks } = await why();
    expect(text).toContain('Morgan Reyes had it sent again');
    expect(JSON.stringify(blocks)).not.toContain('digest_send_again');
    expect((await subscriptions(scene))[0]?.failures).toBe(0);
  });
});

describe('the list of /digest why', () => {
  test('is empty if nothing was planned', async () => {
    await start();
    expect((await why()).text).toContain('No digest was due in the last 14 days');
  });

  test('includes digests that were missed while Quartermaster was down', async () => {
    await start();
    const { id } = await daily();
    await delivered(scene, 'digest-introduction');
    await moveClock(scene, new Date('2026-03-03T08:59:00Z'));
    await delivered(scene, `${id}:2026-03-02`);
    const { posts } = await messagesIn(scene, 'agent-usage');
    expect(posts.at(-1)?.text).toContain('24 hours late: Quartermaster was down.');
    expect(everythingIn(await why())).toContain('24 hours late');
    expect(everythingIn(await why('morgan', 'yesterday'))).toContain('24 hours late');
    expect((await why('morgan', 'today')).text).toContain('No digest was due on Tue 3 Mar 2026 (UTC)');
  });
});
