import type { Shot } from '../../page/shot.ts';
import { answerShot, openStage } from '../stage.ts';

/** The answers after the figures of people were deleted. */
export async function* retentionScenes(startAt: Date, commandPrefix: string): AsyncGenerator<Shot> {
  const settings = { RETENTION_DAYS: 'people=40' };
  const stage = await openStage({ people: 30, seed: 4, startAt, commandPrefix, settings });
  try {
    const ask = async (state: string, reader: string, text: string) =>
      answerShot({ screen: 'Kept for 40 days', state, reader }, await stage.type(reader, '/usage', text));
    yield await ask('people, cut', 'morgan', 'people oct 1 to nov 10');
    yield await ask('oneself, cut', 'mia', 'oct 1 to nov 10 me');
    yield await ask('own figures, too long ago', 'mia', 'september me');
    yield await ask('the organization, as ever', 'morgan', 'september');
    yield answerShot(
      { screen: 'Kept for 40 days', state: 'a limit for a quarter', reader: 'morgan' },
      await stage.type('morgan', '/limits', 'simulate @web-team 1k per quarter'),
    );
  } finally {
    await stage.stop();
  }
}
