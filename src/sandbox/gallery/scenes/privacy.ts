import { addColleagues } from '../colleagues.ts';
import type { Shot } from '../../page/shot.ts';
import { answerShot, homeShot, modalShot, openStage, viewOf, type Stage } from '../stage.ts';

/** Figures of single people that only admins may see, and the list of readers of one's own figures. */
export async function* privacyScenes(startAt: Date, commandPrefix: string): AsyncGenerator<Shot> {
  const stage = await openStage({ people: 40, seed: 4, startAt, commandPrefix, settings: { PEOPLE_ROLE: 'admin' } });
  try {
    await addColleagues(stage);
    yield* managerScenes(stage);
    yield* disclosureScenes(stage);
  } finally {
    await stage.stop();
  }
}

async function* managerScenes(stage: Stage): AsyncGenerator<Shot> {
  const screen = 'People for admins alone';
  const questions = [
    ['the organization', '/usage', ''],
    ['a person', '/usage', '@mia'],
    ['a list of people', '/usage', 'people'],
    ['a file of a group', '/usage', '@web-team csv'],
    ['a simulated limit', '/limits', 'simulate @web-team 600k per week'],
  ] as const;
  for (const [state, command, text] of questions)
    yield answerShot({ screen, state, reader: 'morgan' }, await stage.type('morgan', command, text));
  yield* groupScenes(stage);
  yield modalShot({ screen, state: 'new digest', reader: 'morgan' }, await stage.type('morgan', '/digest', 'new'));
  await stage.closeModals('morgan');
}

const MORE_THAN_AN_HOUR_MS = 61 * 60_000;

/** A large group, a small group, and one that differs from the first by one person. */
async function* groupScenes(stage: Stage): AsyncGenerator<Shot> {
  const screen = 'Figures of groups';
  const emails = stage.platform.organization.people.flatMap(({ email }) =>
    email !== null && stage.slack.workspace.findPerson(email) ? [email] : [],
  );
  const groups = [
    ['a group', 'builders', emails.slice(0, 12)],
    ['a group of few', 'pair', emails.slice(0, 2)],
    ['a group that differs by one person', 'builders-too', emails.slice(0, 11)],
  ] as const;
  for (const [, handle, members] of groups) await stage.slack.control.setUserGroup({ handle, members: [...members] });
  // The bot has read the groups of the workspace at its start, for the message to admins.
  await stage.passQuietly(MORE_THAN_AN_HOUR_MS);
  for (const [state, handle] of groups) {
    yield answerShot({ screen, state, reader: 'morgan' }, await stage.type('morgan', '/usage', `last week @${handle}`));
  }
  const form = await stage.type('ada', '/usage', 'teams');
  if (!form.answer) return;
  const open = await stage.press('ada', form.answer, 'Choose teams');
  await stage.fill('ada', viewOf(open), {
    'Which user groups are teams?': ['@builders (12 people)', '@pair (2 people)'],
  });
  await stage.closeModals('ada');
  yield answerShot(
    { screen, state: 'teams', reader: 'morgan' },
    await stage.type('morgan', '/usage', 'teams last week'),
  );
}

async function* disclosureScenes(stage: Stage): AsyncGenerator<Shot> {
  const screen = 'Who saw my figures';
  const readers = ['ada', ...(await addAdmins(stage))];
  for (const reader of readers.slice(0, 2)) await stage.type(reader, '/usage', '@mia');
  await stage.passTo('2026-11-25T10:00:00Z');
  await stage.type('ada', '/usage', '@mia csv');
  await stage.type('ada', '/usage', 'people');
  yield homeShot({ screen, state: 'a few', reader: 'mia' }, await stage.openHome('mia'));
  for (const reader of readers) await stage.type(reader, '/usage', '@mia');
  for (const reader of readers) await stage.type(reader, '/usage', '');
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
