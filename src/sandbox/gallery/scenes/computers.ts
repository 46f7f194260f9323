import type { Shot } from '../../page/shot.ts';
import { answerShot, messageIn, modalShot, postedShot, viewOf, type Stage } from '../stage.ts';

/** Computers, readiness and sessions: lists, forms and refusals. */
export async function* computerScenes(stage: Stage): AsyncGenerator<Shot> {
  const ask = async (screen: string, state: string, reader: string, text: string) =>
    answerShot({ screen, state, reader }, await stage.type(reader, screen, text));
  yield ask('/computers', 'list', 'mia', '');
  yield ask('/computers', 'a ready computer', 'mia', 'show build-eu-1');
  yield ask('/computers', 'one that failed', 'mia', 'show payments-ci');
  yield ask('/computers', 'a computer during its setup', 'mia', 'show data-lab');
  yield ask('/computers', 'an unknown name', 'mia', 'show zzz');
  yield ask('/computers', 'help', 'mia', 'help');
  yield modalShot(
    { screen: 'New computer', state: 'open', reader: 'mia' },
    await stage.type('mia', '/computers', 'create'),
  );
  await stage.closeModals('mia');
  yield* cardScenes(stage);
  yield ask('/readiness', 'all repositories', 'mia', '');
  yield ask('/readiness', 'one repository', 'mia', 'payments');
  yield ask('/readiness', 'an unknown name', 'mia', 'zzz');
  yield ask('/readiness', 'help', 'mia', 'help');
  const [session = ''] = stage.platform.sessionIds;
  yield ask('/session', 'a session', 'ada', session);
  yield ask('/session', 'the viewed sessions', 'ada', '');
  yield ask('/session', 'an unknown id', 'ada', 'abc');
  yield ask('/session', 'asked by a member', 'mia', session);
  yield ask('/session', 'help', 'mia', 'help');
}

const STEP_MS = 5_000;

const labelOfCard = (state: string) => ({ screen: 'Computer card', state, reader: 'mia' });

/** A computer from its form until it is ready, and one whose installation fails first. */
async function* cardScenes(stage: Stage): AsyncGenerator<Shot> {
  const create = async (name: string) => {
    const form = await stage.type('mia', '/computers', 'create');
    const answers = { Name: name, 'Remote user': 'agent', Repositories: 'https://github.com/acme/web' };
    const effects = await stage.fill('mia', viewOf(form), answers);
    await stage.closeModals('mia');
    return effects;
  };
  const orderEffects = await create('build-eu-2');
  yield modalShot({ screen: 'New computer', state: 'asked for', reader: 'mia' }, orderEffects);
  yield postedShot(stage, labelOfCard('being set up'), orderEffects, /Computer build-eu-2/);
  yield messageIn(labelOfCard('ready'), await stage.passUntil(orderEffects, /Ready after/, STEP_MS));
  const done = await stage.posted(orderEffects, /Your computer is ready/);
  yield messageIn({ screen: 'Computer', state: 'ready, by direct message', reader: 'mia' }, done);

  const broken = await create('broken-build');
  const failed = await stage.passUntil(broken, /failed: npm/, STEP_MS);
  yield messageIn(labelOfCard('failed'), failed);
  const retried = await stage.press('mia', failed, 'Retry install', 'dm');
  if (retried.modal) yield modalShot({ screen: 'Retry', state: 'asked for', reader: 'mia' }, retried);
  yield messageIn(labelOfCard('ready after a retry'), await stage.passUntil(retried, /Ready, after/, STEP_MS));
}
