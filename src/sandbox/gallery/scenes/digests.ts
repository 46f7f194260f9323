import type { MessageView } from '../../slack/people/control-types.ts';
import type { Shot } from '../../page/shot.ts';
import { answerShot, homeShot, messageIn, modalShot, postedShot, viewOf, type Stage } from '../stage.ts';

const READER = '#agent-usage';
const MINUTE_MS = 60_000;

const labelOfDigest = (state: string) => ({ screen: 'Digest', state, reader: READER });
const ofDay = (day: number) => `${day} Nov (UTC)`;

/** The digest of the settings through a week, and one of a manager's own. */
export async function* digestScenes(stage: Stage): AsyncGenerator<Shot> {
  yield* listScenes(stage);
  yield* weekScenes(stage);
  yield* lateScenes(stage);
  yield answerShot({ screen: '/digest', state: 'busy', reader: 'morgan' }, await stage.type('morgan', '/digest'));
  yield homeShot({ screen: 'Home', state: 'busy', reader: 'ada' }, await stage.openHome('ada'));
}

async function* listScenes(stage: Stage): AsyncGenerator<Shot> {
  const screen = '/digest';
  yield answerShot({ screen, state: 'list', reader: 'morgan' }, await stage.type('morgan', screen));
  yield answerShot({ screen, state: 'help', reader: 'morgan' }, await stage.type('morgan', screen, 'help'));
  yield answerShot({ screen, state: 'asked by a member', reader: 'mia' }, await stage.type('mia', screen));
  const form = await stage.type('morgan', screen, 'new');
  yield modalShot({ screen: 'New digest', state: 'open', reader: 'morgan' }, form);
  const long = await stage.pressIn('morgan', viewOf(form), 'More options');
  yield modalShot({ screen: 'New digest', state: 'more options', reader: 'morgan' }, long);
  const own = await stage.fill('morgan', viewOf(long), {
    'Where does it go?': 'To me, by direct message',
    'How often?': 'Weekly',
  });
  yield modalShot({ screen: 'New digest', state: 'set up', reader: 'morgan' }, own);
  await stage.closeModals('morgan');
  const list = await stage.type('morgan', screen);
  yield answerShot({ screen, state: 'two digests', reader: 'morgan' }, list);
  yield* teamScenes(stage);
  const ids = [...(list.answer?.text ?? '').matchAll(/`(\w+)`/g)].map(([, id]) => id ?? '');
  const mine = ids.find((id) => id !== 'settings') ?? '';
  yield answerShot(
    { screen, state: 'preview', reader: 'morgan' },
    await stage.type('morgan', screen, `preview ${mine}`),
  );
  yield modalShot(
    { screen: 'Edit digest', state: 'open', reader: 'morgan' },
    await stage.type('morgan', screen, `edit ${mine}`),
  );
  await stage.closeModals('morgan');
  yield answerShot({ screen, state: 'paused', reader: 'morgan' }, await stage.type('morgan', screen, `pause ${mine}`));
  yield answerShot(
    { screen, state: 'an unknown id', reader: 'morgan' },
    await stage.type('morgan', screen, 'now zzzz'),
  );
}

/** The digest of a user group, without figures that the platform publishes only for the whole organization. */
async function* teamScenes(stage: Stage): AsyncGenerator<Shot> {
  const form = await stage.type('morgan', '/digest', 'new');
  const own = await stage.fill('morgan', viewOf(form), {
    'Where does it go?': 'To me, by direct message',
    'Whose figures?': '@web-team',
    'What is in it?': ['Usage', 'People', 'Tools'],
  });
  await stage.closeModals('morgan');
  const label = { screen: 'Team digest', reader: 'morgan' };
  yield postedShot(stage, { ...label, state: 'introduced' }, own, /You set up a daily digest/);
  const id = /`(\w+)`/.exec(JSON.stringify(own.modal?.view))?.[1] ?? '';
  const sent = await stage.type('morgan', '/digest', `now ${id}`);
  yield postedShot(stage, { ...label, state: 'sent' }, sent, /Daily digest, /);
  const removal = await stage.type('morgan', '/digest', `delete ${id}`);
  yield answerShot({ ...label, state: 'to be removed' }, removal);
  if (removal.answer) await stage.press('morgan', removal.answer, 'Delete');
}

