import { afterEach, describe, expect, test } from 'vitest';
import { explain, explainUsage, pressCheck } from '../../support/slack/explanations.ts';
import { clickButton, typeCommand } from '../../support/slack/conversation.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { moveClock, passTo } from '../../support/scene-clock.ts';

let scene: TestApp;
afterEach(() => scene.close());

const MINUTE_MS = 60_000;
const WEEK = '2026-02-09..2026-02-15';
const calls = (path: string) => scene.platform.requests.filter((request) => request.path.endsWith(path)).length;
const groupedCalls = () => scene.platform.requests.filter(({ query }) => query['group_by'] === 'model').length;

async function check(as: string, words: string): Promise<string> {
  await explainUsage(scene.slack, as, words);
  return pressCheck(scene.slack, as);
}

describe('How was this worked out?', () => {
  test('names the days, when they were read, the formula and the parts of the sum', async () => {
    scene = await startTestApp();
    const modal = await explainUsage(scene.slack, 'mia', WEEK);
    expect(modal).toMatch(
      /\*Credits: [\d,]+\*\\nThe sum of the Standard Credits that the platform reports for each day/,
    );
    expect(modal).toMatch(/Mon 9 Feb: [\d,]+ {2}· {2}Tue 10 Feb: [\d,]+/);
    expect(modal).toMatch(/Final: 9–15 Feb, read <!date/);
    expect(modal).toMatch(/\*Credits, 2–8 Feb: [\d,]+\*\\nThe same sum, to compare with/);
  });

  test('says which days may still change and which are not published', async () => {
    scene = await startTestApp({ at: new Date('2026-02-16T12:00:00Z') });
    scene.platform.holdDay('2026-02-15');
    const modal = await explainUsage(scene.slack, 'mia', WEEK);
    expect(modal).toMatch(/Final: 9–13 Feb, read .* May still change: Sat 14 Feb, read .* Not published: Sun 15 Feb\./);
  });

  test('names people only to readers who may see them, also on a shared answer', async () => {
    scene = await startTestApp();
    expect(await explainUsage(scene.slack, 'morgan', WEEK)).toContain('Credits by person');
    const answer = await typeCommand(scene.slack, 'morgan', '/usage', WEEK, 'agent-usage');
    const since = scene.slack.mark();
    await clickButton(scene.slack, 'morgan', answer, 'Share', 'agent-usage');
    const { message: shared } = await scene.slack.next('message', ({ message }) => !message.isEphemeral, { since });
    const asMember = await explain(scene.slack, 'mia', shared);
    expect(asMember).toContain('*Credits: ');
    expect(asMember).not.toContain('Credits by person');
    expect(await explain(scene.slack, 'morgan', shared)).toContain('Credits by person');
  });

  test.each(['credits', 'models', 'tools', 'activity', 'productivity', 'moved', 'people', 'teams', '@web-team', 'me'])(
    'explains /usage %s',
    async (words) => {
      scene = await startTestApp();
      expect(await explainUsage(scene.slack, 'morgan', `${words} ${WEEK}`)).toMatch(/\*[^*]+: [\d,.]+\*\\n[A-Z]/);
    },
  );
});

