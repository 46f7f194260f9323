import { addColleagues } from '../colleagues.ts';
import type { Shot } from '../shot.ts';
import { answerShot, homeShot, modalShot, openStage, type Stage } from '../stage.ts';

/** Where figures of single people are for admins, and what people see of those who looked at theirs. */
export async function* privacyScenes(startAt: Date, commandPrefix: string): AsyncGenerator<Shot> {
  const stage = await openStage({ people: 40, seed: 4, startAt, commandPrefix, settings: { PEOPLE_ROLE: 'admin' } });
  try {
    await addColleagues(stage);
    yield* managerScenes(stage);
    yield* onlookerScenes(stage);
  } finally {
    await stage.stop();
  }
}

async function* managerScenes(stage: Stage): AsyncGenerator<Shot> {
  const screen = 'People for admins alone';
  const asked = [
    ['the organization', '/usage', ''],
    ['a person', '/usage', '@mia'],
    ['a list of people', '/usage', 'people'],
    ['a file of a group', '/usage', '@web-team csv'],
    ['a limit that is tried out', '/limits', 'simulate @web-team 600k per week'],
  ] as const;
  for (const [state, command, text] of asked)
    yield answerShot({ screen, state, reader: 'morgan' }, await stage.type('morgan', command, text));
  yield modalShot({ screen, state: 'new digest', reader: 'morgan' }, await stage.type('morgan', '/digest', 'new'));
  await stage.closeModals('morgan');
}

async function* onlookerScenes(stage: Stage): AsyncGenerator<Shot> {
  const screen = 'Who saw my figures';
  const lookers = ['ada', ...(await addAdmins(stage))];
  for (const looker of lookers.slice(0, 2)) await stage.type(looker, '/usage', '@mia');
  await stage.passTo('2026-11-25T10:00:00Z');
  await stage.type('ada', '/usage', '@mia csv');
  await stage.type('ada', '/usage', 'people');
  yield homeShot({ screen, state: 'a few', reader: 'mia' }, await stage.openHome('mia'));
  for (const looker of lookers) await stage.type(looker, '/usage', '@mia');
  for (const looker of lookers) await stage.type(looker, '/usage', '');
  const home = await stage.openHome('mia');
  yield homeShot({ screen, state: 'many', reader: 'mia' }, home);
  const all = await stage.after('mia', () =>
    stage.slack.control.click({ as: 'mia', source: { in: 'home' }, actionId: 'usage_all_looks' }),
  );
  yield modalShot({ screen, state: 'all', reader: 'mia' }, all);
}

async function addAdmins({ slack }: Stage): Promise<string[]> {
  const names = ['Bea', 'Cleo', 'Dana', 'Edda', 'Finn'];
  const handles = names.map((name) => `${name.toLowerCase()}.admin`);
  for (const [index, handle] of handles.entries()) {
    const person = { handle, name: `${names[index]} Admin`, email: `${handle}@acme.example`, isAdmin: true };
    await slack.control.addPerson(person);
    await slack.control.invite({ as: 'ada', channel: 'general', who: handle });
  }
  return handles;
}
