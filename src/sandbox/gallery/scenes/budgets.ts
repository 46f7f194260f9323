import type { Shot } from '../../page/shot.ts';
import { answerShot, homeShot, messageIn, modalShot, openStage, postedShot, viewOf, type Stage } from '../stage.ts';

const MINUTE_MS = 60_000;
const CHANNEL = '#agent-usage';

const label = (state: string, reader = 'morgan', screen = '/budget') => ({ screen, state, reader });

/** Budgets, heads-ups and unusual days, through the turn of a month. */
export async function* budgetScenes(startAt: Date, commandPrefix: string): AsyncGenerator<Shot> {
  const stage = await openStage({ people: 30, seed: 4, startAt, commandPrefix });
  try {
    yield* setUpScenes(stage);
    yield* headsUpScenes(stage);
    yield* warningScenes(stage);
    yield* laterScenes(stage);
  } finally {
    await stage.stop();
  }
}

async function* setUpScenes(stage: Stage): AsyncGenerator<Shot> {
  yield answerShot(label('none yet'), await stage.type('morgan', '/budget'));
  yield answerShot(label('help'), await stage.type('morgan', '/budget', 'help'));
  const form = await stage.type('morgan', '/budget', 'new', 'agent-usage');
  yield modalShot(label('open', 'morgan', 'New budget'), form);
  const done = await stage.fill('morgan', viewOf(form), {
    'How many credits?': '120m',
    'Price of a million credits': '1.50 EUR',
  });
  yield modalShot(label('set up', 'morgan', 'New budget'), done);
  await stage.closeModals('morgan');
  const second = await stage.type('ada', '/budget', 'new', 'agent-usage');
  await stage.fill('ada', viewOf(second), {
    'How many credits?': '90m',
    'Whose credits?': '@web-team',
    'For how long?': 'Each quarter',
  });
  await stage.closeModals('ada');
  const list = await stage.type('morgan', '/budget');
  yield answerShot(label('two budgets'), list);
  const [id = ''] = [...(list.answer?.text ?? '').matchAll(/`(\w{4})`/g)].map(([, one]) => one ?? '');
  yield answerShot(label('one of them'), await stage.type('morgan', '/budget', `show ${id}`));
  yield modalShot(label('open', 'morgan', 'Edit budget'), await stage.type('morgan', '/budget', `edit ${id}`));
  await stage.closeModals('morgan');
  yield answerShot(label('to be removed'), await stage.type('morgan', '/budget', `delete ${id}`));
  yield answerShot(label('an unknown id'), await stage.type('morgan', '/budget', 'show zzzz'));
  yield answerShot(label('asked by a member', 'mia'), await stage.type('mia', '/budget'));
}

async function* headsUpScenes(stage: Stage): AsyncGenerator<Shot> {
  const screen = 'Warn me';
  const form = await stage.type('mia', '/usage', 'notify');
  yield modalShot({ screen, state: 'open', reader: 'mia' }, form);
  const done = await stage.fill('mia', viewOf(form), { 'Amount of credits': '6m' });
  yield modalShot({ screen, state: 'saved', reader: 'mia' }, done);
  await stage.closeModals('mia');
}

/** A day of very high use exceeds budgets and personal thresholds; then its figures are corrected downwards. */
async function* warningScenes(stage: Stage): AsyncGenerator<Shot> {
  const watch = await stage.type('morgan', '/usage', 'watch #agent-usage', 'agent-usage');
  yield answerShot(label('set up', 'morgan', 'Unusual days'), watch);
  yield postedShot(
    stage,
    label('introduction', CHANNEL, 'Unusual days'),
    watch,
    /This channel now gets a message when/,
  );
  stage.platform.reviseDay('2026-11-24', 12);
  const morning = await stage.passTo('2026-11-25T13:30:00Z');
  yield messageIn(
    label('a threshold crossed', CHANNEL, 'Budget'),
    await stage.passUntil(morning, /udget of the organization: /, MINUTE_MS),
  );
  const unusual = await stage.passUntil(morning, /was unusually high for the organization/, MINUTE_MS);
  yield messageIn(label('an unusual day', CHANNEL, 'Unusual days'), unusual);
  yield messageIn(label('a warning', 'mia', 'Warn me'), await stage.passUntil(morning, /Your credits: /, MINUTE_MS));
  const expected = await stage.press('morgan', unusual, 'Expected', 'agent-usage');
  yield messageIn(
    label('expected', CHANNEL, 'Unusual days'),
    await stage.passUntil(expected, /Expected, says/, MINUTE_MS),
  );
  yield answerShot(label('after a warning'), await stage.type('morgan', '/budget'));
  yield homeShot({ screen: 'Home', state: 'budgets', reader: 'morgan' }, await stage.openHome('morgan'));
  stage.platform.reviseDay('2026-11-24', 1);
  const restated = await stage.passTo('2026-11-25T14:00:00Z');
  yield messageIn(
    label('corrected', CHANNEL, 'Budget'),
    await stage.passUntil(restated, /Corrected: Monthly/, MINUTE_MS),
  );
  yield messageIn(
    label('the correction, in its thread', CHANNEL, 'Budget'),
    await stage.passUntil(restated, /^✏️ \*Corrected\.\*|Corrected\. The platform/, MINUTE_MS),
  );
}

async function* laterScenes(stage: Stage): AsyncGenerator<Shot> {
  const later = await stage.passTo('2026-11-26T13:30:00Z');
  yield messageIn(
    label('back to usual', CHANNEL, 'Unusual days'),
    await stage.passUntil(later, /Back to usual/, MINUTE_MS),
  );
  const end = await stage.passTo('2026-12-01T13:30:00Z');
  yield messageIn(
    label('the end of a period', CHANNEL, 'Budget'),
    await stage.passUntil(end, /credits used \(/, MINUTE_MS),
  );
  for (const [reader, state] of [
    ['morgan', 'for a manager'],
    ['ada', 'for an admin'],
  ] as const)
    yield answerShot(
      { screen: '/limits simulate', state, reader },
      await stage.type(reader, '/limits', 'simulate @web-team 600k per week'),
    );
}
