import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import {
  ask,
  cardOf,
  clickCard,
  openReview,
  putsOf,
  requestOf,
  reviewValues,
  untilQuiet,
  denyReview,
} from '../../support/limits/limits.ts';
import { nextView, openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { moveClock } from '../../support/scene-clock.ts';

let scene: TestApp;
beforeEach(async () => {
  // Two admins, so that each can decide the other's requests.
  const settings = { LIMITS_CHANNEL: '#general', ALLOW_SHARED_CHANNELS: 'true', ADMINS: 'U0ADA,U0NORA' };
  scene = await startTestApp({ settings });
  await scene.slack.control.invite({ as: 'ada', channel: 'general', who: 'olga' });
});
afterEach(() => scene.close());

const ADMINS_ONLY = onlyFor('admin', 'This');
const OWN = 'Admins can’t decide their own request';
const NOT_THEIRS = 'the requester, or an admin can withdraw';
const UNKNOWN = 'There is no request';
const GUEST = 'guests can’t';
const OUTSIDER = 'people of Quartermaster’s own workspace';
const MAY = '"callback_id":"limits_approve_form"';
const MAY_DENY = 'Say why you deny it.';

/** Returns the text that a user sees after a click on *Review* on a card, whatever message it came from. */
const openedBy = async (as: string, id: string) => textOfView(await openReview(scene, as, id, 'general'));

/** The same for the button that denies a review. */
async function denialOpenedBy(as: string, id: string): Promise<string> {
  const since = scene.slack.mark();
  await clickCard(scene, as, id, 'limits_deny', 'general');
  return textOfView(await nextView(scene.slack, since));
}

/** Returns the text that a user sees after a click on a button of a card. */
async function clickedBy(as: string, id: string, actionId: string): Promise<string> {
  const since = scene.slack.mark();
  await clickCard(scene, as, id, actionId, 'general');
  return (await nextAnswer(scene.slack, since)).text;
}

const SLACK_IDS: Record<string, string> = { mia: 'U0MIA', morgan: 'U0MORGAN', ada: 'U0ADA' };

/** Submits a review of a request in a form that was opened for another one. */
async function forgedDecision(as: string, id: string): Promise<string> {
  const bait = await ask(scene, 'max', { amount: '1' });
  const shown = await openReview(scene, 'ada', bait, 'general');
  await openByCommand(scene.slack, as, '/limits', 'request', 'general');
  const modal = scene.slack.workspace.modalsOf(SLACK_IDS[as] ?? '').at(-1);
  if (!modal) throw new Error('No modal is open');
  modal.view = { ...shown.view, private_metadata: JSON.stringify({ id, fields: [{ at: 0, asked: 700, back: null }] }) };
  return textOfView(await submitForm(scene.slack, as, reviewValues({ amounts: { 0: '700' } })));
}

describe('the right to review, checked with real payloads of Slack,', () => {
  // Rows: the user who clicks. Columns: on another’s pending request, on their own, on a decided one (an old message).
  test.each([
    ['a member', 'mia', ADMINS_ONLY, ADMINS_ONLY, ADMINS_ONLY],
    ['a manager', 'morgan', ADMINS_ONLY, ADMINS_ONLY, ADMINS_ONLY],
    ['an admin', 'ada', MAY, OWN, 'already denied the request'],
    ['a guest', 'gus', GUEST, '', GUEST],
    ['a user of another workspace', 'olga', OUTSIDER, '', OUTSIDER],
  ])('is checked for %s', async (_who, as, others, own, old) => {
    const pending = await ask(scene, as === 'mia' ? 'max' : 'mia', { amount: '700' });
    expect(await openedBy(as, pending)).toContain(others);
    expect(await denialOpenedBy(as, pending)).toContain(others === MAY ? MAY_DENY : others);
    // The bot does not answer these users, so they cannot have sent a request either.
    const typed = as === 'mia' ? { amount: '5' } : { people: ['U0MAX'], amount: '5' };
    const seen = own === '' ? '' : await openedBy(as, await ask(scene, as, typed));
    expect(seen).toContain(own);
    await openReview(scene, 'nora', pending, 'general');
    await denyReview(scene, 'nora', 'Not now');
    await untilQuiet(scene);
    expect(JSON.stringify((await cardOf(scene, pending, 'general')).blocks)).not.toContain('limits_review');
    expect(await openedBy(as, pending)).toContain(old);
    expect((await requestOf(scene, pending)).decidedBy).toBe('U0NORA');
    expect(putsOf(scene)).toBe(0);
  });
});

describe('the right to withdraw and retry', () => {
  test.each([
    ['a member', 'max', UNKNOWN, ADMINS_ONLY],
    ['a manager', 'morgan', NOT_THEIRS, ADMINS_ONLY],
    ['a guest', 'gus', GUEST, GUEST],
    ['a user of another workspace', 'olga', OUTSIDER, OUTSIDER],
    ['the requester', 'mia', 'is withdrawn', ADMINS_ONLY],
    ['an admin', 'ada', 'is withdrawn', 'There is nothing to send again'],
  ])('is checked for %s', async (_who, as, withdrawing, retrying) => {
    const id = await ask(scene, 'mia', { amount: '700' });
    expect(await clickedBy(as, id, 'limits_retry')).toContain(retrying);
    expect(await clickedBy(as, id, 'limits_withdraw')).toContain(withdrawing);
    expect((await requestOf(scene, id)).state).toBe(withdrawing === 'is withdrawn' ? 'withdrawn' : 'pending');
  });
});

describe('a submitted decision', () => {
  test.each([
    ['by a member', 'mia', ADMINS_ONLY],
    ['by a manager', 'morgan', ADMINS_ONLY],
    ['by the admin who made the request', 'ada', OWN],
  ])('with a forged form %s is refused', async (_how, as, refusal) => {
    const id = await ask(scene, as, as === 'mia' ? { amount: '700' } : { people: ['U0MAX'], amount: '700' });
    expect(await forgedDecision(as, id)).toContain(refusal);
    expect((await requestOf(scene, id)).state).toBe('pending');
    expect(putsOf(scene)).toBe(0);
  });

  test('by an admin who lost the role in the meantime is refused', async () => {
    const id = await ask(scene, 'mia', { amount: '700' });
    await openReview(scene, 'ada', id, 'general');
    await scene.slack.control.updatePerson({ person: 'ada', isGuest: true });
    await moveClock(scene, new Date('2026-03-02T07:02:00Z'));
    expect(textOfView(await submitForm(scene.slack, 'ada', reviewValues()))).toContain(GUEST);
    expect((await requestOf(scene, id)).state).toBe('pending');
  });

  test('that arrives twice sends one PUT', async () => {
    const id = await ask(scene, 'mia', { amount: '700' });
    await openReview(scene, 'ada', id, 'general');
    const since = scene.slack.mark();
    const submit = () => scene.slack.control.submit({ as: 'ada', values: reviewValues() });
    await Promise.allSettled([submit(), submit()]);
    await nextView(scene.slack, since, /confirmed/);
    await scene.slack.control.redeliver({});
    await untilQuiet(scene);
    expect(putsOf(scene)).toBe(1);
  });
});

describe('the right to request and view', () => {
  const LEDGER = onlyFor('manager', 'What was set for others');
  const AUDIT = onlyFor('admin', 'The audit');
  test.each([
    [
      'a member',
      'mia',
      onlyFor('manager', 'Requesting limits for others'),
      onlyFor('manager', '/limits import'),
      LEDGER,
      AUDIT,
    ],
    ['a manager', 'morgan', 'For these people', 'Paste it', 'current limit unknown', AUDIT],
    ['an admin', 'ada', 'For these people', 'Paste it', 'current limit unknown', 'is in your direct messages'],
    ['a guest', 'gus', GUEST, GUEST, GUEST, GUEST],
    ['a user of another workspace', 'olga', OUTSIDER, OUTSIDER, OUTSIDER, OUTSIDER],
  ])('is checked for %s', async (_who, as, asking, importing, ledger, audit) => {
    const opened = async (text: string) => textOfView(await openByCommand(scene.slack, as, '/limits', text, 'general'));
    const told = async (text: string) => (await typeCommand(scene.slack, as, '/limits', text)).text;
    expect(await opened('request @max 5')).toContain(asking);
    expect(await opened('import')).toContain(importing);
    expect(await told('@max')).toContain(ledger);
    expect(await told('audit csv')).toContain(audit);
  });
});
