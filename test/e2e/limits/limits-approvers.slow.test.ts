import { afterEach, describe, expect, test } from 'vitest';
import { askedCards, setApprovers, turnsOf } from '../../support/limits/approvers.ts';
import { ask, cardOf, clickCard, requestOf, untilQuiet, untilState } from '../../support/limits/limits.ts';
import { delivered } from '../../support/digests.ts';
import { moveClock } from '../../support/scene-clock.ts';
import { typeCommand } from '../../support/slack/conversation.ts';
import { nextView, openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

let scene: TestApp;
const start = async ({ settings, ...options }: TestAppOptions = {}) =>
  (scene = await startTestApp({
    ...options,
    settings: { LIMITS_CHANNEL: '#agent-usage', ADMINS: 'U0ADA,U0NORA,U0MAX', ...settings },
  }));
afterEach(() => scene.close());
const moveTo = (text: string) => moveClock(scene, new Date(text));

const asked = async (id: string) =>
  Object.fromEntries(
    await Promise.all(['ada', 'nora', 'max'].map(async (as) => [as, (await askedCards(scene, id, as)).length])),
  );
const shown = async (id: string) => JSON.stringify(await typeCommand(scene.slack, 'ada', '/limits', `show ${id}`));

describe.each(availableEngines())('with a list of approvers, on %s', (engine) => {
  test('a request goes to the first one, after the hours to the next, and then to all admins, each once', async () => {
    await start({ engine });
    expect(textOfView(await setApprovers(scene, 'ada', { approvers: ['U0ADA', 'U0NORA'] }))).toContain(
      'A new request now goes to *<@U0ADA>*, then every 4 hours to <@U0NORA>, all admins.',
    );
    const id = await ask(scene, 'mia', { amount: '700' });
    await untilQuiet(scene);
    expect(await asked(id)).toEqual({ ada: 1, nora: 0, max: 0 });
    const card = await cardOf(scene, id);
    expect(card.text).toContain('👉 Asked now: *Ada Okafor*. Next, from ');
    expect(card.text).toContain(': *Nora Lindqvist*.\nCan decide at any time: Ada Okafor, Nora Lindqvist, Max Weber');
    expect((await requestOf(scene, id)).state).toBe('pending');

    await moveTo('2026-03-02T11:02:00Z');
    await untilState(scene, id, 'handed_on');
    await untilQuiet(scene);
    expect(await asked(id)).toEqual({ ada: 1, nora: 1, max: 0 });
    expect((await cardOf(scene, id)).text).toContain('👉 Asked now: *Nora Lindqvist*. Next, from ');
    expect((await cardOf(scene, id)).text).toContain('⏳ Handed on, waiting for a decision until ');

    await moveTo('2026-03-02T15:03:00Z');
    await delivered(scene, `limit-card:${id}:turn-2:U0MAX`);
    await untilQuiet(scene);
    expect(await asked(id)).toEqual({ ada: 1, nora: 1, max: 1 });
    expect((await cardOf(scene, id)).text).toContain('👉 Asked now: all admins.');
    await moveTo('2026-03-03T15:04:00Z');
    await untilQuiet(scene);
    expect(await asked(id)).toEqual({ ada: 1, nora: 1, max: 1 });
    const history = await shown(id);
    expect(history).toContain('sent to an approver. To Ada Okafor');
    expect(history).toContain('handed on. To Nora Lindqvist');
    expect(history).toContain('handed on. To all admins');
  });
});

describe('a list of approvers', () => {
  test('waits for working time before it hands a request on', async () => {
    await start();
    await setApprovers(scene, 'ada', { approvers: ['U0ADA', 'U0NORA'], hours: '1' });
    await moveTo('2026-03-02T17:30:00Z');
    const id = await ask(scene, 'mia', { amount: '700' });
    await moveTo('2026-03-02T19:00:00Z');
    await untilQuiet(scene);
    expect((await turnsOf(scene, id)).map(({ approver }) => approver)).toEqual(['U0ADA']);
    await moveTo('2026-03-03T08:01:00Z');
    await untilState(scene, id, 'handed_on');
  });

  test('skips who cannot decide, who is no longer an admin and, if chosen, who is away, and says why', async () => {
    await start();
    await scene.slack.control.updatePerson({ person: 'max', status: { emoji: ':palm_tree:', text: '' } });
    const rules = { approvers: ['U0ADA', 'U0MAX', 'U0NORA'] };
    expect(textOfView(await setApprovers(scene, 'ada', { ...rules, skipsAway: true }))).not.toContain('is skipped');
    const own = await ask(scene, 'ada', { people: ['U0MIA'], amount: '700' });
    await untilQuiet(scene);
    expect((await turnsOf(scene, own)).map(({ approver, skipped }) => [approver, skipped])).toEqual([
      ['U0ADA', 'own_request'],
      ['U0MAX', 'away'],
      ['U0NORA', null],
    ]);
    expect(await shown(own)).toContain(
      'Ada Okafor was skipped: the request is theirs or for them. Max Weber was skipped: away by their Slack status. To Nora Lindqvist',
    );
    await scene.slack.control.close({ as: 'ada', all: true });
    await setApprovers(scene, 'ada', rules);
    const other = await ask(scene, 'nora', { people: ['U0MIA'], amount: '700' });
    await untilQuiet(scene);
    expect(await asked(other)).toEqual({ ada: 1, nora: 0, max: 0 });
  });

  test('hands a request on at once if the admin who is asked loses the role', async () => {
    await start();
    await setApprovers(scene, 'ada', { approvers: ['U0NORA', 'U0MAX'] });
    const id = await ask(scene, 'mia', { amount: '700' });
    await untilQuiet(scene);
    await scene.slack.control.updatePerson({ person: 'nora', isDeactivated: true });
    // It is no working time yet.
    await moveTo('2026-03-02T07:05:00Z');
    await untilState(scene, id, 'handed_on');
    await untilQuiet(scene);
    expect(await asked(id)).toEqual({ ada: 0, nora: 1, max: 1 });
    expect(await shown(id)).toContain('handed on. Nora Lindqvist can’t decide it: not an admin. To Max Weber');
  });

  test('is for admins, and holds only admins', async () => {
    await start();
    const opened = async (as: string) => textOfView(await openByCommand(scene.slack, as, '/limits', 'approvers'));
    for (const as of ['mia', 'morgan']) expect(await opened(as)).toContain(onlyFor('admin', '/limits approvers'));
    expect(textOfView(await setApprovers(scene, 'ada', { approvers: ['U0ADA', 'U0MIA'] }))).toContain(
      'Only admins can be approvers: remove Mia Chen.',
    );
    const errors = async (typed: Parameters<typeof setApprovers>[2]) => {
      await openByCommand(scene.slack, 'ada', '/limits', 'approvers');
      const { modals } = await scene.slack.control.submit({
        as: 'ada',
        values: {
          approvers: { approvers: typed.approvers ?? [] },
          hours: { hours: typed.hours ?? '' },
          secondAbove: { secondAbove: typed.secondAbove ?? '' },
        },
      });
      return modals[0]?.errors;
    };
    expect(await errors({ approvers: ['U0ADA'], hours: '0' })).toEqual({ hours: 'Type whole hours, from 1 to 168.' });
    expect(Object.keys((await errors({ secondAbove: 'much' })) ?? {})).toEqual(['secondAbove']);
  });

  test('without a channel, only the approver who is asked gets the card', async () => {
    await start({ settings: { LIMITS_CHANNEL: '' } });
    await setApprovers(scene, 'ada', { approvers: ['U0NORA', 'U0ADA'] });
    const id = await ask(scene, 'mia', { amount: '700' });
    await untilQuiet(scene);
    expect(await asked(id)).toEqual({ ada: 0, nora: 1, max: 0 });
    await moveTo('2026-03-02T11:02:00Z');
    await untilState(scene, id, 'handed_on');
    await untilQuiet(scene);
    expect(await asked(id)).toEqual({ ada: 1, nora: 1, max: 0 });
    await moveTo('2026-03-02T15:03:00Z');
    await delivered(scene, `limit-card:${id}:turn-2:U0MAX`);
    await untilQuiet(scene);
    expect(await asked(id)).toEqual({ ada: 1, nora: 1, max: 1 });
  });

  test('does not stop other admins from deciding', async () => {
    await start();
    await setApprovers(scene, 'ada', { approvers: ['U0NORA'] });
    const id = await ask(scene, 'mia', { amount: '700' });
    await untilQuiet(scene);
    const since = scene.slack.mark();
    await clickCard(scene, 'max', id, 'limits_review');
    await nextView(scene.slack, since);
    await submitForm(scene.slack, 'max');
    await untilState(scene, id, 'applied');
    await untilQuiet(scene);
    const [card] = await askedCards(scene, id, 'nora');
    expect(card?.text).toContain('*700 set*');
    await moveTo('2026-03-02T15:03:00Z');
    await untilQuiet(scene);
    expect(await asked(id)).toEqual({ ada: 0, nora: 1, max: 0 });
  });
});

describe('*Give to…* on the card', () => {
  const openGive = async (as: string, id: string) => {
    const since = scene.slack.mark();
    await clickCard(scene, as, id, 'limits_give');
    return textOfView(await nextView(scene.slack, since));
  };
  const give = (as: string, to: string) => submitForm(scene.slack, as, { receiver: { receiver: to } });

  test('has another admin asked, once, and the list continues afterwards', async () => {
    await start();
    await setApprovers(scene, 'ada', { approvers: ['U0ADA', 'U0NORA'] });
    const id = await ask(scene, 'mia', { amount: '700' });
    await untilQuiet(scene);
    expect((await cardOf(scene, id)).blocks).toContainEqual(
      expect.objectContaining({
        elements: expect.arrayContaining([expect.objectContaining({ action_id: 'limits_give' })]),
      }),
    );
    const form = await openGive('ada', id);
    expect(form).toContain('Nora Lindqvist');
    expect(form).not.toContain('Mia Chen"');
    expect(textOfView(await give('ada', 'U0MAX'))).toContain('*<@U0MAX> is asked to decide*');
    await untilQuiet(scene);
    expect(await asked(id)).toEqual({ ada: 1, nora: 0, max: 1 });
    expect((await cardOf(scene, id)).text).toContain('👉 Asked now: *Max Weber*. Next, from ');
    expect(await shown(id)).toContain('given. To Max Weber');
    await moveTo('2026-03-02T11:03:00Z');
    await delivered(scene, `limit-card:${id}:turn-2:U0NORA`);
    await untilQuiet(scene);
    expect(await asked(id)).toEqual({ ada: 1, nora: 1, max: 1 });
  });

  test('is refused to others, for who is asked already, and for who cannot decide', async () => {
    await start();
    await setApprovers(scene, 'ada', { approvers: ['U0ADA', 'U0NORA'] });
    const id = await ask(scene, 'nora', { people: ['U0MIA'], amount: '700' });
    await untilQuiet(scene);
    expect(await openGive('morgan', id)).toContain(onlyFor('admin', 'This'));
    expect(await openGive('ada', id)).not.toContain('Nora Lindqvist","');
    await openGive('max', id);
    await give('max', 'U0MAX');
    expect(textOfView(await give('ada', 'U0MAX'))).toContain('This admin is already asked to decide');
    expect((await turnsOf(scene, id)).map(({ approver }) => approver)).toEqual(['U0ADA', 'U0MAX']);
    const later = await ask(scene, 'mia', { amount: '800' });
    await untilQuiet(scene);
    await openGive('ada', later);
    await scene.slack.control.updatePerson({ person: 'max', isDeactivated: true });
    await moveTo('2026-03-02T07:05:00Z');
    expect(textOfView(await give('ada', 'U0MAX'))).toContain('This admin can’t decide');
    expect(await turnsOf(scene, later)).toHaveLength(1);
  });
});
