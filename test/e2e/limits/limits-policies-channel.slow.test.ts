import { afterEach, expect, test } from 'vitest';
import { withPolicies } from '../../../src/features/limit-policies/store/policy-tables.ts';
import type { MessageView } from '../../../src/sandbox/slack/people/control-types.ts';
import { delivered, messagesIn } from '../../support/digests.ts';
import { moveClock, whileTimePasses } from '../../support/scene-clock.ts';
import { directMessagesTo, putsOf, untilQuiet, untilState } from '../../support/limits/limits.ts';
import {
  actingPolicy,
  MIA_EMAIL,
  openPolicy,
  policyIdIn,
  policyNoticesTo,
  press,
  requestByForm,
  storePastRequests,
  writePolicy,
} from '../../support/limits/policies.ts';
import { nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { readDatabase } from '../../support/stores/databases.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (settings: Record<string, string> = {}) => {
  scene = await startTestApp({ settings: { ADMINS: 'U0ADA,U0NORA', LIMIT_PERIOD: 'month', ...settings } });
  await storePastRequests(scene);
};
afterEach(() => scene.close());

/** The daily line in the direct messages of an admin. */
async function lineTo(as: string): Promise<MessageView> {
  await delivered(scene, `limit-policy-line:2026-03-02T09:00:00.000Z:U0${as.toUpperCase()}`);
  const { posts } = await messagesIn(scene, 'dm', as);
  const line = posts.find(({ text }) => text.includes('Policies granted 1 limit'));
  if (!line) throw new Error(`No line for ${as}`);
  return line;
}

test('without a channel, each admin gets the daily line, and Undo works there', async () => {
  await start();
  await actingPolicy(scene);
  await requestByForm(scene, 'mia', { amount: '1b' });
  await moveClock(scene, new Date('2026-03-02T09:00:30Z'));
  for (const as of ['ada', 'nora']) {
    const line = await lineTo(as);
    expect(line.text).toContain('<@U0MIA>: 900 M → *1 B*');
  }
  const { ts } = await lineTo('nora');
  const source = { in: 'message' as const, channel: 'dm', ts };
  const since = scene.slack.mark();
  await scene.slack.control.click({ as: 'nora', source, actionId: 'limits_undo' });
  expect((await nextAnswer(scene.slack, since)).text).toContain('✅ *900 M set*');
});

test('a grant that the platform refuses gets a card, so that an admin can retry it', async () => {
  await start({ LIMITS_CHANNEL: '#agent-usage' });
  await actingPolicy(scene);
  scene.platform.faults.add({ match: { method: 'PUT' }, kind: 'status', status: 403, times: 1 });
  const shown = await requestByForm(scene, 'mia', { amount: '1b' });
  expect(shown).toContain('Not set');
  const card = await whileTimePasses(
    scene,
    scene.slack.next('message', ({ message }) => JSON.stringify(message.blocks).includes('limits_retry'), { since: 0 }),
  );
  const source = { in: 'message' as const, channel: 'agent-usage', ts: card.message.ts };
  await scene.slack.control.click({ as: 'nora', source, actionId: 'limits_retry' });
  const db = readDatabase(scene.databaseUrl);
  const { id } = await withPolicies(db)
    .selectFrom('limitRequests')
    .select('id')
    .where('policyId', 'is not', null)
    .executeTakeFirstOrThrow();
  await db.destroy();
  await untilState(scene, id, 'applied');
  expect(scene.platform.limits.get(MIA_EMAIL)).toBe(1_000_000_000);
});

test('at a cap the policies pause, and each admin reads it once', async () => {
  await start({ LIMITS_CHANNEL: '#agent-usage' });
  await actingPolicy(scene, { grantsADay: '1', times: '5' });
  await requestByForm(scene, 'mia', { amount: '950m' });
  await requestByForm(scene, 'mia', { amount: '1b' });
  await requestByForm(scene, 'mia', { amount: '1.1b' });
  await untilQuiet(scene);
  expect(putsOf(scene)).toBe(1);
  for (const as of ['ada', 'nora'])
    expect(
      (await policyNoticesTo(scene, as)).filter((text) => text.includes('the most grants of a day were reached')),
    ).toHaveLength(1);
});

test('an edit makes a draft that another admin activates again; the only admin may activate alone after a day', async () => {
  await start({ ADMINS: 'U0ADA', FOUR_EYES: 'when-possible' });
  const id = policyIdIn(await writePolicy(scene));
  const early = await press(scene, 'ada', await openPolicy(scene, 'ada', id), 'Activate alone');
  expect(early.text).toContain('24 hours after that');
  await moveClock(scene, new Date(scene.clock.now().getTime() + 24 * 60 * 60_000));
  await untilQuiet(scene);
  const alone = await press(scene, 'ada', await openPolicy(scene, 'ada', id), 'Activate alone');
  expect(alone.text).toContain('Activated by <@U0ADA> (alone)');
});

test('LIMIT_POLICIES=off keeps every policy from deciding', async () => {
  await start({ LIMIT_POLICIES: 'off', LIMITS_CHANNEL: '#agent-usage' });
  const id = await actingPolicy(scene);
  expect((await typeCommand(scene.slack, 'ada', '/limits', `policies ${id}`)).text).toContain('Policies are off');
  await requestByForm(scene, 'mia', { amount: '1b' });
  expect(putsOf(scene)).toBe(0);
  expect(await directMessagesTo(scene, 'mia')).toEqual([]);
});
