import { LABELS } from '../../../../features/limits/core/limit-buttons.ts';
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

const DAY_MS = 86_400_000;
const DRY_RUN_DAYS = 15;
const SETTINGS = { ADMINS: 'ada.admin@acme.example,nora.member@acme.example', LIMIT_PERIOD: 'month' };
const SCREEN = '/limits policies';

/** A limit policy from its form to a grant, its undo and its stop. */
export async function* policyScenes(startAt: Date, commandPrefix: string): AsyncGenerator<Shot> {
  const stage = await openStage({ people: 30, seed: 3, startAt, commandPrefix, settings: SETTINGS });
  try {
    yield answerShot(
      { screen: SCREEN, state: 'none yet', reader: 'ada' },
      await stage.type('ada', '/limits', 'policies'),
    );
    await giveFirstLimit(stage);
    const policy = yield* writeScenes(stage);
    yield* dryRunScenes(stage, policy);
    yield* grantScenes(stage, startAt);
    yield* stopScenes(stage);
  } finally {
    await stage.stop();
  }
}

/** A raise starts from a limit that was set here. */
export async function giveFirstLimit(stage: Stage, amount = '6m', as = 'mia'): Promise<void> {
  const sent = await ask(stage, amount, as);
  const review = await stage.press('ada', await stage.posted(sent, /"limits_review"/, '#ada'), LABELS.review, 'dm');
  await stage.fill('ada', viewOf(review), {});
  await stage.closeModals('ada');
}

export async function ask(stage: Stage, amount: string, as = 'mia'): Promise<ActionEffects> {
  const form = await stage.type(as, '/limits', 'request');
  const sent = await stage.fill(as, viewOf(form), { 'New limit': amount, 'Why?': 'The migration of payments.' });
  const isUnusual = JSON.stringify(sent.modal?.view).includes('Check before you send');
  const done = isUnusual ? await stage.fill(as, viewOf(sent), {}) : sent;
  await stage.closeModals(as);
  return done;
}

async function* writeScenes(stage: Stage): AsyncGenerator<Shot, ActionEffects> {
  const screen = 'Limit policy';
  const form = await stage.type('ada', '/limits', 'policies new');
  yield modalShot({ screen, state: 'empty', reader: 'ada' }, form);
  const chosen = await stage.choose('ada', viewOf(form), { 'What does it do?': 'schedule' });
  yield modalShot({ screen, state: 'at set hours', reader: 'ada' }, chosen);
  const again = await stage.choose('ada', viewOf(chosen), { 'What does it do?': 'automatic' });
  const answers = {
    Name: 'Small raises',
    'Highest limit': '9m',
    'All policies together: most credits a period': '20m',
  };
  const tested = await stage.fill('ada', viewOf(again), answers);
  yield modalShot({ screen, state: 'saved and back-tested', reader: 'ada' }, tested);
  await stage.closeModals('ada');
  yield messageIn(
    { screen: 'Policy notice', state: 'waits for activation', reader: 'nora' },
    await stage.posted(tested, /waits for activation/),
  );
  const list = await stage.type('nora', '/limits', 'policies');
  yield answerShot({ screen: SCREEN, state: 'a draft', reader: 'nora' }, list);
  return list;
}

async function* dryRunScenes(stage: Stage, list: ActionEffects): AsyncGenerator<Shot> {
  if (!list.answer) throw new Error('The list of policies was not shown');
  const id = /"value":"(\w+)"/.exec(JSON.stringify(list.answer.blocks))?.[1] ?? '';
  const draft = await stage.type('nora', '/limits', `policies ${id}`);
  yield answerShot({ screen: 'One policy', state: 'a draft, as another admin sees it', reader: 'nora' }, draft);
  if (!draft.answer) throw new Error('The policy was not shown');
  const active = await stage.press('nora', draft.answer, 'Activate');
  yield answerShot({ screen: 'One policy', state: 'activated, in its dry run', reader: 'nora' }, active);
  const status = await stage.type('ada', '/quartermaster');
  if (!status.answer) throw new Error('The status was not shown');
  const declared = await stage.press('ada', status.answer, 'Limits are set only here');
  yield answerShot({ screen: '/quartermaster', state: 'limits are set only here', reader: 'ada' }, declared);
  const sent = await ask(stage, '6.5m');
  yield messageIn(
    { screen: 'Request', state: 'in the dry run of a policy', reader: 'ada' },
    await stage.posted(sent, /Dry run of/),
  );
  // Each admin gets a copy, and can press the buttons of their own.
  const card = await stage.posted(sent, /"limits_review"/, '#ada');
  const review = await stage.press('ada', card, LABELS.review, 'dm');
  await stage.fill('ada', viewOf(review), {});
  await stage.closeModals('ada');
}

async function* grantScenes(stage: Stage, startAt: Date): AsyncGenerator<Shot> {
  const active = new Date(startAt.getTime() + DRY_RUN_DAYS * DAY_MS);
  await stage.passTo(active.toISOString());
  const form = await stage.type('mia', '/limits', 'request');
  const sent = await stage.fill('mia', viewOf(form), { 'New limit': '7m', 'Why?': 'The migration takes longer.' });
  const isUnusual = JSON.stringify(sent.modal?.view).includes('Check before you send');
  const granted = isUnusual ? await stage.fill('mia', viewOf(sent), {}) : sent;
  yield modalShot({ screen: 'Request a limit', state: 'granted by a policy', reader: 'mia' }, granted);
  yield messageIn(
    { screen: 'Request', state: 'granted by a policy, as the requester sees it', reader: 'mia' },
    await stage.posted(granted, /✅ \*Your limit is now 7/),
  );
  await stage.closeModals('mia');
  const large = await ask(stage, '9.5m');
  yield messageIn(
    { screen: 'Request', state: 'left to a person by a policy', reader: 'ada' },
    await stage.posted(large, /leaves this to a person/),
  );
  const line = await stage.passTo(new Date(active.getTime() + DAY_MS).toISOString());
  yield messageIn(
    { screen: 'Daily line of policies', state: 'a grant', reader: 'ada' },
    await stage.posted(line, /Policies granted/),
  );
  yield answerShot({ screen: SCREEN, state: 'active', reader: 'ada' }, await stage.type('ada', '/limits', 'policies'));
}

async function* stopScenes(stage: Stage): AsyncGenerator<Shot> {
  const stopped = await stage.type('nora', '/limits', 'policies stop');
  yield answerShot({ screen: SCREEN, state: 'stopped', reader: 'nora' }, stopped);
  yield messageIn(
    { screen: 'Policy notice', state: 'stopped', reader: 'ada' },
    await stage.posted(stopped, /paused by/),
  );
  yield homeShot({ screen: 'Home', state: 'with policies', reader: 'ada' }, await stage.openHome('ada'));
}