describe('Check now', () => {
  test('reads settled days again, says that they hold, and shares the check for ten minutes', async () => {
    scene = await startTestApp();
    await explainUsage(scene.slack, 'mia', WEEK);
    const before = groupedCalls();
    expect(await pressCheck(scene.slack, 'mia')).toMatch(
      /✅ \*Unchanged: .* credits\* on 9–15 Feb, read from the platform again/,
    );
    const after = groupedCalls();
    expect(after).toBeGreaterThan(before);
    await check('mia', WEEK);
    expect(groupedCalls()).toBe(after);
    await moveClock(scene, new Date(scene.clock.now().getTime() + 11 * MINUTE_MS));
    await check('mia', WEEK);
    expect(groupedCalls()).toBeGreaterThan(after);
  });

  test('of totals by a member reads sums, and whole days only where a sum differs', async () => {
    scene = await startTestApp();
    await explainUsage(scene.slack, 'mia', WEEK);
    scene.platform.reviseDay('2026-02-11', 3);
    const before = calls('/tokens') - groupedCalls();
    expect(await pressCheck(scene.slack, 'mia')).toContain('*Changed*');
    expect(calls('/tokens') - groupedCalls() - before).toBe(1);
  });

  test('names each day that was restated, and the next answer has the new figures', async () => {
    scene = await startTestApp();
    const { text: old } = await typeCommand(scene.slack, 'mia', '/usage', WEEK, 'agent-usage');
    await explainUsage(scene.slack, 'mia', WEEK);
    scene.platform.reviseDay('2026-02-11', 3);
    const answer = await pressCheck(scene.slack, 'mia');
    expect(answer).toMatch(/✏️ \*Changed\* on 9–15 Feb/);
    expect(answer).toMatch(/•\s+\*Credits:\* [\d,]+ → [\d,]+\n\s+Wed 11 Feb: [\d,]+ → [\d,]+\n/);
    expect(answer.match(/\w{3} \d+ Feb:/g)).toEqual(['Wed 11 Feb:']);
    const { text: after } = await typeCommand(scene.slack, 'mia', '/usage', WEEK, 'agent-usage');
    expect(after.split('\n')[1]).not.toBe(old.split('\n')[1]);
  });

  test.each([
    ['a team', 'morgan', '@web-team'],
    ['a person', 'morgan', '@mia'],
    ['oneself', 'mia', 'me'],
  ])('of %s names the restated day', async (_what, as, whose) => {
    scene = await startTestApp();
    await explainUsage(scene.slack, as, `${whose} ${WEEK}`);
    expect(await pressCheck(scene.slack, as)).toContain('✅ *Unchanged: ');
    await passTo(scene, new Date(scene.clock.now().getTime() + 11 * MINUTE_MS));
    scene.platform.reviseDay('2026-02-11', 3);
    expect(await pressCheck(scene.slack, as)).toMatch(
      /•\s+\*Credits:\* [\d,]+ → [\d,]+\n\s+Wed 11 Feb: [\d,]+ → [\d,]+\n/,
    );
  });

  test('is not reached for a small team, whose explanation is refused like its answer and reads nothing', async () => {
    scene = await startTestApp({ settings: { PEOPLE_ROLE: 'admin' } });
    await explainUsage(scene.slack, 'ada', `@web-team ${WEEK}`);
    const forged = { value: `summary ${WEEK} <!subteam^S0WEB>` };
    const answer = await typeCommand(scene.slack, 'morgan', '/usage', WEEK, 'agent-usage');
    const before = calls('/tokens');
    const since = scene.slack.mark();
    const source = { in: 'message' as const, channel: 'agent-usage', ts: answer.ts };
    await scene.slack.control.click({ as: 'morgan', source, actionId: 'usage_explain', forged });
    const { view } = await scene.slack.next('view_updated', undefined, { since });
    expect(JSON.stringify(view)).toContain('stay private');
    expect(calls('/tokens')).toBe(before);
  });

  test('says one sentence while the platform is out, and works later', async () => {
    scene = await startTestApp();
    await explainUsage(scene.slack, 'mia', WEEK);
    const end = scene.platform.faults.add({ kind: 'status', status: 403 });
    expect(await pressCheck(scene.slack, 'mia')).not.toContain('Unchanged');
    end();
    expect(await check('mia', WEEK)).toContain('Unchanged');
  });

  test('of a comparison reads both sides again', async () => {
    scene = await startTestApp();
    const modal = await explainUsage(scene.slack, 'mia', `${WEEK} vs 2026-02-02..2026-02-08`);
    expect(modal).toMatch(/\*9–15 Feb: [\d,]+\*\\nThe sum of the Standard Credits of the organization on these days/);
    scene.platform.reviseDay('2026-02-04', 3);
    const result = await pressCheck(scene.slack, 'mia');
    expect(result).toMatch(/✏️ \*Changed\* on 9–15 Feb and 2–8 Feb/);
    expect(result).toMatch(/\*2–8 Feb:\* [\d,]+ → [\d,]+\n\s+Wed 4 Feb: [\d,]+ → [\d,]+\n•\s+\*Difference:\*/);
  });

  test('is not offered for more than 31 days', async () => {
    scene = await startTestApp();
    expect(await explainUsage(scene.slack, 'mia', '2026-01-14..2026-02-28')).not.toContain('Check now');
  });
});
