import type { Shot } from '../../page/shot.ts';
import { answerShot, modalShot, openStage, viewOf } from '../stage.ts';

/** The screens that show money, in an installation with a price of credits. */
export async function* moneyScenes(startAt: Date, commandPrefix: string): AsyncGenerator<Shot> {
  const settings = { CREDIT_PRICE: '4.20 USD per million' };
  const stage = await openStage({ people: 30, seed: 6, startAt, commandPrefix, settings });
  try {
    for (const [reader, view] of [
      ['morgan', 'summary'],
      ['mia', 'credits'],
    ] as const) {
      const state = `${view}, with a price`;
      yield answerShot({ screen: '/usage', state, reader }, await stage.type(reader, '/usage', view));
    }
    const form = await stage.type('morgan', '/budget', 'new', 'agent-usage');
    await stage.fill('morgan', viewOf(form), { 'How many credits?': '60m' });
    await stage.closeModals('morgan');
    const budgets = await stage.type('morgan', '/budget');
    yield answerShot({ screen: '/budget', state: 'with a price', reader: 'morgan' }, budgets);
    const status = await stage.type('ada', '/quartermaster');
    if (!status.answer) throw new Error('/quartermaster was not answered');
    const change = await stage.press('ada', status.answer, 'Change the price');
    yield modalShot({ screen: 'Price of credits', state: 'open', reader: 'ada' }, change);
    const changed = await stage.fill('ada', viewOf(change), {
      'Price of a million credits': '4.80 USD',
      'From which day': '2026-11-16',
    });
    yield modalShot({ screen: 'Price of credits', state: 'changed', reader: 'ada' }, changed);
    await stage.closeModals('ada');
    const differs = await stage.type('ada', '/quartermaster');
    yield answerShot(
      { screen: '/quartermaster', state: 'a price that differs from the setting', reader: 'ada' },
      differs,
    );
  } finally {
    await stage.stop();
  }
}
