import { afterEach, expect, test } from 'vitest';
import { moveClock, whileTimePasses } from '../../support/scene-clock.ts';
import { clickButton, everythingIn, nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { predict } from '../../support/prediction.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

const MEMBERS = '/api/v0/organization/users';

let scene: TestApp;
const start = async (options: TestAppOptions = {}) => {
  scene = await startTestApp({ ...options, platform: { edition: 'today', people: 60, ...options.platform } });
};
afterEach(() => scene.close());

const ask = (as: string, text: string) => typeCommand(scene.slack, as, '/usage', text, 'agent-usage');
const memberCalls = () => scene.platform.requests.filter(({ path }) => path === MEMBERS).length;

/** Who has a seat, and did not use it on the 30 days before the Monday of the test, from the generator. */
function unusedSeats(): string[] {
  const used = new Set(predict(scene.platform.organization, { first: '2026-01-31', last: '2026-03-01' }).people.keys());
  return scene.platform.organization.people
    .filter(({ habits }) => new Date(habits.firstDay * 86_400_000).toISOString() < '2026-01-31')
    .flatMap(({ email }) => email?.toLowerCase() ?? [])
    .filter((email) => !used.has(email))
    .toSorted();
}

test('/usage people counts seats without credits and people without a limit of their own, and the details name them', async () => {
  await start();
  const unused = unusedSeats();
  expect(unused.length).toBeGreaterThan(0);
  scene.platform.changeLimitsElsewhere({ own: { 'mia.member@acme.example': 30_000_000 } });
  await moveClock(scene, new Date(scene.clock.now().getTime() + 61_000));
  const answer = await ask('morgan', 'people last week');
  const [, seats = '', days, count, without] =
    /Seats: (\d+)\. Without credits in the last (\d+) days: (\d+)\. Without a limit of their own: (\d+)\./.exec(
      answer.text,
    ) ?? [];
  expect([Number(days), Number(count), Number(without)]).toEqual([30, unused.length, Number(seats) - 1]);
  const since = scene.slack.mark();
  await clickButton(scene.slack, 'morgan', answer, 'Details', 'agent-usage');
  const details = everythingIn(await nextAnswer(scene.slack, since));
  const listed = details.slice(details.indexOf('Seats without credits in the last 30 days'));
  const [first = ''] = unused;
  expect(listed).toContain(`${first} (none known)`);
});

test('the members are read once an hour', async () => {
  await start();
  await ask('morgan', 'people last week');
  const calls = memberCalls();
  await ask('morgan', 'people last week');
  expect(memberCalls()).toBe(calls);
});

test.each([
  ['a member, who sees no names', 'mia', {}],
  ['a manager if SHOW_INACTIVE is off', 'morgan', { SHOW_INACTIVE: 'false' }],
])('%s is not told about seats', async (_who, as, settings) => {
  await start({ settings });
  expect(everythingIn(await ask(as, 'people last week'))).not.toContain('Seats');
});

test.each([
  ['contract', undefined],
  ['today', 403],
  ['today', 503],
] as const)('on a platform of %s that answers %s, it is the same without seats', async (edition, status) => {
  await start({ platform: { edition, people: 60 } });
  if (status !== undefined) {
    scene.platform.faults.add({ match: { path: MEMBERS }, kind: 'status', status });
    await moveClock(scene, new Date(scene.clock.now().getTime() + 61 * 60_000));
  }
  const { text } = await whileTimePasses(scene, ask('morgan', 'people last week'));
  expect(text).toMatch(/No activity: \d+ of \d+\./);
  expect(text).not.toContain('Seats');
});
