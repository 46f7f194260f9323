import { afterEach, beforeEach, expect, test } from 'vitest';
import { clickButton, everythingIn, typeCommand } from '../../support/slack/conversation.ts';
import { setLimit } from '../../support/limits/known-limit.ts';
import { nextView, textOfView } from '../../support/slack/modals.ts';
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

test('a member sees their month beside the previous one, their limit, and the range of most people, in App Home and by /usage me', async () => {
  await setLimit(scene, { email: MIA, value: 900_000_000, at: '2026-03-03T10:00:00.000Z' });
  const { text } = await typeCommand(scene.slack, 'mia', '/usage', 'me');
  for (const said of [await homeOf('mia'), text]) {
    expect(said).toMatch(/credits, (?:\d+% more|\d+% less|more than 99% less|about the same|up|down).* on 1–23 Feb/);
    expect(said).toMatch(
      /Limit: 900 M \(set 3 Mar\)\. At the pace of your last 4 weeks, you’ll use about [\d.]+ [KM] by 31 Mar \(likely [^)]+\)\./,
    );
    expect(said).toMatch(/Your last 4 weeks, oldest first: /);
    expect(said).toMatch(/Most people used \d+(?: [KM])?–\d+ [KM] in the week of Mon 16 Mar\./);
    expect(said).toContain('The platform doesn’t say whether a limit was changed elsewhere.');
    expect(said).not.toContain('@acme.example');
  }
});

test('a member’s unknown limit is shown as unknown, and a known one is shown only to the member', async () => {
  await setLimit(scene, { email: MIA, value: 900_000_000, at: '2026-03-03T10:00:00.000Z' });
  expect(await homeOf('max')).toContain('Limit: unknown. Quartermaster knows only limits that were set here.');
  const answer = await typeCommand(scene.slack, 'mia', '/usage', 'me');
  const since = scene.slack.mark();
  await clickButton(scene.slack, 'mia', answer, 'Share');
  const { message } = await scene.slack.next('message', undefined, { since });
  expect(message.text).toContain('Usage of Mia Chen');
  for (const secret of ['Limit', '900 M', 'Most people', 'Request more'])
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
