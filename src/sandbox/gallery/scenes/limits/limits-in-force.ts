import { LABELS } from '../../../../features/limits/core/limit-buttons.ts';
import type { Shot } from '../../../page/shot.ts';
import { answerShot, homeShot, messageIn, modalShot, openStage, viewOf, type Stage } from '../../stage.ts';

const MIA = 'mia.member@acme.example';
const MINUTE_MS = 60_000;
const label = (screen: string, state: string, reader: string) => ({ screen, state, reader });
const IN_FORCE = 'on a platform that shows limits';

/** A platform of today, with limits of real size that were set before the bot came. */
export async function* limitsInForceScenes(startAt: Date, commandPrefix: string): AsyncGenerator<Shot> {
  const limits = { [MIA]: 15_000_000, 'max.member@acme.example': 8_000_000 };
  const settings = { LIMIT_PERIOD: 'month' };
  const stage = await openStage({ edition: 'today', people: 60, seed: 1, startAt, commandPrefix, limits, settings });
  try {
    await stage.slack.control.updatePerson({ person: 'nora', isAdmin: true });
    yield* requestScenes(stage);
    yield* removalScenes(stage);
    yield* changeScenes(stage);
    yield answerShot(label('/usage people', 'with seats', 'morgan'), await stage.type('morgan', '/usage', 'people'));
  } finally {
    await stage.stop();
  }
}

async function* requestScenes(stage: Stage): AsyncGenerator<Shot> {
  yield homeShot(label('Home', IN_FORCE, 'mia'), await stage.openHome('mia'));
  const form = await stage.type('mia', '/limits', 'request');
  yield modalShot(label('Request a limit', IN_FORCE, 'mia'), form);
  const sent = await stage.fill('mia', viewOf(form), { 'New limit': '20m', 'Why?': 'Release week' });
  const card = await stage.posted(sent, /"limits_review"/, '#ada');
  yield messageIn(label('Request', IN_FORCE, 'ada'), card);
  const review = await stage.press('ada', card, LABELS.review, 'dm');
  yield modalShot(label('Review a request', IN_FORCE, 'ada'), review);
  stage.platform.changeLimitsElsewhere({ own: { [MIA]: 18_000_000 } });
  const moved = await stage.fill('ada', viewOf(review), {});
  yield modalShot(label('Review a request', 'the limit moved meanwhile', 'ada'), moved);
  const set = await stage.fill('ada', viewOf(moved), {});
  yield modalShot(label('Review a request', 'set and read back', 'ada'), set);
  await stage.closeModals('ada');
  yield answerShot(label('/limits', IN_FORCE, 'mia'), await stage.type('mia', '/limits'));
  yield answerShot(
    label('/limits', 'of a person, as the platform shows it', 'ada'),
    await stage.type('ada', '/limits', MIA),
  );
}

async function* removalScenes(stage: Stage): AsyncGenerator<Shot> {
  const form = await stage.type('ada', '/limits', 'request');
  const sent = await stage.fill('ada', viewOf(form), {
    'E-mails of others': MIA,
    'New limit': 'none',
    'Why?': 'The release is out.',
  });
  const asked = JSON.stringify(sent.modal?.view).includes('Check before you send')
    ? await stage.fill('ada', viewOf(sent), {})
    : sent;
  await stage.closeModals('ada');
  const card = await stage.posted(asked, ['requests no own credit limit', '"limits_review"'], '#nora');
  yield messageIn(label('Request', 'no limit of their own', 'nora'), card);
  const review = await stage.press('nora', card, LABELS.review, 'dm');
  yield modalShot(label('Review a request', 'no limit of their own', 'nora'), review);
  const removed = await stage.fill('nora', viewOf(review), {});
  yield modalShot(label('Review a request', 'own limit removed', 'nora'), removed);
  await stage.closeModals('nora');
}

async function* changeScenes(stage: Stage): AsyncGenerator<Shot> {
  // The hourly question may find the change before anybody asks.
  const before = await stage.type('ada', '/limits');
  stage.platform.changeLimitsElsewhere({
    everybody: 25_000_000,
    own: { 'max.member@acme.example': 12_000_000, [MIA]: 30_000_000 },
  });
  await stage.passQuietly(2 * MINUTE_MS);
  await stage.type('ada', '/limits', MIA);
  const notice = await stage.passUntil(before, /outside of Quartermaster/, 2 * MINUTE_MS);
  yield messageIn(label('Changed elsewhere', 'three limits', 'ada'), notice);
}
