import { VIEWS } from '../../../features/usage/usage-command.ts';
import type { Fault } from '../../platform/server/faults.ts';
import type { Shot } from '../../page/shot.ts';
import { addColleagues } from '../colleagues.ts';
import { answerShot, modalShot, openStage, postedShot, viewOf, type ActionEffects, type Stage } from '../stage.ts';

/** `/usage` of an ordinary organization, for each role, and typing mistakes. */
export async function* usageScenes(stage: Stage): AsyncGenerator<Shot> {
  const ask = async (state: string, reader: string, text: string, channel?: string) =>
    answerShot({ screen: '/usage', state, reader }, await stage.type(reader, '/usage', text, channel));
  yield ask('last 7 days, for a manager', 'morgan', '');
  yield ask('last 7 days, for a member', 'mia', '');
  yield ask('own figures', 'mia', 'me');
  yield ask('a single day', 'morgan', 'yesterday');
  yield ask('this month', 'morgan', 'this month');
  for (const view of VIEWS.filter((one) => one !== 'summary' && one !== 'teams')) yield ask(view, 'morgan', view);
  yield ask('more', 'morgan', 'more');
  yield ask('more tools', 'morgan', 'more tools');
  yield ask('one person', 'morgan', '@mia');
  yield ask('two months compared', 'morgan', 'this month vs last month');
  yield ask('two models compared', 'mia', 'atlas-large vs boreal-2 7d');
  yield ask('a comparison with a typing mistake', 'mia', 'octobr vs november');
  yield* teamScenes(stage);
  yield ask('a shortened period', 'morgan', '400d');
  yield ask('an unknown word', 'mia', 'sumary');
  yield ask('an address that is not in the figures', 'morgan', 'nobody@acme.example');
  yield ask('the figures of another person, as a member', 'mia', '@max');
  yield ask('a file', 'morgan', 'people csv');
  yield ask('help', 'mia', 'help');
  yield ask('asked by a guest', 'gus', '');
  const effects = await stage.type('morgan', '/usage', '');
  if (effects.answer) {
    yield* explainScenes(stage, effects);
    const shared = await stage.press('morgan', effects.answer, 'Share');
    yield postedShot(stage, { screen: '/usage', state: 'shared without names', reader: '#general' }, shared);
  }
}

/** *How was this worked out?* of an answer, and *Check now*. */
async function* explainScenes(stage: Stage, { answer }: ActionEffects): AsyncGenerator<Shot> {
  if (!answer) return;
  const screen = { screen: 'How was this worked out?', reader: 'morgan' };
  const opened = await stage.press('morgan', answer, 'How was this worked out?');
  yield modalShot({ ...screen, state: 'of an answer' }, opened);
  const checked = await stage.pressIn('morgan', viewOf(opened), 'Check now');
  yield modalShot({ ...screen, state: 'checked, unchanged' }, checked);
  await stage.closeModals('morgan');
}

/** Teams before an admin chose any, the choice, and the managers' view after it. */
async function* teamScenes(stage: Stage): AsyncGenerator<Shot> {
  const ask = (reader: string) => stage.type(reader, '/usage', 'teams');
  yield answerShot({ screen: '/usage', state: 'teams, none chosen yet', reader: 'morgan' }, await ask('morgan'));
  const none = await ask('ada');
  yield answerShot({ screen: '/usage', state: 'teams, for an admin', reader: 'ada' }, none);
  if (!none.answer) return;
  const form = await stage.press('ada', none.answer, 'Choose teams');
  yield modalShot({ screen: 'Teams', state: 'open', reader: 'ada' }, form);
  const chosen = await stage.fill('ada', viewOf(form), {
    'Which user groups are teams?': ['@platform-leads', '@web-team'],
  });
  yield modalShot({ screen: 'Teams', state: 'chosen', reader: 'ada' }, chosen);
  await stage.closeModals('ada');
  yield answerShot({ screen: '/usage', state: 'teams', reader: 'morgan' }, await ask('morgan'));
}

/** `/usage` under hard conditions: a tiny and a huge organization, and a platform with faults. */
export async function* hardUsageScenes(startAt: Date, commandPrefix: string): AsyncGenerator<Shot> {
  for (const people of [5, 1_200]) {
    const stage = await openStage({ people, seed: 2, startAt, commandPrefix });
    try {
      if (people === 5) yield* faultScenes(stage);
      for (const text of ['', 'people']) {
        const state = `${people.toLocaleString('en-US')} people${text === '' ? '' : `, ${text}`}`;
        yield answerShot({ screen: '/usage', state, reader: 'morgan' }, await stage.type('morgan', '/usage', text));
      }
    } finally {
      await stage.stop();
    }
  }
}

const FAULTS: readonly (readonly [string, Fault])[] = [
  ['the platform refuses the key', { kind: 'status', status: 401 }],
  ['the key may not read this', { kind: 'status', status: 403 }],
  ['the platform fails', { kind: 'status', status: 500 }],
  ['the platform answers with a page', { kind: 'html' }],
];

/** Each fault of the platform as a manager sees it, before any figures were read. */
async function* faultScenes(stage: Stage): AsyncGenerator<Shot> {
  for (const [state, fault] of FAULTS) {
    const clear = stage.platform.faults.add(fault);
    yield answerShot({ screen: '/usage', state, reader: 'morgan' }, await stage.type('morgan', '/usage', 'credits'));
    yield answerShot({ screen: '/readiness', state, reader: 'mia' }, await stage.type('mia', '/readiness'));
    clear();
  }
}

/** The longest name that Slack permits. */
const LONGEST_NAME = 80;
const longNameOf = (name: string) => `${name} ${'von Hohenstaufen-Wolkenstein '.repeat(4)}`.slice(0, LONGEST_NAME);

export async function* longNameScenes(startAt: Date, commandPrefix: string): AsyncGenerator<Shot> {
  const stage = await openStage({ people: 30, seed: 2, startAt, commandPrefix });
  try {
    await addColleagues(stage, longNameOf);
    const ask = async (state: string, text: string) =>
      answerShot({ screen: 'Longest names', state, reader: 'morgan' }, await stage.type('morgan', '/usage', text));
    yield ask('usage', '');
    yield ask('people', 'people');
    yield ask('what moved', 'moved');
    const member = 'allowedDomainsOfEveryTeam'.repeat(4).slice(0, LONGEST_NAME);
    const noticeEffects = await stage.after('morgan', async () => {
      stage.platform.addRevision({ settings: { [member]: { [member]: 'x'.repeat(2_000) } } });
    });
    yield postedShot(stage, { screen: 'Longest names', state: 'revision', reader: '#platform' }, noticeEffects);
  } finally {
    await stage.stop();
  }
}
