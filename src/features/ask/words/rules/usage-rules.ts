import type { CommandLine, Reading } from '../../messages/reading.ts';
import type { Question } from '../question.ts';
import { line, unclear, type Part, type Rule } from '../rule.ts';
import { periodOf } from './thing-rules.ts';

const ABOUT = 'me org loose total share more2 condition';
const WITH_SUBJECT: readonly Part[] = ['period', 'person', 'group'];
const PERIOD: readonly Part[] = ['period'];

/** Whose: a named person or group, the person who asks, or the organization. Undefined if it is not clear. */
function subjectOf({ subjects, tags }: Question): { word: string | undefined } | undefined {
  if (subjects.length > 1) return undefined;
  const isOwn = tags.has('me');
  if (isOwn && (subjects.length > 0 || tags.has('org'))) return undefined;
  if (subjects[0] !== undefined) return { word: subjects[0] };
  return { word: isOwn ? 'me' : undefined };
}

const view =
  (side: string | undefined, options: { isOrganization?: true } = {}) =>
  (question: Question): CommandLine | undefined => {
    const subject = options.isOrganization ? { word: question.subjects[0] } : subjectOf(question);
    if (!subject || question.subjects.length > 1) return undefined;
    const file = question.tags.has('csv') ? 'csv' : undefined;
    const detail = question.tags.has('more') && file === undefined ? 'more' : undefined;
    return line('/usage', side, periodOf(question), subject.word, file ?? detail);
  };

/** A change in the use of a person or group: their figures, or what moved in them. */
function bothViews(question: Question): Reading | undefined {
  const lines = [view(undefined)(question), view('moved')(question)].filter((one) => one !== undefined);
  return lines.length === 0 ? undefined : unclear(...lines);
}

const ofPeople = (question: Question) =>
  question.tags.has('me') && question.subjects.length === 0
    ? undefined
    : view('people', { isOrganization: true })(question);

/** Two periods, two people or groups, or two models. */
function compare({ subjects, groups, periods, named, tags }: Question): CommandLine | undefined {
  const spans = periods.flatMap((period) => (period.kind === 'days' ? [period.words] : []));
  if (spans.length !== periods.length) return undefined;
  const models = named.filter((name) => name.startsWith('model-'));
  const own = tags.has('me') ? 'me' : undefined;
  if (own !== undefined && subjects.length > 0) return undefined;
  if (models.length === 2 && subjects.length === 0 && spans.length < 2)
    return line('/usage', `${models[0]} vs ${models[1]}`, spans[0]);
  if (named.length > 0) return undefined;
  if (subjects.length > 2 && spans.length < 2 && groups.length === subjects.length)
    return line('/usage', 'teams', spans[0]);
  if (subjects.length === 2 && spans.length < 2) return line('/usage', spans[0], `${subjects[0]} vs ${subjects[1]}`);
  if (spans.length === 2 && spans[0] !== spans[1] && subjects.length < 2)
    return line('/usage', `${spans[0]} vs ${spans[1]}`, subjects[0] ?? own);
  return undefined;
}

