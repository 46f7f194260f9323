import { afterEach, describe, expect, test } from 'vitest';
import { typeCommand } from '../../support/slack/conversation.ts';
import { openByCommand, submitForm } from '../../support/slack/modals.ts';
import { delivered, formValues, messagesIn, setUpDigest, subscriptions, until } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
afterEach(() => scene.close());

const GROUP = 'S0LEADS';

/** Nora is a manager by a user group. */
async function startAsLead(options: TestAppOptions = {}): Promise<void> {
  const settings = { MANAGERS: `morgan.manager@acme.example,${GROUP}` };
  const prepare = ({ workspace: { userGroups } }: TestApp['slack']) =>
    userGroups.set(GROUP, { id: GROUP, handle: 'leads', name: 'Leads', members: ['U0NORA'] });
  scene = await startTestApp({ at: new Date('2026-04-14T12:00:00Z'), settings, prepare, ...options });
}

/** One that Slack gives although nothing has changed about the person. */
const ANSWERS = {
  'user_not_found for an account': { method: 'users.info', error: 'user_not_found', of: { user: 'U0NORA' } },
  'user_not_visible for an account': { method: 'users.info', error: 'user_not_visible', of: { user: 'U0NORA' } },
  'no_such_subteam for a group': {
    method: 'usergroups.users.list',
    error: 'no_such_subteam',
    of: { usergroup: GROUP },
  },
} as const;

function answer({ method, error, of }: (typeof ANSWERS)[keyof typeof ANSWERS]): void {
  const [[name, value] = ['', '']] = Object.entries(of);
  scene.slack.faults.add({ method, kind: 'error', error, when: (args) => args[name] === value });
}

const refused = (like: string) =>
  until(scene, (db) =>
    db
      .selectFrom('deliveryHistory')
      .select('detail')
      .where('deliveryKey', 'like', like)
      .where('step', '=', 'refused')
      .executeTakeFirst(),
  );

const directTexts = async () => (await messagesIn(scene, 'dm', 'nora')).posts.map(({ text }) => text);

describe.each(Object.entries(ANSWERS))('%s, for some hours', (_name, refusal) => {
  test('ends no digest, no watch and no budget, and each message comes afterwards', async () => {
    await startAsLead();
    const { id } = await setUpDigest(scene, { where: 'me', at: '09:00' }, 'nora');
    await typeCommand(scene.slack, 'nora', '/usage', 'watch me');
    await openByCommand(scene.slack, 'nora', '/budget', 'new');
    await submitForm(scene.slack, 'nora', formValues({ credits: '30m', where: 'me', channel: null, actual: '50, 80' }));
    scene.platform.reviseDay('2026-04-14', 100);
    answer(refusal);
    await moveClock(scene, new Date('2026-04-15T09:00:00Z'));
    for (const like of [`digest:${id}:2026-04-15`, 'usage-watch:U0NORA:%', 'budget:%']) await refused(like);
    await moveClock(scene, new Date('2026-04-15T15:00:00Z'));
    expect((await subscriptions(scene)).find((one) => one.id === id)).toMatchObject({ state: 'active' });
    scene.slack.faults.clear();
    await moveClock(scene, new Date('2026-04-15T15:20:00Z'));
    await delivered(scene, `digest:${id}:2026-04-15`);
    await delivered(scene, 'usage-watch:U0NORA');
    await until(scene, async () => (await directTexts()).find((text) => text.includes('Monthly budget')) ?? undefined);
    expect((await directTexts()).filter((text) => text.includes('Stopped for you'))).toEqual([]);
    expect((await typeCommand(scene.slack, 'nora', '/budget')).text).toContain('Monthly budget');
  });
});

test('An account that Slack still does not show a day later ends its digest, and the admins are told once', async () => {
  await startAsLead();
  const { id } = await setUpDigest(scene, { where: 'me', at: '09:00' }, 'nora');
  answer(ANSWERS['user_not_found for an account']);
  await moveClock(scene, new Date('2026-04-15T09:00:00Z'));
  await refused(`digest:${id}:2026-04-15`);
  await moveClock(scene, new Date('2026-04-16T09:20:00Z'));
  const paused = await until(scene, async () =>
    (await subscriptions(scene)).find((one) => one.id === id && one.state === 'paused'),
  );
  await delivered(scene, 'reader-lost:%:admins', 'skipped');
  expect(paused).toMatchObject({ pausedReason: 'Slack does not know its recipient.' });
});
