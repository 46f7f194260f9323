import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MessageView } from '../../../src/sandbox/slack/people/control-types.ts';
import type { Engine } from '../../../src/core/store/store.ts';
import { availableEngines } from '../../support/stores/databases.ts';
import { delivered } from '../../support/digests.ts';
import { ask, cardOf, clickCard, openReview, untilQuiet, denyReview } from '../../support/limits/limits.ts';
import { typeCommand } from '../../support/slack/conversation.ts';
import { nextView, submitForm, textOfView } from '../../support/slack/modals.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let scene: TestApp;
const start = async (settings: Record<string, string>, engine?: Engine) => {
  scene = await startTestApp({
    settings: { ADMINS: 'U0ADA,U0NORA', ...settings },
    ...(engine === undefined ? {} : { engine }),
  });
};
afterEach(() => scene.close());

const QUESTION = 'For which project?';
const ANSWER = 'The migration of payments.';
const words = (text: string) => ({ text: { text } });

/** Returns the text that a user sees after a click on *Ask a question* on a card. */
async function clicked(as: string, id: string, channel?: string): Promise<string> {
  const since = scene.slack.mark();
  await clickCard(scene, as, id, 'limits_question', channel);
  return textOfView(await nextView(scene.slack, since));
}

async function askAbout(as: string, id: string, channel?: string): Promise<string> {
  await clicked(as, id, channel);
  const sent = textOfView(await submitForm(scene.slack, as, words(QUESTION)));
  await delivered(scene, 'limit-question:');
  return sent;
}

/** The messages of the bot with a key of this kind, as the given user sees them. */
async function messagesOf(as: string, prefix: string): Promise<MessageView[]> {
  const { channels } = await scene.slack.control.state({ as });
  return channels
    .flatMap(({ messages }) => messages)
    .filter(({ metadata }) => String(metadata?.event_payload['key']).startsWith(prefix));
}

/** Returns the text that a user sees after a click on *Answer* on the question to the requester. */
async function clickedAnswer(as: string): Promise<string> {
  const [question] = await messagesOf('mia', 'limit-question:');
  const element = question?.blocks
    .flatMap((block) => (Array.isArray(block['elements']) ? block['elements'] : []))
    .find(({ action_id: actionId }) => String(actionId).startsWith('limits_answer'));
  const value = String(element?.value);
  const since = scene.slack.mark();
  const forged = { type: 'button', action_id: 'limits_answer', value };
  const source = as === 'mia' ? { channel: 'dm', ts: question?.ts ?? '' } : await anyMessageOf(as);
  await scene.slack.control.click({ as, source: { in: 'message', ...source }, actionId: 'limits_answer', forged });
  return textOfView(await nextView(scene.slack, since));
}

async function anyMessageOf(as: string): Promise<{ channel: string; ts: string }> {
  return { channel: 'general', ts: (await typeCommand(scene.slack, as, '/limits', 'help')).ts };
}

async function answered(): Promise<string> {
  await clickedAnswer('mia');
  return textOfView(await submitForm(scene.slack, 'mia', words(ANSWER)));
}

describe.each(availableEngines())('a question on a card in a channel, on %s', (engine) => {
  beforeEach(() => start({ LIMITS_CHANNEL: '#agent-usage' }, engine));

  test('reaches the requester alone, once, and its answer reaches the thread of the card, once', async () => {
    const id = await ask(scene, 'mia', { amount: '700' });
    expect(await askAbout('ada', id)).toContain('Sent to <@U0MIA>.');
    const [question, ...more] = await messagesOf('mia', 'limit-question:');
    expect(more).toEqual([]);
    expect(question?.text).toContain(`<@U0ADA> has a question about your request \`${id}\``);
    expect(question?.text).toContain(QUESTION);
    expect(await messagesOf('max', 'limit-question:')).toEqual([]);
    expect(await answered()).toContain('*Sent.*');
    await scene.slack.control.redeliver({});
    await untilQuiet(scene);
    const answers = await messagesOf('ada', 'limit-answer:');
    expect(answers.map(({ text, threadTs: thread }) => ({ text, thread }))).toEqual([
      {
        text: `<@U0ADA> asked: ${QUESTION}\n<@U0MIA> answered: *${ANSWER}*`,
        thread: (await cardOf(scene, id)).ts,
      },
    ]);
  });

  test('that is sent twice is asked once', async () => {
    const id = await ask(scene, 'mia', { amount: '700' });
    await clicked('ada', id);
    const submit = () => scene.slack.control.submit({ as: 'ada', values: words(QUESTION) });
    await Promise.allSettled([submit(), submit()]);
    await delivered(scene, 'limit-question:');
    await untilQuiet(scene);
    expect(await messagesOf('mia', 'limit-question:')).toHaveLength(1);
  });
});

