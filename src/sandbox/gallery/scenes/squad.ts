import { addColleagues } from '../colleagues.ts';
import type { Shot } from '../../page/shot.ts';
import { answerShot, messageIn, modalShot, openStage, viewOf, type Stage } from '../stage.ts';

const MINUTE_MS = 60_000;
const CHANNEL = '#agent-usage';
const SCREEN = 'A squad of four';
const SQUAD = ['mia', 'nora', 'ada', 'morgan'];
const DAILY = { 'How often?': 'Every day', 'At what time?': '09:00' };

const label = (state: string, reader: string) => ({ screen: SCREEN, state, reader });

/** Forms, channel posts and direct messages of a user group of four, until a manager and the channel are gone. */
export async function* squadScenes(startAt: Date, commandPrefix: string): AsyncGenerator<Shot> {
  const stage = await openStage({ people: 30, seed: 4, startAt, commandPrefix });
  try {
    await addColleagues(stage);
    await stage.slack.control.setUserGroup({ handle: 'squad', members: SQUAD });
    await stage.slack.control.setUserGroup({ handle: 'crew', members: colleaguesOf(stage).slice(0, 5) });
    yield* digestFormScenes(stage);
    yield* budgetFormScenes(stage);
    const crewBudget = await setUpBudget(stage, { 'Whose credits?': '@crew', 'How many credits?': '30m' });
    yield* morningScenes(stage);
    yield* warningScenes(stage, crewBudget);
    yield* goneScenes(stage);
  } finally {
    await stage.stop();
  }
}

const colleaguesOf = ({ platform, slack }: Stage): string[] =>
  platform.organization.people.flatMap(({ email }) =>
    email !== null && slack.workspace.findPerson(email) ? [email] : [],
  );

async function* digestFormScenes(stage: Stage): AsyncGenerator<Shot> {
  const form = await stage.type('ada', '/digest', 'new', 'agent-usage');
  const chosen = await stage.choose('ada', viewOf(form), { ...DAILY, 'Whose figures?': '@squad' });
  yield modalShot(label('the form of a digest', 'ada'), chosen);
  const refused = await stage.fill('ada', viewOf(chosen), { 'What is in it?': ['Usage'] });
  yield modalShot(label('a digest refused', 'ada'), refused);
  await stage.fill('ada', viewOf(refused), { 'What is in it?': ['Usage', 'People'] });
  await stage.closeModals('ada');
  await setUpDigest(stage, 'ada', { 'What is in it?': ['Usage', 'Enterprise control changes'] });
  await setUpDigest(stage, 'morgan', {
    'Where does it go?': 'To me, by direct message',
    'What is in it?': ['Usage', 'People'],
  });
}

async function setUpDigest(stage: Stage, person: string, answers: Record<string, string | string[]>): Promise<void> {
  const form = await stage.type(person, '/digest', 'new', 'agent-usage');
  await stage.fill(person, viewOf(form), { ...DAILY, 'Whose figures?': '@squad', ...answers });
  await stage.closeModals(person);
}

async function* budgetFormScenes(stage: Stage): AsyncGenerator<Shot> {
  const form = await stage.type('ada', '/budget', 'new', 'agent-usage');
  const chosen = await stage.choose('ada', viewOf(form), { 'Whose credits?': '@squad' });
  const refused = await stage.fill('ada', viewOf(chosen), { 'How many credits?': '20m' });
  yield modalShot(label('a budget refused', 'ada'), refused);
  const done = await stage.fill('ada', viewOf(refused), { 'Names in warnings': ['Name'] });
  yield modalShot(label('a budget with names', 'ada'), done);
  await stage.closeModals('ada');
}

/** @returns the id of the budget */
async function setUpBudget(stage: Stage, answers: Record<string, string>): Promise<string> {
  const form = await stage.type('ada', '/budget', 'new', 'agent-usage');
  const done = await stage.fill('ada', viewOf(form), answers);
  await stage.closeModals('ada');
  return /Its id is `(\w+)`/.exec(JSON.stringify(done.modal?.view))?.[1] ?? '';
}

/** In Berlin, Morgan's morning is an hour before Ada's. */
async function* morningScenes(stage: Stage): AsyncGenerator<Shot> {
  const early = await stage.passTo('2026-11-24T08:01:00Z');
  yield messageIn(label('a digest of one’s own', 'morgan'), await stage.posted(early, /For @squad/));
  const later = await stage.passTo('2026-11-24T09:01:00Z');
  const posted = (fits: RegExp) => stage.passUntil(later, fits, MINUTE_MS);
  yield messageIn(label('a digest with names', CHANNEL), await posted(/Top people of @squad/));
  yield messageIn(label('a digest without names', CHANNEL), await posted(/stay private/));
}

/** A day of heavy use, after the crew has become a group of four. */
async function* warningScenes(stage: Stage, crewBudget: string): AsyncGenerator<Shot> {
  await stage.slack.control.setUserGroup({ handle: 'crew', members: colleaguesOf(stage).slice(0, 4) });
  const noticed = await stage.passTo('2026-11-25T13:30:00Z');
  await stage.passUntil(noticed, /Tue 24 Nov/, MINUTE_MS);
  stage.platform.reviseDay('2026-11-25', 12);
  const published = await stage.passTo('2026-11-26T13:30:00Z');
  const warning = (fits: RegExp) => stage.passUntil(published, fits, MINUTE_MS);
  yield messageIn(label('a warning with names', CHANNEL), await warning(/budget of @squad: /));
  yield messageIn(label('a warning to the owner alone', 'ada'), await warning(/Only you get this/));
  const budgetAnswer = await stage.type('ada', '/budget', `show ${crewBudget}`, 'agent-usage');
  yield answerShot(label('the budget of a group that became small', 'ada'), budgetAnswer);
}

async function* goneScenes(stage: Stage): AsyncGenerator<Shot> {
  await stage.slack.control.updatePerson({ person: 'morgan', isGuest: true });
  await stage.slack.control.archive({ as: 'ada', channel: 'agent-usage' });
  const next = await stage.passTo('2026-11-27T09:01:00Z');
  const notice = (fits: RegExp) => stage.passUntil(next, fits, MINUTE_MS);
  yield messageIn(label('the last message to a guest', 'morgan'), await notice(/Stopped for you/));
  yield messageIn(label('the notice about a guest', 'ada'), await notice(/Stopped for </));
  yield messageIn(label('a digest that couldn’t be posted', 'ada'), await notice(/❌ The daily digest/));
}
