import type { Shot } from '../../page/shot.ts';
import type { MessageView } from '../../slack/people/control-types.ts';
import {
  answerShot,
  messageIn,
  modalShot,
  openStage,
  postedShot,
  viewOf,
  type ActionEffects,
  type Stage,
} from '../stage.ts';

const MINUTE_MS = 60_000;
const labelOfKey = (state: string) => ({ screen: 'Platform key', state, reader: 'ada' });
const labelOfPause = (state: string) => ({ screen: '/quartermaster', state, reader: 'morgan' });
const HALF_A_DAY_MS = 12 * 60 * MINUTE_MS;

/** `/quartermaster`, and the notice to admins after the platform refused the key. */
export async function* statusScenes(stage: Stage): AsyncGenerator<Shot> {
  const screen = '/quartermaster';
  yield messageIn(
    { screen: 'Welcome', state: 'after the first start', reader: 'ada' },
    await stage.passUntil({ since: 0 }, /Quartermaster is running/, MINUTE_MS),
  );
  yield answerShot({ screen, state: 'for a member', reader: 'mia' }, await stage.type('mia', screen));
  yield answerShot({ screen, state: 'for an admin', reader: 'ada' }, await stage.type('ada', screen));
  yield answerShot(
    { screen, state: 'what comes to a channel', reader: 'ada' },
    await stage.type('ada', screen, 'here', 'agent-usage'),
  );
  yield answerShot({ screen, state: 'details', reader: 'ada' }, await stage.type('ada', screen, 'details'));
  yield answerShot({ screen, state: 'somebody left', reader: 'ada' }, await stage.type('ada', screen, 'left @morgan'));
  yield* invitedScenes(stage);
  yield* retiringScenes(stage);
  yield* blockedScenes(stage);
  const accept = stage.platform.faults.add({ kind: 'status', status: 401 });
  const since = stage.slack.mark();
  yield messageIn(labelOfKey('refused'), await stage.passUntil({ since }, /has refused Quartermaster/, MINUTE_MS / 6));
  yield answerShot({ screen, state: 'for an admin, with faults', reader: 'ada' }, await stage.type('ada', screen));
  accept();
  yield* erasureScenes(stage);
  yield messageIn(labelOfKey('accepted again'), await stage.passUntil({ since }, /API key again/, MINUTE_MS / 6));
}

async function* retiringScenes(stage: Stage): AsyncGenerator<Shot> {
  const label = { screen: 'A model retires', reader: 'ada' };
  yield answerShot({ ...label, state: 'none yet' }, await stage.type('ada', '/usage', 'retire'));
  const form = await stage.type('ada', '/usage', 'retire new');
  yield modalShot({ ...label, state: 'open' }, form);
  const answers = { Model: 'atlas-large', 'Last day': '2026-12-18', Successor: 'boreal-2' };
  yield modalShot({ ...label, state: 'saved' }, await stage.fill('ada', viewOf(form), answers));
  await stage.closeModals('ada');
  yield answerShot({ ...label, state: 'the list' }, await stage.type('ada', '/usage', 'retire'));
  yield answerShot(
    { ...label, reader: 'mia', state: 'the list, for a member' },
    await stage.type('mia', '/usage', 'retire'),
  );
}

/** A channel in which nothing is set up. */
async function* invitedScenes(stage: Stage): AsyncGenerator<Shot> {
  const since = stage.slack.mark();
  await stage.slack.control.invite({ as: 'morgan', channel: 'leads', who: 'app' });
  yield messageIn(
    { screen: 'Welcome', state: 'in a channel', reader: '#leads' },
    await stage.posted({ since }, /can post here/, '#leads'),
  );
}

/** A person who hit their limit: the form, the card and the list of the admins. */
async function* blockedScenes(stage: Stage): AsyncGenerator<Shot> {
  const screen = 'Blocked now';
  const form = await stage.type('mia', '/limits', 'blocked');
  yield modalShot({ screen, state: 'the form', reader: 'mia' }, form);
  const sent = await stage.fill('mia', viewOf(form), { 'New limit': '900m' });
  yield postedShot(stage, { screen, state: 'the card', reader: 'ada' }, sent, /Blocked now/);
  await stage.closeModals('mia');
}

async function* erasureScenes(stage: Stage): AsyncGenerator<Shot> {
  const screen = 'Erase a person';
  const form = await stage.type('ada', '/quartermaster', 'erase');
  yield modalShot({ screen, state: 'open', reader: 'ada' }, form);
  const email = stage.slack.workspace.findPerson('mia')?.email ?? '';
  const inventory = await stage.fill('ada', viewOf(form), { 'E-mail on the platform': email });
  yield modalShot({ screen, state: 'the stored data', reader: 'ada' }, inventory);
  const begun = await stage.fill('ada', viewOf(inventory), { 'Type the e-mail again to erase': email });
  yield modalShot({ screen, state: 'begun', reader: 'ada' }, begun);
  await stage.closeModals('ada');
}

/** Early enough for further reports to follow. */
const BEFORE_REPORTS = new Date('2026-05-04T06:30:00Z');

/** The notices to a channel about a repository whose readiness changed. */
export async function* readinessNoticeScenes(_startAt: Date, commandPrefix: string): AsyncGenerator<Shot> {
  const stage = await openStage({ people: 5, seed: 1, startAt: BEFORE_REPORTS, commandPrefix });
  try {
    const watched = await stage.type('morgan', '/readiness', 'watch #general');
    yield answerShot({ screen: '/readiness', state: 'a watch of a channel', reader: 'morgan' }, watched);
    yield* pauseScenes(stage);
    const moved = await stage.passUntil(watched, /ready than before|readier than before/, HALF_A_DAY_MS);
    yield messageIn({ screen: 'Readiness notice', state: 'moved', reader: '#general' }, moved);
    const ended = await stage.type('morgan', '/readiness', 'unwatch #general');
    yield answerShot({ screen: '/readiness', state: 'a former watch', reader: 'morgan' }, ended);
  } finally {
    await stage.stop();
  }
}

/** Everything that posts in a channel has the same buttons. */
async function* pauseScenes(stage: Stage): AsyncGenerator<Shot> {
  const paused = await stage.press('morgan', answerOf(await stage.type('morgan', '/quartermaster', 'here')), 'Pause');
  yield answerShot(labelOfPause('a watch, paused'), paused);
  yield answerShot(
    labelOfPause('what comes to a channel, paused'),
    await stage.type('morgan', '/quartermaster', 'here'),
  );
  yield answerShot(labelOfPause('a watch, resumed'), await stage.press('morgan', answerOf(paused), 'Resume'));
}

function answerOf({ answer }: ActionEffects): MessageView {
  if (!answer) throw new Error('There is no answer whose buttons can be pressed');
  return answer;
}