export const USAGE_RULES: readonly Rule[] = [
  {
    needs: 'vs|or|than|before|more2',
    may: `${ABOUT} vs or than before more2 most model moved person who least`,
    takes: ['period', 'person', 'group', 'named', 'two'],
    read: compare,
  },
  {
    // A period faces the one before by itself.
    needs: 'before|vs before',
    may: `${ABOUT} before vs than moved`,
    takes: WITH_SUBJECT,
    read: view(undefined),
  },
  {
    needs: 'runOut|left|over|share|limit|deadline',
    may: `${ABOUT} runOut left over share limit deadline forecast now status problem will warnMe`,
    takes: PERIOD,
    read: ({ tags }) =>
      tags.has('me') || (tags.has('runOut') && !tags.has('org')) ? line('/usage', 'this month', 'me') : undefined,
  },
  {
    needs: 'forecast|deadline|will',
    may: `${ABOUT} forecast deadline will over ending`,
    takes: PERIOD,
    read: ({ tags }) => (tags.has('forecast') && !tags.has('me') ? line('/usage', 'this month') : undefined),
  },
  {
    needs: 'forecastBasis',
    may: `${ABOUT} forecast forecastBasis`,
    takes: PERIOD,
    read: () => line('/usage', 'this month', 'more'),
  },
  {
    needs: 'others',
    may: `${ABOUT} others most unusual each than howTo`,
    takes: PERIOD,
    read: (question) =>
      question.tags.has('me') ? line('/usage', periodOf(question) ?? 'this month', 'me') : undefined,
  },
  {
    needs: 'eachTeam|myTeam',
    may: `${ABOUT} eachTeam myTeam most least members moved csv person who howMany over`,
    takes: PERIOD,
    read: (question) => {
      const { tags } = question;
      if (tags.has('myTeam') && (tags.has('who') || tags.has('person') || tags.has('me'))) return undefined;
      return line('/usage', 'teams', periodOf(question), tags.has('csv') ? 'csv' : undefined);
    },
  },
  {
    needs: 'pr',
    may: `${ABOUT} pr howMany csv activity moved person most2`,
    takes: WITH_SUBJECT,
    read: view('productivity'),
  },
  {
    needs: 'client',
    may: `${ABOUT} client activity howMany person each vs csv`,
    takes: ['period', 'group'],
    // “cli vs web” names two clients, not the team of that name.
    read: ({ tags, subjects, ...question }) =>
      subjects.length > 0 && !tags.has('vs')
        ? undefined
        : view('activity')({ ...question, tags: new Set(), subjects: [] }),
  },
  {
    needs: 'tool',
    may: `${ABOUT} tool howMany most least csv each2 client moved2 which`,
    takes: WITH_SUBJECT,
    read: view('tools'),
  },
  {
    needs: 'model',
    may: `${ABOUT} model howMany most least csv which`,
    takes: [...WITH_SUBJECT, 'named'],
    read: ({ named, ...question }) =>
      named.length > 1 || named.some((name) => !name.startsWith('model-'))
        ? undefined
        : view('models')({ named, ...question }),
  },
  {
    needs: 'use|total|howMuch|share|person|left',
    may: `${ABOUT} share person left`,
    takes: ['period', 'named', 'group', 'person'],
    read: (question) =>
      question.named.length === 1 && question.named[0]?.startsWith('model-') ? view('models')(question) : undefined,
  },
  {
    needs: 'inactive',
    may: `${ABOUT} inactive who person each csv seats howMany`,
    takes: ['period', 'group'],
    read: ofPeople,
  },
  {
    needs: 'activity',
    may: `${ABOUT} activity howMany person csv`,
    takes: ['period', 'group'],
    read: ({ tags, ...question }) =>
      tags.has('who') || tags.has('me') ? undefined : view('activity', { isOrganization: true })({ tags, ...question }),
  },
  {
    needs: 'howMany person use|activity',
    may: `${ABOUT} howMany person activity`,
    takes: ['period', 'group'],
    read: ({ tags, ...question }) =>
      tags.has('me') ? undefined : view('activity', { isOrganization: true })({ tags, ...question }),
  },
  {
    needs: 'why|moved',
    may: `${ABOUT} why moved unusual runOut problem most`,
    takes: WITH_SUBJECT,
    read: (question) => {
      const { tags } = question;
      if (tags.has('me') && !tags.has('org')) return view(undefined)(question);
      if (question.subjects.length > 0 && !tags.has('why')) return bothViews(question);
      return tags.has('who') ? undefined : view('moved', { isOrganization: true })(question);
    },
  },
  {
    needs: 'who|each|person who|each|most',
    may: `${ABOUT} who each person most csv moved unusual why`,
    takes: ['period', 'group'],
    read: (question) => {
      const { tags } = question;
      if (tags.has('least')) return undefined;
      if (!tags.has('use') && !tags.has('most') && !tags.has('each') && !tags.has('moved')) return undefined;
      return ofPeople(question);
    },
  },
  {
    needs: 'each',
    may: `${ABOUT} each csv person org`,
    takes: ['period', 'group'],
    read: ofPeople,
  },
  {
    needs: 'unusual',
    may: `${ABOUT} unusual moved`,
    takes: WITH_SUBJECT,
    read: view(undefined),
  },
  {
    needs: 'use|total|howMuch|me|org',
    may: `${ABOUT} use csv more loose`,
    takes: WITH_SUBJECT,
    read: (question) => {
      const { tags, periods } = question;
      const isAboutUse = ['use', 'howMuch', 'csv', 'more'].some((tag) => tags.has(tag));
      return isAboutUse || periods.length > 0 ? view(undefined)(question) : undefined;
    },
  },
  {
    // “@max last month”
    needs: '',
    may: ABOUT,
    takes: WITH_SUBJECT,
    read: (question) =>
      question.subjects.length === 1 && question.periods.length === 1 && question.fillerCount <= 2
        ? view(undefined)(question)
        : undefined,
  },
];
