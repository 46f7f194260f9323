import { afterEach, expect, test } from 'vitest';
import { clickButton, everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { predict } from '../../support/prediction.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => (scene = await startTestApp(options));
afterEach(() => scene.close());

const ask = (as: string, text: string) => typeCommand(scene.slack, as, '/usage', text, 'agent-usage');
const SUNDAY = '2026-02-22';
const activeOn = (first: string, last: string) =>
  new Set(predict(scene.platform.organization, { first, last }).people.keys());

/** The people with a row in the 90 days before, and none on that Sunday, from the generator. */
function inactiveOnSunday(): string[] {
  const active = activeOn(SUNDAY, SUNDAY);
  return [...activeOn('2026-01-14', SUNDAY)].filter((email) => !active.has(email)).toSorted();
}

async function detailsOf(as: string, words: string): Promise<string> {
  const answer = await ask(as, words);
  const since = scene.slack.mark();
  await clickButton(scene.slack, as, answer, 'Details', 'agent-usage');
  return everythingIn(await nextAnswer(scene.slack, since));
}

test('/usage people ends with the number without activity, and the details name them', async () => {
  await start();
  const inactive = inactiveOnSunday();
  const known = activeOn('2026-01-14', SUNDAY).size;
  expect(inactive.length).toBeGreaterThan(0);
  expect((await ask('morgan', `people ${SUNDAY}`)).text).toContain(`No activity: ${inactive.length} of ${known}.`);
  const details = await detailsOf('morgan', `people ${SUNDAY}`);
  const listed = details.slice(details.indexOf('without activity in these days: '));
  const unnamed = inactive.find(
    (email) => !['mia', 'max', 'nora', 'ada', 'morgan'].some((one) => email.startsWith(one)),
  );
  expect(listed).toContain(unnamed);
});

test('the file lists them without a day, and says so', async () => {
  await start();
  const since = scene.slack.mark();
  await ask('morgan', `people ${SUNDAY} csv`);
  const { file } = await scene.slack.next('file_shared', undefined, { since });
  const headers = { authorization: `Bearer ${scene.slack.botToken}` };
  const content = await (await fetch(new URL(file.downloadPath, scene.slack.apiUrl), { headers })).text();
  const emails = content.split('\n').flatMap((line) => (line.startsWith(',') ? [line.split(',')[1] ?? ''] : []));
  expect(emails).toEqual(inactiveOnSunday());
});

test.each([
  ['SHOW_INACTIVE=false', { SHOW_INACTIVE: 'false' }, 'morgan'],
  ['a reader who may not see people', { PEOPLE_ROLE: 'admin' }, 'morgan'],
])('%s hides them', async (_title, environment, as) => {
  await start({ settings: environment });
  expect(everythingIn(await ask(as, `people ${SUNDAY}`))).not.toContain('No activity');
});

test('they never appear in a channel, even if names are shared there', async () => {
  await start();
  const answer = await ask('morgan', `people ${SUNDAY}`);
  const since = scene.slack.mark();
  await clickButton(scene.slack, 'morgan', answer, 'Share', 'agent-usage');
  const { message } = await scene.slack.next('message', ({ channelName }) => channelName === 'agent-usage', { since });
  expect(everythingIn(message)).toContain('used');
  expect(everythingIn(message)).not.toContain('No activity');
});

test('a member of a team who never used anything is named apart from those without activity', async () => {
  await start();
  const [idle = ''] = inactiveOnSunday();
  await scene.slack.control.addPerson({ handle: 'idle', name: 'Idle Person', email: idle });
  await scene.slack.control.addPerson({ handle: 'newcomer', name: 'New Comer', email: 'newcomer@acme.example' });
  await scene.slack.control.setUserGroup({ handle: 'web-team', members: ['idle', 'newcomer'] });
  const details = await detailsOf('morgan', `${SUNDAY} @web-team`);
  expect(details).toContain(`No activity: 1 of 2 (${idle}). Never used: 1 of 2 (newcomer@acme.example).`);
});

test('the days before are read, week by week, only for members without figures', async () => {
  await start();
  const [idle = ''] = inactiveOnSunday();
  await scene.slack.control.addPerson({ handle: 'idle', name: 'Idle Person', email: idle });
  const weeksRead = async (words: string) => {
    const before = scene.platform.requests.length;
    await ask('morgan', words);
    return scene.platform.requests.slice(before).filter(({ path }) => path.includes('/tokens')).length;
  };
  const friday = '2026-02-20';
  expect([...activeOn(friday, friday)]).toContain('mia.member@acme.example');
  const ofActive = await weeksRead(`${friday} @mia`);
  expect(ofActive).toBeLessThan(4);
  expect(await weeksRead(`${SUNDAY} @idle`)).toBeGreaterThan(ofActive);
});

test('SHOW_INACTIVE=false also hides the members of a team without activity', async () => {
  await start({ settings: { SHOW_INACTIVE: 'false' } });
  await scene.slack.control.addPerson({ handle: 'newcomer', name: 'New Comer', email: 'newcomer@acme.example' });
  await scene.slack.control.setUserGroup({ handle: 'web-team', members: ['mia', 'max', 'newcomer'] });
  expect(await detailsOf('morgan', `${SUNDAY} @web-team`)).not.toContain('newcomer');
});