describe('a question on a card', () => {
  beforeEach(() => start({ LIMITS_CHANNEL: '#agent-usage' }));

  test('appears with its answer in /limits show, for those who see all of the request', async () => {
    const id = await ask(scene, 'mia', { amount: '700' });
    await askAbout('ada', id);
    await answered();
    for (const as of ['mia', 'morgan', 'ada']) {
      const { text } = await typeCommand(scene.slack, as, '/limits', `show ${id}`);
      expect(text).toContain(`asked a question. ${QUESTION}`);
      expect(text).toContain(`answered. ${ANSWER}`);
    }
    const { text } = await typeCommand(scene.slack, 'max', '/limits', `show ${id}`);
    expect(text).not.toContain(QUESTION);
  });

  test.each([
    ['a member', 'max'],
    ['a manager', 'morgan'],
    ['the requester', 'mia'],
  ])('cannot be asked by %s', async (_who, as) => {
    const id = await ask(scene, 'mia', { amount: '700' });
    expect(await clicked(as, id)).toContain(onlyFor('admin', 'This'));
  });

  test('cannot be asked by a guest, whatever message the click comes from', async () => {
    const id = await ask(scene, 'mia', { amount: '700' });
    const since = scene.slack.mark();
    const forged = { type: 'button', action_id: 'limits_question', value: id };
    const source = { in: 'message' as const, ...(await anyMessageOf('gus')) };
    await scene.slack.control.click({ as: 'gus', source, actionId: 'limits_question', forged });
    expect(textOfView(await nextView(scene.slack, since))).toContain('guests can’t');
  });

  test('cannot be asked by the admin who made the request', async () => {
    const id = await ask(scene, 'ada', { people: ['U0MAX'], amount: '700' });
    expect(await clicked('ada', id)).toContain('another admin has to review it');
  });

  test('can be answered only by the requester, and once', async () => {
    const id = await ask(scene, 'mia', { amount: '700' });
    await askAbout('ada', id);
    expect(await clickedAnswer('max')).toContain('There is no such question for you');
    expect(await clickedAnswer('ada')).toContain('can answer');
    await answered();
    expect(await clickedAnswer('mia')).toContain('You’ve already answered this');
  });

  test('is refused after a decision, and so is its answer', async () => {
    const id = await ask(scene, 'mia', { amount: '700' });
    await askAbout('ada', id);
    await clickedAnswer('mia');
    await openReview(scene, 'nora', id);
    await denyReview(scene, 'nora', 'Not now');
    const late = textOfView(await submitForm(scene.slack, 'mia', words(ANSWER)));
    expect(late).toContain('so an answer isn’t needed anymore');
    expect(await clicked('ada', id)).toContain('so there’s nothing left to ask');
    await untilQuiet(scene);
    expect(await messagesOf('ada', 'limit-answer:')).toEqual([]);
  });

  test('must not be empty', async () => {
    const id = await ask(scene, 'mia', { amount: '700' });
    await clicked('ada', id);
    const { delivery } = await scene.slack.control.submit({ as: 'ada', values: words('   ') });
    expect(JSON.stringify(delivery)).toContain('Type a few words.');
  });
});

test('an answer appears in the thread of every admin’s copy of the card', async () => {
  await start({});
  const id = await ask(scene, 'mia', { amount: '700' });
  await untilQuiet(scene);
  await askAbout('ada', id, 'dm');
  await answered();
  await untilQuiet(scene);
  for (const as of ['ada', 'nora']) {
    const [answer, ...more] = await messagesOf(as, 'limit-answer:');
    expect(more).toEqual([]);
    expect(answer?.threadTs).toBe((await cardOf(scene, id, 'dm', as)).ts);
  }
});
