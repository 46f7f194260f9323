import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { delivered } from '../../support/digests.ts';
import {
  ask,
  askValues,
  cardOf,
  clickCard,
  openReview,
  putsOf,
  requestOf,
  review,
  untilQuiet,
  untilState,
  denyReview,
  reviewValues,
} from '../../support/limits/limits.ts';
import { nextAnswer, typeCommand } from '../../support/slack/conversation.ts';
import { nextView, openByCommand, submitForm, textOfView } from '../../support/slack/modals.ts';
import { onlyFor } from '../../support/slack/refusals.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const MIA = 'mia.member@acme.example';
const MAX = 'max.member@acme.example';
/** More than any person of the sandbox uses in four weeks. */
const PLENTY = '900000000';

let scene: TestApp;
beforeEach(async () => {
  scene = await startTestApp({ settings: { LIMITS_CHANNEL: '#agent-usage' } });
});
afterEach(() => scene.close());

async function submitted(as: string, choices: Parameters<typeof askValues>[0]): Promise<string> {
  await openByCommand(scene.slack, as, '/limits', 'request');
  return textOfView(await submitForm(scene.slack, as, askValues(choices)));
}

async function preview(list: string): Promise<string> {
  await openByCommand(scene.slack, 'morgan', '/limits', 'import');
  return textOfView(await submitForm(scene.slack, 'morgan', { list: { list } }));
}

async function sendImport(list: string): Promise<string> {
  await preview(list);
  const sent = textOfView(await submitForm(scene.slack, 'morgan', { reason: { reason: 'New seats' } }));
  const id = /Your request is `(\w+)`/.exec(sent)?.[1] ?? '';
  await delivered(scene, `limit-card:${id}:`);
  return id;
}

describe('before a request is sent', () => {
  test('a limit of 0 needs a confirmation', async () => {
    expect(await submitted('mia', { amount: '0' })).toContain(`A limit of 0 stops the work of ${MIA}`);
    expect(textOfView(await submitForm(scene.slack, 'mia'))).toContain('*Sent.*');
  });

  test('a limit below a person’s usage of the last 28 days needs a confirmation', async () => {
    const look = await submitted('mia', { amount: '700' });
    expect(look).toContain('Check before you send');
    expect(look).toMatch(
      /1 person would get less than they used in the last 28 days[^"]*mia[^"]*\*700\* \(used [\d.]+ M\)/,
    );
  });

  test('a limit below the last one needs a confirmation', async () => {
    const id = await ask(scene, 'mia', { amount: PLENTY });
    await review(scene, 'ada', id, 'approve');
    expect(await submitted('mia', { amount: '800000000' })).toContain(`This lowers the limit of ${MIA}`);
  });

  test('a sufficient limit needs no confirmation', async () => {
    expect(await submitted('mia', { amount: PLENTY })).toContain('*Sent.*');
  });
});

