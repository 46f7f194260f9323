import { afterEach, expect, test } from 'vitest';
import { formatCompact } from '../../../src/core/base/text/numbers.ts';
import { predict } from '../../support/prediction.ts';
import { clickButton, everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => (scene = await startTestApp(options));
afterEach(() => scene.close());

const ask = (as: string, text: string) => typeCommand(scene.slack, as, '/usage', text, 'agent-usage');
const organization = (first: string, last: string) => predict(scene.platform.organization, { first, last }).credits;

test('two months are compared with their true sums, and the difference on the same weekdays', async () => {
  await start({ at: new Date('2026-04-02T12:00:00Z') });
  const { text, blocks } = await ask('mia', 'march vs february');
  const [march, february] = [organization('2026-03-01', '2026-03-31'), organization('2026-02-01', '2026-02-28')];
  expect(text).toMatch(/1–31 Mar: .* credits, .*% (more|less) a day than 1–28 Feb \(.*; adjusted for weekdays\)/);
  expect(text).toContain(`1–31 Mar: ${formatCompact(march)} credits`);
  expect(text).toContain(`1–28 Feb (${formatCompact(february)};`);
  expect(text).toContain('On the same weekdays');
  expect(blocks.filter((block) => JSON.stringify(block).includes('Week 5'))).not.toEqual([]);
});

test('a side takes what it lacks from the other', async () => {
  await start();
  const { text } = await ask('morgan', '@web-team vs @platform-leads last week');
  expect(text).toMatch(/@web-team: .* credits, .* than @platform-leads/);
  expect(text).toContain('UTC days, 23 Feb – 1 Mar.');
});

test('two models are compared by name, and an unknown one is named', async () => {
  await start();
  expect((await ask('mia', 'ATLAS-large vs boreal-2 7d')).text).toMatch(/atlas-large: .* credits, .* than boreal-2/);
  expect((await ask('mia', 'atlas-lrge vs boreal-2 7d')).text).toContain('Did you mean atlas-large?');
});

test('the percentage of sides of different lengths is said to be of a day', async () => {
  await start();
  const { text } = await ask('mia', '2026-02-02..2026-02-28 vs 2026-01-14..2026-01-27');
  expect(text).toMatch(/2–28 Feb: .* credits, (about the same|.* (more|less)) a day (as|than) 14–27 Jan/);
});

test.each(['yesterday', '2026-02-28..2026-03-01'])(
  'a model is not called unused on days that are not published: %s',
  async (days) => {
    await start();
    for (const day of ['2026-02-28', '2026-03-01']) scene.platform.holdDay(day);
    const { text } = await ask('mia', `atlas-large vs boreal-2 ${days}`);
    expect(text).toMatch(/aren’t published yet/);
    expect(text).not.toContain('was used');
  },
);

test('a model that was used on no published day is said to be, if some days are not published', async () => {
  await start();
  scene.platform.holdDay('2026-03-01');
  const { text } = await ask('mia', 'atlas-nothing vs boreal-2 2026-02-23..2026-03-01');
  expect(text).toContain('No model “atlas-nothing” was used on the published days of 23 Feb – 1 Mar');
});

test.each([
  ['february vs february', 'Both sides are the same'],
  ['february vs march vs april', 'Only two things can be compared at a time'],
  ['february vs octobr', 'Did you mean “october”?'],
  ['people vs march', 'A comparison shows credits, so leave out “people”'],
  ['february @web-team me vs march', 'is one too many'],
])('%s is answered with a sentence', async (words, sentence) => {
  await start();
  expect((await ask('morgan', words)).text).toContain(sentence);
});

test('each side has the rights of /usage with its words', async () => {
  await start();
  expect((await ask('mia', 'me vs @max last week')).text).toContain(
    onlyFor('manager', 'Other people’s figures', 'are'),
  );
  expect((await ask('mia', 'me last week vs yesterday')).text).toContain('credits');
  expect((await ask('mia', '@web-team vs @platform-leads')).text).toContain('manager');
});

test('without the people right, a small group is not compared, and no difference reveals one', async () => {
  await start({ settings: { PEOPLE_ROLE: 'admin' } });
  const { text } = await ask('morgan', '@web-team last week vs yesterday');
  expect(text).toContain('Figures of @web-team stay private for these days');
  expect(everythingIn(await ask('ada', '@web-team last week vs yesterday'))).toContain('credits');
});

test('days without figures are named, and nothing is compared with them', async () => {
  await start();
  scene.platform.holdDay('2026-02-25');
  const { text } = await ask('mia', '2026-02-23..2026-03-01 vs 2026-02-16..2026-02-22');
  expect(text).toContain('1 day of 23 Feb – 1 Mar not published, so the sides aren’t compared.');
  expect(text).not.toMatch(/% (more|less) than/);
});

test('a comparison names the state of its days and when they were read', async () => {
  await start();
  const { text } = await ask('mia', '2026-02-23..2026-03-01 vs 2026-02-16..2026-02-22');
  expect(text).toMatch(/UTC days; 2 days may still change; read 2026-03-02 07:00 UTC\./);
});

test('periods whose weekdays cannot be adjusted are not compared', async () => {
  await start();
  const { text } = await ask('mia', 'last week vs yesterday');
  expect(text).toContain('The sides have different weekdays, so they aren’t compared.');
  expect(text).not.toContain('On the same weekdays');
  expect(text).not.toMatch(/(more|less) than/);
});

const chartOf = ({ blocks }: { blocks: readonly unknown[] }) =>
  blocks.map((block) => JSON.stringify(block)).find((block) => block.includes('"data_visualization"')) ?? '';

test('a chart of the same days names its days, one of different days their positions', async () => {
  await start();
  const same = chartOf(await ask('morgan', '@web-team vs @platform-leads last week'));
  for (const label of ['23 Feb', '1 Mar']) expect(same).toContain(label);
  expect(same).not.toContain('Day 1');
  const long = chartOf(await ask('morgan', '@web-team vs @platform-leads 2026-02-01..2026-02-28'));
  for (const label of ['1 Feb', '8 Feb', '15 Feb', '22 Feb']) expect(long).toContain(label);
  expect(long).not.toContain('Week 1');
  expect(chartOf(await ask('mia', '2026-02-23..2026-03-01 vs 2026-02-16..2026-02-22'))).toContain('Day 1');
});

test('a comparison of the same days has the menu of periods', async () => {
  await start();
  const answer = await ask('mia', 'atlas-large vs boreal-2 last week');
  const since = scene.slack.mark();
  const source = { in: 'message' as const, channel: 'agent-usage', ts: answer.ts };
  const value = '28d atlas-large vs 28d boreal-2';
  await scene.slack.control.click({ as: 'mia', source, actionId: 'usage_show_period', value });
  const next = await nextAnswer(scene.slack, since);
  expect(next.text).toMatch(/atlas-large: .* credits, .* than boreal-2/);
  expect(next.text).toContain('UTC days, 2 Feb – 1 Mar.');
  expect(everythingIn(await ask('mia', 'february vs 7d'))).not.toContain('usage_show_period');
});

test('a comparison is shared with a channel without names, once', async () => {
  await start();
  const answer = await ask('mia', 'atlas-large vs boreal-2 last week');
  const since = scene.slack.mark();
  await clickButton(scene.slack, 'mia', answer, 'Share', 'agent-usage');
  const { message } = await scene.slack.next('message', undefined, { since });
  expect(message.text).toMatch(/atlas-large: .* credits, .* than boreal-2/);
  expect(everythingIn(message)).toContain('Shared by <@U0MIA>');
  const again = scene.slack.mark();
  await clickButton(scene.slack, 'mia', answer, 'Share', 'agent-usage');
  expect((await nextAnswer(scene.slack, again)).text).toContain('You shared this already.');
});

test('people are compared in a channel only after a confirmation, and teams that are too small not without names', async () => {
  await start();
  const people = await ask('morgan', '@mia vs @max last week');
  expect(everythingIn(people)).not.toContain('"usage_share"');
  const since = scene.slack.mark();
  await clickButton(scene.slack, 'morgan', people, 'Share', 'agent-usage');
  const { message } = await scene.slack.next('message', undefined, { since });
  expect(message.text).toMatch(/Mia Chen: .* credits/);
  const teams = await ask('morgan', '@web-team vs @platform-leads last week');
  const small = scene.slack.mark();
  await clickButton(scene.slack, 'morgan', teams, 'Share', 'agent-usage');
  expect((await nextAnswer(scene.slack, small)).text).toContain('stay private for these days');
  const named = scene.slack.mark();
  await clickButton(scene.slack, 'morgan', teams, 'Share with names', 'agent-usage');
  expect((await scene.slack.next('message', undefined, { since: named })).message.text).toContain('@web-team: ');
});

test.each(['typed', 'clicked'])('a comparison is %s as a file with its true figures by day', async (way) => {
  await start();
  const since = scene.slack.mark();
  const answer = await ask('mia', `2026-02-23..2026-03-01 vs 2026-02-16..2026-02-22${way === 'typed' ? ' csv' : ''}`);
  if (way === 'clicked') await clickButton(scene.slack, 'mia', answer, 'CSV', 'agent-usage');
  const { file } = await scene.slack.next('file_shared', undefined, { since });
  const headers = { authorization: `Bearer ${scene.slack.botToken}` };
  const content = Buffer.from(
    await (await fetch(new URL(file.downloadPath, scene.slack.apiUrl), { headers })).arrayBuffer(),
  ).toString('utf8');
  expect(content).toMatch(/^\uFEFF/);
  const lines = content.trim().split(/\r?\n/);
  expect(lines[0]).toBe('Side,First day,Last day,Day,Standard Credits');
  expect(lines).toHaveLength(15);
  const credits = organization('2026-02-16', '2026-02-16');
  expect(lines[8]).toBe(`The organization,2026-02-16,2026-02-22,2026-02-16,${credits}`);
});
