import type { Shot } from '../../page/shot.ts';
import { homeShot, type Stage } from '../stage.ts';

/** App Home for each role, before anything has happened. */
export async function* homeScenes(stage: Stage): AsyncGenerator<Shot> {
  const readers = [
    ['mia', 'a member'],
    ['morgan', 'a manager'],
    ['ada', 'an admin'],
    ['gus', 'a guest'],
  ] as const;
  for (const [reader, state] of readers)
    yield homeShot({ screen: 'Home', state, reader }, await stage.openHome(reader));
}
