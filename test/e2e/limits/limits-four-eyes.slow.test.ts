import { afterEach, describe, expect, test } from 'vitest';
import { listAuditEntries } from '../../../src/core/store/audit.ts';
import {
  ask,
  askValues,
  cardOf,
  clickCard,
  directMessagesTo,
  openReview,
  putsOf,
  requestOf,
  reviewValues,
  untilQuiet,
  untilState,
} from '../../support/limits/limits.ts';
import { nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { nextView, openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { readDatabase } from '../../support/stores/databases.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const OWN = 'Admins can’t decide their own request';
const CONFIRMED = { decided_alone: { decided_alone: ['confirmed'] } };

let scene: TestApp;
const start = async (settings: Record<string, string> = {}) =>
  (scene = await startTestApp({
    settings: { LIMITS_CHANNEL: '#agent-usage', ADMINS: 'U0ADA', FOUR_EYES: 'when-possible', ...settings },
  }));
afterEach(() => scene.close());

const forMax = () => ask(scene, 'ada', { people: ['U0MAX'], amount: '700' });

async function auditOf(id: string) {
  const db = readDatabase(scene.databaseUrl);
  try {
    return await listAuditEntries(db, `limits:${id}`);
  } finally {
    await db.destroy();
  }
}

describe('with FOUR_EYES=when-possible, the only admin', () => {
  test('approves a request for others only after a confirmation, and everybody reads that it was decided alone', async () => {
    await start();
    const id = await forMax();
    expect(textOfView(await openReview(scene, 'ada', id))).toContain('I decide this alone');
    const { modals } = await scene.slack.control.submit({ as: 'ada', values: reviewValues() });
    expect(modals[0]?.errors).toEqual({ decided_alone: 'Confirm it, or let another admin decide.' });
    expect(putsOf(scene)).toBe(0);

    await submitForm(scene.slack, 'ada', { ...reviewValues(), ...CONFIRMED });
    await untilState(scene, id, 'applied');
    await untilQuiet(scene);
    expect(scene.platform.limits.get('max.member@acme.example')).toBe(700);
    expect((await cardOf(scene, id)).text).toContain('approved by <@U0ADA> (decided alone)');
    for (const as of ['ada', 'max'])
      expect((await directMessagesTo(scene, as)).join('\n')).toContain('<@U0ADA> (decided alone)');
    expect((await auditOf(id)).find(({ action }) => action === 'approved')?.detail).toContain('Decided alone');
  });

  test('does not approve it by the button of a card, which has no confirmation', async () => {
    await start();
    const id = await forMax();
    const since = scene.slack.mark();
    await clickCard(scene, 'ada', id, 'limits_approve');
    expect((await nextAnswer(scene.slack, since)).text).toContain('Press Review');
    expect((await requestOf(scene, id)).state).toBe('pending');
  });

  test('does not approve it in a form without the confirmation', async () => {
    await start();
    const id = await forMax();
    await openReview(scene, 'ada', id);
    const modal = scene.slack.workspace.modalsOf('U0ADA').at(-1);
    if (modal)
      modal.view = {
        ...modal.view,
        private_metadata: JSON.stringify({ id, fields: [{ at: 0, asked: 700, back: null }] }),
      };
    expect(textOfView(await submitForm(scene.slack, 'ada', reviewValues()))).toContain(
      'to confirm that you decide it alone',
    );
    expect((await requestOf(scene, id)).state).toBe('pending');
    expect(putsOf(scene)).toBe(0);
  });

  test.each([
    ['for themselves', { people: ['U0ADA'], amount: '700' }],
    ['that includes them', { people: ['U0ADA', 'U0MAX'], amount: '700' }],
    ['that includes them by e-mail', { people: ['U0MAX'], emails: 'ADA.Admin@acme.example', amount: '700' }],
  ])('cannot send a request %s', async (_what, choices) => {
    await start();
    await openByCommand(scene.slack, 'ada', '/limits', 'request @max');
    expect(textOfView(await submitForm(scene.slack, 'ada', askValues(choices)))).toContain('you are the only one');
  });

  test('approves a list of others', async () => {
    await start();
    await openByCommand(scene.slack, 'ada', '/limits', 'import');
    await submitForm(scene.slack, 'ada', {
      list: { list: 'max.member@acme.example,700\nmia.member@acme.example,800' },
    });
    const sent = textOfView(await submitForm(scene.slack, 'ada', { reason: { reason: 'New seats' } }));
    const id = /Your request is `(\w+)`/.exec(sent)?.[1] ?? '';
    await untilQuiet(scene);
    await openReview(scene, 'ada', id);
    await submitForm(scene.slack, 'ada', { ...reviewValues(), ...CONFIRMED });
    await untilState(scene, id, 'applied');
    await untilQuiet(scene);
    expect(scene.platform.limits.size).toBe(2);
    expect((await directMessagesTo(scene, 'mia')).join('\n')).toContain('decided alone');
  });
});

describe('with a second admin, the requester does not decide', () => {
  test('although FOUR_EYES is when-possible', async () => {
    await start({ ADMINS: 'U0ADA,U0NORA' });
    const id = await forMax();
    expect(textOfView(await openReview(scene, 'ada', id))).toContain(OWN);
    expect((await requestOf(scene, id)).state).toBe('pending');
  });
});

describe('before it opens, a form', () => {
  const FIELDS = '"type":"input"';
  const opened = async (as: string, text: string) =>
    textOfView(await openByCommand(scene.slack, as, '/limits', text, 'agent-usage'));
  const SET_FOUR_EYES = 'add another admin to ADMINS, or to set FOUR_EYES=when-possible';

  test.each(['request', 'request @max 700', 'import'])(
    '%s says that the only admin can’t request anything, and what to do',
    async (text) => {
      await start({ FOUR_EYES: 'required' });
      const form = await opened('ada', text);
      expect(form).toContain(SET_FOUR_EYES);
      expect(form).not.toContain(FIELDS);
    },
  );

  test('opened by a button says the same', async () => {
    await start({ FOUR_EYES: 'required' });
    const list = await typeCommand(scene.slack, 'ada', '/limits', '', 'agent-usage');
    const since = scene.slack.mark();
    const source = { in: 'message' as const, channel: 'agent-usage', ts: list.ts };
    await scene.slack.control.click({ as: 'ada', source, actionId: 'limits_ask' });
    const form = textOfView(await nextView(scene.slack, since));
    expect(form).toContain(SET_FOUR_EYES);
    expect(form).not.toContain(FIELDS);
  });

  test('says that no admin can decide a request for the only one', async () => {
    await start({ FOUR_EYES: 'when-possible' });
    expect(await opened('morgan', 'request @ada 700')).toContain('it is also for the only one');
    expect(await opened('ada', 'request @ada 700')).toContain('you are the only one');
  });

  test.each(['request', 'request @max 700', 'import'])('%s names the admins who could decide', async (text) => {
    await start({ ADMINS: 'U0ADA,U0NORA' });
    expect(await opened('morgan', text)).toContain('Can decide: <@U0ADA>, <@U0NORA>');
    await scene.slack.control.close({ as: 'morgan', all: true });
    expect(await opened('ada', text)).toContain('Can decide: <@U0NORA>');
  });

  test('says to the only admin that they decide alone', async () => {
    await start();
    const form = await opened('ada', 'request @max 700');
    expect(form).toContain('you decide this alone, after a confirmation');
    expect(form).toContain(FIELDS);
  });
});
