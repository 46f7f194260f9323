import { LABELS } from '../../../../features/limits/core/limit-buttons.ts';
import type { MessageView } from '../../../slack/people/control-types.ts';
import type { Shot } from '../../../page/shot.ts';
import {
  answerShot,
  homeShot,
  messageIn,
  modalShot,
  openStage,
  viewOf,
  type ActionEffects,
  type Stage,
} from '../../stage.ts';

const HOUR_MS = 3_600_000;
const SCREEN = 'Approvers';
const label = (state: string, reader: string) => ({ screen: SCREEN, state, reader });
/** The card of the admin who is asked now. */
const askedNow = (name: string) => [`Asked now: *${name}`, `"${LABELS.review}"`];

/** A request that goes from one approver to the next, and is approved by two admins. */
export async function* limitApproverScenes(startAt: Date, commandPrefix: string): AsyncGenerator<Shot> {
  const stage = await openStage({ people: 30, seed: 3, startAt, commandPrefix });
  try {
    for (const person of ['nora', 'max']) await stage.slack.control.updatePerson({ person, isAdmin: true });
    yield* formScenes(stage);
    yield* handOverScenes(stage, startAt);
  } finally {
    await stage.stop();
  }
}

async function* formScenes(stage: Stage): AsyncGenerator<Shot> {
  const id = (handle: string) => stage.slack.workspace.findPerson(handle)?.id ?? '';
  const form = await stage.type('ada', '/limits', 'approvers');
  yield modalShot(label('empty', 'ada'), form);
  const saved = await stage.fill('ada', viewOf(form), {
    'Who is asked, in this order': ['ada', 'nora', 'max'].map((handle) => id(handle)),
    'Hours until the next one is asked': '4',
    'Two approvals above': '6m',
  });
  yield modalShot(label('saved', 'ada'), saved);
  await stage.closeModals('ada');
  const again = await stage.type('ada', '/limits', 'approvers');
  yield modalShot(label('filled in', 'ada'), again);
  await stage.closeModals('ada');
}

async function* handOverScenes(stage: Stage, startAt: Date): AsyncGenerator<Shot> {
  const form = await stage.type('mia', '/limits', 'request');
  const answered = await stage.fill('mia', viewOf(form), {
    'New limit': '8m',
    'Why?': 'The migration of payments needs long sessions this week.',
  });
  const needsConfirmation = JSON.stringify(answered.modal?.view).includes('Check before you send');
  const sent = needsConfirmation ? await stage.fill('mia', viewOf(answered), {}) : answered;
  const card = await stage.posted(sent, askedNow('Ada'), '#ada');
  yield messageIn(label('the card of the first one', 'ada'), card);
  const giving = await stage.press('ada', card, LABELS.give, 'dm');
  yield modalShot(label('giving it to another admin', 'ada'), giving);
  const given = await stage.fill('ada', viewOf(giving), { 'To which admin?': 'Max' });
  yield modalShot(label('given', 'ada'), given);
  await stage.closeModals('ada');
  yield messageIn(label('the card of the admin who got it', 'max'), await stage.posted(given, askedNow('Max'), '#max'));
  const handedOn = await stage.passTo(new Date(startAt.getTime() + 4.2 * HOUR_MS).toISOString());
  const next = await stage.posted(handedOn, askedNow('Nora'), '#nora');
  yield messageIn(label('the card of the next one, after four hours', 'nora'), next);
  yield* secondApprovalScenes(stage, next);
}

async function* secondApprovalScenes(stage: Stage, card: MessageView): AsyncGenerator<Shot> {
  const review = await stage.press('nora', card, LABELS.review, 'dm');
  yield modalShot(label('the review of the first of two', 'nora'), review);
  const first = await stage.fill('nora', viewOf(review), {});
  yield modalShot(label('the first approval', 'nora'), first);
  await stage.closeModals('nora');
  const waiting = await stage.posted(first, ['waiting for a second approval', ...askedNow('Ada')], '#ada');
  yield messageIn(label('the card for the second approval', 'ada'), waiting);
  yield modalShot(label('a second approval by the same admin', 'nora'), await pressReview(stage, 'nora', card));
  await stage.closeModals('nora');
  yield homeShot(label('attention for the second one', 'ada'), await stage.openHome('ada'));
  const second = await pressReview(stage, 'ada', waiting);
  yield modalShot(label('the review of the second one', 'ada'), second);
  const approved = await stage.fill('ada', viewOf(second), {});
  yield modalShot(label('approved by both', 'ada'), approved);
  yield messageIn(
    label('approved by both, as the requester sees it', 'mia'),
    await stage.posted(approved, /✅ \*Your limit is now/),
  );
  await stage.closeModals('ada');
  const id = /show (\w+)/.exec(JSON.stringify(viewOf(approved).view))?.[1] ?? '';
  yield answerShot(label('the whole history', 'ada'), await stage.type('ada', '/limits', `show ${id}`));
}

const pressReview = (stage: Stage, as: string, card: MessageView): Promise<ActionEffects> =>
  stage.press(as, card, LABELS.review, 'dm');
