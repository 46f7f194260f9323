import { afterEach, beforeEach, expect, test } from 'vitest';
import { clickButton, everythingIn, typeCommand } from '../../support/slack/conversation.ts';
import { setLimit } from '../../support/limits/known-limit.ts';
import { formValues } from '../../support/digests.ts';
import { nextView, submitForm, textOfView } from '../../support/slack/modals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const MIA = 'mia.member@acme.example';

let scene: TestApp;
beforeEach(async () => {
  scene = await startTestApp({ at: new Date('2026-03-24T09:00:00Z'), settings: { LIMIT_PERIOD: 'month' } });
});
afterEach(() => scene.close());

async function homeOf(as: string): Promise<string> {
  const since = scene.slack.mark();
  await scene.slack.control.openHome({ as });
  const isReady = ({ view }: { view: Parameters<typeof textOfView>[0] }) => !textOfView(view).includes('One moment …');
  return textOfView((await scene.slack.next('home_published', isReady, { since })).view);
}

const LASTS =
  /\*[\d.]+ [KM] of your 900 M\* this month · at this pace it lasts until the end of the month \(likely [^)]+ by then\)/;

test('a member sees whether their limit lasts, their month beside the previous one, and the range of most people, in App Home and by /usage me', async () => {
  await setLimit(scene, { email: MIA, value: 900_000_000, at: '2026-03-03T10:00:00.000Z' });
  const { text } = await typeCommand(scene.slack, 'mia', '/usage', 'me');
  for (const said of [await homeOf('mia'), text]) {
    expect(said).toMatch(/credits, (?:\d+% more|\d+% less|more than 99% less|about the same|up|down).* on 1–23 Feb/);
    expect(said).toMatch(LASTS);
    expect(said).toMatch(/Your last 4 weeks, oldest first: /);
    expect(said).toMatch(/Most people used \d+(?: [KM])?–\d+ [KM] in the week of Mon 16 Mar\./);
    expect(said).toContain('Limit set 3 Mar. The platform doesn’t say whether it was changed elsewhere.');
    expect(said).not.toContain('@acme.example');
  }
});

test('a member’s unknown limit is shown as unknown, and a known one is shown only to the member', async () => {
  await setLimit(scene, { email: MIA, value: 900_000_000, at: '2026-03-03T10:00:00.000Z' });
  expect(await homeOf('max')).toContain('Your limit isn’t known here. <@U0ADA> can declare it.');
  const answer = await typeCommand(scene.slack, 'mia', '/usage', 'me');
  const since = scene.slack.mark();
  await clickButton(scene.slack, 'mia', answer, 'Share');
  const { message } = await scene.slack.next('message', undefined, { since });
  expect(message.text).toContain('Usage of Mia Chen');
  for (const secret of ['Limit', '900 M', '░', 'Most people', 'Request more', 'Warn me'])
    expect(everythingIn(message)).not.toContain(secret);
});

test('a button opens a request for more, filled in with the usage', async () => {
  const answer = await typeCommand(scene.slack, 'mia', '/usage', 'me');
  const since = scene.slack.mark();
  await clickButton(scene.slack, 'mia', answer, 'Request more');
  const form = textOfView(await nextView(scene.slack, since));
  expect(form).toContain('New limit');
  expect(form).toMatch(/I used [\d,]+ credits on 1–23 Mar 2026\./);
});

test('the line is the same first thing in App Home, /usage and /limits, and no one else sees it', async () => {
  await setLimit(scene, { email: MIA, value: 900_000_000, at: '2026-03-03T10:00:00.000Z' });
  const home = await homeOf('mia');
  const [line = ''] = LASTS.exec(home) ?? [];
  expect(line).not.toBe('');
  expect(home.indexOf(line)).toBeLessThan(home.indexOf('credits, '));
  const usage = await typeCommand(scene.slack, 'mia', '/usage');
  for (const message of [usage, await typeCommand(scene.slack, 'mia', '/limits')]) {
    expect(message.text).toContain(line);
    expect(everythingIn(message)).toMatch(/[█░]{10} \*/);
  }
  expect((await typeCommand(scene.slack, 'ada', '/usage')).text).not.toContain('900 M');
  const since = scene.slack.mark();
  await clickButton(scene.slack, 'mia', usage, 'Share');
  const { message } = await scene.slack.next('message', undefined, { since });
  expect(everythingIn(message)).not.toContain('900 M');
});

test('figures of this month are told once, and the weeks before below them', async () => {
  const month = (await typeCommand(scene.slack, 'mia', '/usage', 'this month me')).text;
  expect(month.match(/of the organization’s credits/g)).toHaveLength(1);
  expect(month).toMatch(/Your last 4 weeks, oldest first: /);
  const week = (await typeCommand(scene.slack, 'mia', '/usage', 'last week me')).text;
  expect(week).toMatch(/This month: [\d.]+ M credits[^\n]*of the organization’s credits/);
});

test('a limit that is exceeded comes with *Request more* and a form that warns at 80%', async () => {
  await setLimit(scene, { email: MIA, value: 1_000, at: '2026-03-03T10:00:00.000Z' });
  const answer = await typeCommand(scene.slack, 'mia', '/usage');
  expect(answer.text).toMatch(/⚠️ Over your limit: \*[\d.]+ [KM] of 1 K\* this month/);
  expect(everythingIn(answer)).toContain('Request more');
  const since = scene.slack.mark();
  await clickButton(scene.slack, 'mia', answer, 'Warn me at 80%');
  const form = JSON.stringify(await nextView(scene.slack, since, /Warn me before I reach/));
  expect(form).toContain('My credit limit: 1 K each month');
  expect(form).toContain('"initial_value":"80"');
  await submitForm(scene.slack, 'mia', formValues({ of: 'limit', percents: '80' }));
  const later = everythingIn(await typeCommand(scene.slack, 'mia', '/limits'));
  expect(later).toContain('Edit my warning');
  expect(later).not.toContain('Warn me at 80%');
});

test.each([
  ['on the first day of a month', { at: new Date('2026-04-01T09:00:00Z') }],
  [
    'while no day of a month is published',
    { at: new Date('2026-04-03T09:00:00Z'), platform: { publishDelayMs: 4 * 86_400_000 } },
  ],
])('%s, the line says so, and when the limit is reached at the recent pace', async (_, options) => {
  await scene.close();
  scene = await startTestApp({ ...options, settings: { LIMIT_PERIOD: 'month' } });
  await setLimit(scene, { email: MIA, value: 900_000_000, at: '2026-03-03T10:00:00.000Z' });
  const line = /\*April:\* no figures yet\. At your recent pace, your 900 M is enough/;
  const month = await typeCommand(scene.slack, 'mia', '/usage', 'this month me');
  expect(month.text).toMatch(line);
  expect(everythingIn(month)).toContain('Request more');
  expect(await homeOf('mia')).toMatch(line);
  expect((await typeCommand(scene.slack, 'mia', '/limits')).text).toMatch(line);
  expect((await typeCommand(scene.slack, 'mia', '/usage', 'me')).text).toMatch(line);
  expect(everythingIn(await typeCommand(scene.slack, 'mia', '/usage', 'this month'))).not.toContain('@acme.example');
});
