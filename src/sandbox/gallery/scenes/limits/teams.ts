import { LABELS } from '../../../../features/limits/core/limit-buttons.ts';
import type { Shot } from '../../../page/shot.ts';
import { answerShot, homeShot, messageIn, modalShot, openStage, viewOf, type Stage } from '../../stage.ts';
import { ask, giveFirstLimit } from './policies.ts';

const SETTINGS = { ADMINS: 'ada.admin@acme.example,morgan.manager@acme.example', LIMIT_PERIOD: 'month' };

/** A team from its form to a limit that its lead approves. */
export async function* teamScenes(startAt: Date, commandPrefix: string): AsyncGenerator<Shot> {
  const stage = await openStage({ people: 30, seed: 3, startAt, commandPrefix, settings: SETTINGS });
  try {
    await stage.slack.control.setUserGroup({ handle: 'web-team', members: ['mia', 'nora'] });
    await giveFirstLimit(stage);
    await giveFirstLimit(stage, '600k', 'nora');
    await declareOnlyHere(stage);
    yield* writeScenes(stage);
    yield* decideScenes(stage);
    yield* summaryScenes(stage, startAt);
  } finally {
    await stage.stop();
  }
}

async function declareOnlyHere(stage: Stage): Promise<void> {
  const status = await stage.type('ada', '/quartermaster');
  if (!status.answer) throw new Error('The status was not shown');
  await stage.press('ada', status.answer, 'Limits are set only here');
}

async function* writeScenes(stage: Stage): AsyncGenerator<Shot> {
  const screen = 'Team';
  const form = await stage.type('ada', '/limits', 'teams new');
  yield modalShot({ screen, state: 'empty', reader: 'ada' }, form);
  const answers = {
    Name: 'Web',
    'For which people?': '@web-team',
    Leads: ['nora'],
    'Pool: credits a period': '10m',
    'Highest limit': '12m',
  };
  const tested = await stage.fill('ada', viewOf(form), answers);
  yield modalShot({ screen, state: 'saved and replayed', reader: 'ada' }, tested);
  await stage.closeModals('ada');
  const id = /`(\w{4})`/.exec(JSON.stringify(tested.modal?.view))?.[1] ?? '';
  const draft = await stage.type('morgan', '/limits', `teams ${id}`);
  if (!draft.answer) throw new Error('The team was not shown');
  await stage.press('morgan', draft.answer, 'Activate');
}

/** Three days after the month, when its figures are settled. */
async function* summaryScenes(stage: Stage, startAt: Date): AsyncGenerator<Shot> {
  const settled = new Date(Date.UTC(startAt.getUTCFullYear(), startAt.getUTCMonth() + 1, 3, 12, 20, 30));
  const over = await stage.passTo(settled.toISOString());
  const screen = 'Pool of a team';
  const ofAdmin = await stage.posted(over, /📒/, '#ada');
  yield messageIn({ screen, state: 'after its period, for an admin', reader: 'ada' }, ofAdmin);
  const ofLead = await stage.posted(over, /📒/, '#nora');
  yield messageIn({ screen, state: 'after its period, for a lead', reader: 'nora' }, ofLead);
}

async function* decideScenes(stage: Stage): AsyncGenerator<Shot> {
  const sent = await ask(stage, '9m');
  yield modalShot({ screen: 'Request a limit', state: 'sent to the leads of a team', reader: 'mia' }, sent);
  const card = await stage.posted(sent, /Pool of @web-team/, '#nora');
  yield messageIn({ screen: 'Request', state: 'for the lead of a team', reader: 'nora' }, card);
  const own = await stage.type('nora', '/limits', 'team');
  yield answerShot({ screen: '/limits team', state: 'a lead', reader: 'nora' }, own);
  if (!own.answer) throw new Error('The team was not shown');
  const lower = await stage.press('nora', own.answer, 'Lower the pool');
  yield modalShot({ screen: 'Lower the pool', state: 'a lead', reader: 'nora' }, lower);
  await stage.closeModals('nora');
  yield homeShot({ screen: 'Home', state: 'of a lead', reader: 'nora' }, await stage.openHome('nora'));
  const review = await stage.press('nora', card, LABELS.review, 'dm');
  yield modalShot({ screen: 'Review a request', state: 'of a team', reader: 'nora' }, review);
  const set = await stage.fill('nora', viewOf(review), {});
  yield modalShot({ screen: 'Review a request', state: 'set by a lead', reader: 'nora' }, set);
  await stage.closeModals('nora');
  const teams = await stage.type('ada', '/limits', 'teams');
  yield answerShot({ screen: '/limits teams', state: 'a pool in use', reader: 'ada' }, teams);
  const member = await stage.type('mia', '/limits', 'team');
  yield answerShot({ screen: '/limits team', state: 'a member', reader: 'mia' }, member);
}
