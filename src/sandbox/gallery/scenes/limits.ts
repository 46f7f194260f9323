import { LABELS } from '../../../features/limits/core/limit-buttons.ts';
import type { Shot } from '../../page/shot.ts';
import {
  answerShot,
  homeShot,
  messageIn,
  modalShot,
  postedShot,
  viewOf,
  type ActionEffects,
  type Stage,
} from '../stage.ts';

/** A request from its form to its end, decided in each way, and a list. */
export async function* limitScenes(stage: Stage): AsyncGenerator<Shot> {
  const screen = '/limits';
  yield answerShot({ screen, state: 'no requests yet', reader: 'mia' }, await stage.type('mia', '/limits'));
  yield answerShot({ screen, state: 'help', reader: 'mia' }, await stage.type('mia', '/limits', 'help'));

  const form = await stage.type('mia', '/limits', 'request');
  yield modalShot({ screen: 'Request a limit', state: 'empty', reader: 'mia' }, form);
  const problems = await stage.fill('mia', viewOf(form), { 'New limit': '1', 'Why?': 'x' });
  yield modalShot({ screen: 'Request a limit', state: 'with a warning', reader: 'mia' }, problems);
  await stage.closeModals('mia');

  const approved = await ask(stage, '8000000', 'The migration of payments needs long sessions this week.');
  yield modalShot({ screen: 'Request a limit', state: 'sent', reader: 'mia' }, approved);
  yield postedShot(
    stage,
    { screen: 'Request', state: 'waiting, as admins see it', reader: 'ada' },
    approved,
    /Review|Decide/,
  );
  const question = await stage.press('ada', await stage.posted(approved, /"limits_review"/), LABELS.question, 'dm');
  yield modalShot({ screen: 'Ask a question', state: 'open', reader: 'ada' }, question);
  const sent = await stage.fill('ada', viewOf(question), { 'Your question': 'Which part of the migration?' });
  yield modalShot({ screen: 'Ask a question', state: 'sent', reader: 'ada' }, sent);
  await stage.closeModals('ada');
  yield postedShot(stage, { screen: 'Question', state: 'waiting for its answer', reader: 'mia' }, sent, /"Answer"/);
  const answer = await stage.press('mia', await stage.posted(sent, /"Answer"/), 'Answer', 'dm');
  yield modalShot({ screen: 'Answer a question', state: 'open', reader: 'mia' }, answer);
  await stage.closeModals('mia');
  const review = await decide(stage, approved);
  yield modalShot({ screen: 'Review a request', state: 'open', reader: 'ada' }, review);
  const set = await stage.fill('ada', viewOf(review), {});
  yield modalShot({ screen: 'Review a request', state: 'approved', reader: 'ada' }, set);
  yield postedShot(
    stage,
    { screen: 'Request', state: 'set, as admins see it', reader: 'ada' },
    set,
    /^(?=.*credit limit of 8 M)(?=.*✅ \*8[^*]* set\*)/s,
  );
  await stage.closeModals('ada');

  const denied = await ask(stage, '20000000', 'More would be nice.');
  const deny = await decide(stage, denied);
  yield modalShot({ screen: 'Review a request', state: 'far above use', reader: 'ada' }, deny);
  await stage.closeModals('ada');
  const small = await stage.posted(denied, /Review/);
  yield messageIn({ screen: 'Request', state: 'far above use', reader: 'ada' }, small);
  yield answerShot({ screen, state: 'some requests', reader: 'ada' }, await stage.type('ada', '/limits'));
  yield answerShot(
    { screen, state: 'ending soon or far above use', reader: 'ada' },
    await stage.type('ada', '/limits', 'ending'),
  );
  yield answerShot({ screen, state: 'own requests', reader: 'mia' }, await stage.type('mia', '/limits'));
  yield homeShot({ screen: 'Home', state: 'with a request to decide', reader: 'ada' }, await stage.openHome('ada'));

  const reason = await stage.pressIn('ada', viewOf(await decide(stage, denied)), LABELS.deny);
  yield modalShot({ screen: 'Deny a request', state: 'open', reader: 'ada' }, reason);
  const refused = await stage.fill('ada', viewOf(reason), {
    Comment: 'Your last limit was set this morning. Let’s look again in a week.',
  });
  yield modalShot({ screen: 'Deny a request', state: 'denied', reader: 'ada' }, refused);
  yield messageIn(
    { screen: 'Request', state: 'denied, as the requester sees it', reader: 'mia' },
    await stage.posted(refused, /Your request `\w+`: ❌/),
  );
  await stage.closeModals('ada');

  const plain = await ask(stage, '9000000', 'One more week of the migration.');
  const card = await stage.posted(plain, /"limits_review"/);
  yield messageIn({ screen: 'Request', state: 'plain', reader: 'ada' }, card);
  if (JSON.stringify(card.blocks).includes(`"${LABELS.approve}"`)) {
    const approvedAsAsked = await stage.press('ada', card, LABELS.approve, 'dm');
    yield messageIn(
      { screen: 'Request', state: 'approved as asked, as the requester sees it', reader: 'mia' },
      await stage.posted(approvedAsAsked, /✅ \*Your limit is now/),
    );
  }

  const own = await stage.type('ada', '/limits', 'request');
  yield modalShot({ screen: 'Request a limit', state: 'requested by the only admin', reader: 'ada' }, own);
  await stage.closeModals('ada');
  const list = await stage.type('morgan', '/limits', 'import');
  yield modalShot({ screen: 'Request many limits', state: 'empty', reader: 'morgan' }, list);
  await stage.closeModals('morgan');
  const declaration = await stage.type('ada', '/limits', 'declare');
  yield modalShot({ screen: 'Declare limits', state: 'empty', reader: 'ada' }, declaration);
  const declared = await stage.fill('ada', viewOf(declaration), { 'For everybody': '5m' });
  yield modalShot({ screen: 'Declare limits', state: 'saved', reader: 'ada' }, declared);
  await stage.closeModals('ada');
  const status = await stage.type('ada', '/quartermaster');
  yield answerShot({ screen: '/quartermaster', state: 'with a declared limit', reader: 'ada' }, status);
  yield homeShot({ screen: 'Home', state: 'with a declared limit', reader: 'max' }, await stage.openHome('max'));
}

async function ask(stage: Stage, amount: string, reason: string): Promise<ActionEffects> {
  const form = await stage.type('mia', '/limits', 'request');
  const answered = await stage.fill('mia', viewOf(form), { 'New limit': amount, 'Why?': reason });
  const needsConfirmation = JSON.stringify(answered.modal?.view).includes('Check before you send');
  if (!needsConfirmation) return answered;
  return stage.fill('mia', viewOf(answered), {});
}

/** Opens the review as Ada, an admin. */
async function decide(stage: Stage, requestEffects: ActionEffects): Promise<ActionEffects> {
  return stage.press('ada', await stage.posted(requestEffects, /"limits_review"/), LABELS.review, 'dm');
}
