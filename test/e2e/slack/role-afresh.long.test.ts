import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { ask, clickCard, openReview, putsOf, requestOf, reviewValues } from '../../support/limits/limits.ts';
import { submitForm, textOfView } from '../../support/slack/modals.ts';
import { anyRefusal } from '../../support/slack/refusals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const REFUSED = new RegExp(`deactivated|${anyRefusal('admin').source}`);

let scene: TestApp;
beforeEach(async () => {
  scene = await startTestApp({ settings: { LIMITS_CHANNEL: '#general', ADMINS: 'S0LEADS,U0ADA', MANAGERS: '' } });
  await scene.slack.control.setUserGroup({ handle: 'platform-leads', members: ['nora', 'max'] });
});
afterEach(() => scene.close());

/** The ways in which a user stops being an admin, in Slack alone. */
const LOSSES: [how: string, lose: () => Promise<unknown>][] = [
  ['deactivated', () => scene.slack.control.updatePerson({ person: 'nora', isDeactivated: true })],
  ['taken out of the group', () => scene.slack.control.setUserGroup({ handle: 'platform-leads', members: ['max'] })],
];

describe.each(LOSSES)('an admin who was just %s', (_how, lose) => {
  /** Slack’s answers about Nora and her group were read a moment ago. */
  const warmUp = async () =>
    expect((await typeCommand(scene.slack, 'nora', '/limits')).text).toContain('Waiting for a decision');

  test('decides nothing: neither by a form that is open nor by opening another', async () => {
    const id = await ask(scene, 'mia', { amount: '700' });
    await warmUp();
    await openReview(scene, 'nora', id, 'general');
    await lose();
    expect(textOfView(await submitForm(scene.slack, 'nora', reviewValues()))).toMatch(REFUSED);
    expect(textOfView(await openReview(scene, 'nora', id, 'general'))).toMatch(REFUSED);
    expect((await requestOf(scene, id)).state).toBe('pending');
    expect(putsOf(scene)).toBe(0);
  });

  test.each(['limits_withdraw', 'limits_retry'])('has no effect by %s', async (actionId) => {
    const id = await ask(scene, 'mia', { amount: '700' });
    await warmUp();
    await lose();
    const since = scene.slack.mark();
    await clickCard(scene, 'nora', id, actionId, 'general');
    await nextAnswer(scene.slack, since);
    expect((await requestOf(scene, id)).state).toBe('pending');
  });

  test('gets no audit and no session', async () => {
    await ask(scene, 'mia', { amount: '700' });
    await warmUp();
    await lose();
    expect((await typeCommand(scene.slack, 'nora', '/limits', 'audit csv')).text).toMatch(REFUSED);
    const session = await typeCommand(scene.slack, 'nora', '/session', scene.platform.sessionIds[0] ?? '');
    expect(session.text).toMatch(REFUSED);
    expect(scene.platform.requests.filter(({ path }) => path.includes('/messages'))).toEqual([]);
  });
});