describe('a list with too little for some people', () => {
  const LIST = `${MIA},500\n${MAX},0\nnora.member@acme.example,${PLENTY}`;
  const FLAGGED = /2 people would get less than they used in the last 28 days\*, lowest first[^"]*max[^"]*mia/;

  test('is flagged in the preview, the card and the review, lowest first, beside the totals', async () => {
    // The preview waits one second for the usage, which a busy machine may not read in that time.
    await typeCommand(scene.slack, 'morgan', '/usage', 'people 28d');
    const shown = await preview(LIST);
    await scene.slack.control.close({ as: 'morgan', all: true });
    const id = await sendImport(LIST);
    const card = await cardOf(scene, id);
    const form = textOfView(await openReview(scene, 'ada', id));
    for (const text of [shown, JSON.stringify(card.blocks), form]) {
      expect(text).toMatch(FLAGGED);
      expect(text).toMatch(/Requested: 900,000,500 in total\.\* These people used [\d.]+ [KM] in the last 28 days/);
    }
    expect(form).toContain('If you approve all: *900,000,500* in total.');
    expect(form).toMatch(/⚠️ Less than the [\d,]+ used in the last 28 days\. Requested: 500/);
  });

  test('of more people than a form has fields shows the most extreme amounts first', async () => {
    const emails = scene.platform.organization.people.flatMap(({ email }) => email?.toLowerCase() ?? []);
    const others = emails.filter((email) => !email.startsWith('ada') && email !== MAX).slice(0, 21);
    expect(others.length).toBeGreaterThan(20);
    const id = await sendImport([...others.map((email) => `${email},${PLENTY}`), `${MAX},5`].join('\n'));
    const form = textOfView(await openReview(scene, 'ada', id));
    expect(form).toMatch(/1 person would get less than they used[^"]*max\.member@acme\.example: \*5\*/);
    expect(form).toContain('"block_id":"exceptions"');
  });

  test('shows after the decision the approved and the requested amounts', async () => {
    const id = await sendImport(LIST);
    await review(scene, 'ada', id, 'approve', { amounts: { 2: '400' } });
    await untilState(scene, id, 'applied');
    await untilQuiet(scene);
    expect((await cardOf(scene, id)).text).toContain('Approved: 900 in total, of 900,000,500 requested');
  });
});

describe('a denial', () => {
  test('needs a reason, which the requester reads with a button to ask again', async () => {
    const until = new Date('2026-03-05T12:00:00Z');
    const id = await ask(scene, 'mia', { amount: '7000', until, back: '500', reason: 'The big migration' });
    await openReview(scene, 'ada', id);
    const { errors } = await denyReview(scene, 'ada', ' ');
    expect(errors).toEqual({ comment: 'Say why you deny it. The requester will read this.' });
    expect((await requestOf(scene, id)).state).toBe('pending');
    const back = scene.slack.mark();
    await scene.slack.control.click({ as: 'ada', source: { in: 'modal' }, actionId: 'limits_review' });
    expect(textOfView(await nextView(scene.slack, back))).toContain('"submit":{"type":"plain_text","text":"Approve"');
    await denyReview(scene, 'ada', 'Ask for half');
    const told = await delivered(scene, `limit-told:${id}:0:denied:U0MIA`);
    const { channels } = await scene.slack.control.state({ as: 'mia' });
    const message = channels.find(({ kind }) => kind === 'dm')?.messages.find(({ ts }) => ts === told.messageTs);
    expect(message?.text).toContain('Comment: Ask for half');
    const since = scene.slack.mark();
    const source = { in: 'message' as const, channel: 'dm', ts: told.messageTs ?? '' };
    await scene.slack.control.click({ as: 'mia', source, actionId: 'limits_ask_again' });
    const form = textOfView(await nextView(scene.slack, since));
    for (const value of ['"7000"', '"The big migration"', '"500"', String(until.getTime() / 1_000)])
      expect(form).toContain(value);
    expect(putsOf(scene)).toBe(0);
  });
});

describe('a review', () => {
  test('copies the typed comment to the reason of a denial', async () => {
    const id = await ask(scene, 'mia', { amount: '7000' });
    await openReview(scene, 'ada', id);
    await scene.slack.control.type({ as: 'ada', values: reviewValues({ comment: 'Too much' }) });
    const since = scene.slack.mark();
    await scene.slack.control.click({ as: 'ada', source: { in: 'modal' }, actionId: 'limits_deny' });
    expect(textOfView(await nextView(scene.slack, since))).toContain('"initial_value":"Too much"');
    expect((await requestOf(scene, id)).state).toBe('pending');
    await submitForm(scene.slack, 'ada');
    await untilState(scene, id, 'denied');
  });

  test('that an earlier version opened approves nothing, whatever was chosen in it', async () => {
    const id = await ask(scene, 'mia', { amount: '7000' });
    await openReview(scene, 'ada', id);
    const [open] = scene.slack.workspace.modalsOf('U0ADA');
    if (open) open.view['callback_id'] = 'limits_review_form';
    expect(textOfView(await submitForm(scene.slack, 'ada'))).toContain('from another version of Quartermaster');
    expect((await requestOf(scene, id)).state).toBe('pending');
    expect(putsOf(scene)).toBe(0);
  });
});

describe('a request in proportion to past usage', () => {
  const button = async (id: string) => JSON.stringify((await cardOf(scene, id)).blocks).includes('"limits_approve"');

  test('is approved as requested by one click of an admin, and set once', async () => {
    const id = await ask(scene, 'mia', { amount: '5000000' });
    expect(await button(id)).toBe(true);
    const since = scene.slack.mark();
    await clickCard(scene, 'ada', id, 'limits_approve');
    expect((await nextAnswer(scene.slack, since)).text).toContain('✅ *5 M set*');
    await clickCard(scene, 'ada', id, 'limits_approve');
    await untilQuiet(scene);
    expect((await cardOf(scene, id)).text).toContain('approved by <@U0ADA>');
    expect(scene.platform.limits.get('mia.member@acme.example')).toBe(5_000_000);
    expect(putsOf(scene)).toBe(1);
  });

  test('is not approved by a manager who sends the click', async () => {
    const id = await ask(scene, 'mia', { amount: '5000000' });
    const since = scene.slack.mark();
    await clickCard(scene, 'morgan', id, 'limits_approve');
    expect((await nextAnswer(scene.slack, since)).text).toContain(onlyFor('admin', 'This'));
    expect(putsOf(scene)).toBe(0);
  });

  test('opens the review first if it has warnings, whatever an old button says', async () => {
    const id = await ask(scene, 'mia', { amount: '700' });
    expect(await button(id)).toBe(false);
    const since = scene.slack.mark();
    await clickCard(scene, 'ada', id, 'limits_approve');
    expect((await nextAnswer(scene.slack, since)).text).toBe('This request has to be reviewed first. Press Review.');
    expect(putsOf(scene)).toBe(0);
  });
});