async function* weekScenes(stage: Stage): AsyncGenerator<Shot> {
  const morning = async (day: number) => {
    const effects = await stage.passTo(`2026-11-${day}T08:01:00Z`);
    return { seen: effects, message: await stage.posted(effects, ofDay(day - 1), READER) };
  };
  const first = await morning(24);
  yield messageIn(labelOfDigest('an ordinary day'), first.message);
  yield postedShot(stage, labelOfDigest('details in the thread'), first.seen, /Details for/);
  stage.platform.reviseDay('2026-11-23', 1.4);
  const revised = await stage.passTo('2026-11-24T09:00:00Z');
  yield messageIn(labelOfDigest('corrected'), await stage.passUntil(revised, /Corrected/, MINUTE_MS));
  yield messageIn(
    labelOfDigest('the correction, in its thread'),
    await stage.passUntil(revised, /revised these figures/, MINUTE_MS),
  );
  for (const day of [25, 26, 27, 28]) await morning(day);
  const saturday = await morning(29);
  yield messageIn(labelOfDigest('a Saturday'), saturday.message);
  yield* explainScenes(stage, saturday.message);
  yield messageIn(labelOfDigest('a Sunday'), (await morning(30)).message);
}

/** *How was this worked out?* of a digest, and *Check now* after its day was restated. */
async function* explainScenes(stage: Stage, digest: MessageView): AsyncGenerator<Shot> {
  const screen = { screen: 'How was this worked out?', reader: 'mia' };
  const opened = await stage.press('mia', digest, 'How was this worked out?', 'agent-usage');
  yield modalShot({ ...screen, state: 'of a digest' }, opened);
  stage.platform.reviseDay('2026-11-28', 1.3);
  const checked = await stage.pressIn('mia', viewOf(opened), 'Check now');
  yield modalShot({ ...screen, state: 'checked, changed' }, checked);
  await stage.closeModals('mia');
}

/** A digest that waits for figures, is sent without them and is filled in; and a late one. */
async function* lateScenes(stage: Stage): AsyncGenerator<Shot> {
  const why = async (state: string) =>
    answerShot({ screen: '/digest why', state, reader: 'morgan' }, await stage.type('morgan', '/digest', 'why'));
  stage.platform.holdDay('2026-11-30');
  yield waitingShot(stage);
  const incomplete = await stage.passTo('2026-12-01T14:01:00Z');
  yield postedShot(stage, labelOfDigest('incomplete'), incomplete, /out yet/);
  yield why('incomplete');
  stage.platform.releaseDay('2026-11-30');
  const completed = await stage.passTo('2026-12-01T16:00:00Z');
  yield postedShot(stage, labelOfDigest('completed'), completed, /Completed/);
  yield why('completed');
  const late = await stage.passTo('2026-12-02T14:00:00Z');
  yield postedShot(stage, labelOfDigest('late'), late, /hours late/);
}

/** A waiting digest posts nothing, so the list is read until it shows the wait. */
async function waitingShot(stage: Stage): Promise<Shot> {
  const label = { screen: '/digest', state: 'waiting for figures', reader: 'morgan' };
  const due = new Date('2026-12-01T08:00:00Z').getTime();
  for (let minutes = 1; ; minutes += 1) {
    stage.clock.moveTo(new Date(due + minutes * MINUTE_MS));
    const list = await stage.type('morgan', '/digest');
    if (/waiting for/.test(list.answer?.text ?? '') || minutes > 20) return answerShot(label, list);
  }
}
