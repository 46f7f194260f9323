import type { Question } from '../question.ts';
import { line, type Rule } from '../rule.ts';

const COMMON = 'me org now loose will';
const firstNumber = ({ numbers: [number] }: Question) => number?.value;
export const periodOf = ({ periods: [period] }: Question) => (period?.kind === 'days' ? period.words : undefined);

/** Questions about everything except usage. */
export const THING_RULES: readonly Rule[] = [
  // Quartermaster itself
  { needs: 'help', may: `${COMMON} help role`, read: () => line('/quartermaster') },
  { needs: 'version', may: COMMON, read: () => line('/quartermaster') },
  {
    needs: 'role',
    may: `${COMMON} role who why help status grant moreCredits condition or`,
    takes: ['person'],
    read: () => line('/quartermaster'),
  },
  {
    needs: 'status2|platformService',
    may: `${COMMON} status2 platformService job problem condition total status working`,
    read: () => line('/quartermaster'),
  },
  {
    needs: 'job',
    may: `${COMMON} schedule status problem condition create`,
    read: () => line('/quartermaster', 'jobs'),
  },
  {
    needs: 'here',
    may: `${COMMON} here digest use total why problem`,
    read: () => line('/quartermaster', 'here'),
  },
  // Sessions
  {
    needs: 'notify working|status|problem',
    may: `${COMMON} notify working status problem condition session neg`,
    takes: ['period'],
    read: () => line('/session', 'notify', 'status'),
  },
  {
    needs: 'session',
    may: `${COMMON} session sessionState pending problem status howMany condition`,
    takes: ['period'],
    read: () => line('/session', 'mine'),
  },
  // Controls
  {
    needs: 'diff|changed|controls|vs rev|controls',
    may: `${COMMON} diff changed edit rev controls vs total`,
    takes: ['number'],
    read: ({ numbers }) => {
      if (numbers.length === 2) return line('/controls', 'diff', numbers[0]?.value, numbers[1]?.value);
      return undefined;
    },
  },
  {
    needs: 'rev',
    may: `${COMMON} rev controls json total status condition`,
    takes: ['number'],
    read: (q) => (q.numbers.length === 1 ? line('/controls', 'show', firstNumber(q)) : undefined),
  },
  {
    needs: 'changed|who|latest|rev|weaker|controls',
    may: `${COMMON} who changed edit latest controls rev weaker why person`,
    takes: ['setting', 'period'],
    read: ({ settings: [setting] }) =>
      setting === undefined ? undefined : line('/controls', 'history', 'setting', setting),
  },
  {
    needs: 'controls|rev|changed latest|changed|rev',
    may: `${COMMON} controls rev latest changed edit total most`,
    takes: ['person', 'number'],
    read: ({ subjects: [person], numbers, tags }) =>
      person === undefined || !(tags.has('controls') || tags.has('rev'))
        ? undefined
        : line('/controls', 'history', numbers[0]?.value, 'by', person),
  },
  {
    needs: 'controls|rev',
    may: `${COMMON} controls rev weaker changed edit latest who total person problem`,
    takes: ['period'],
    read: (q) => {
      const { tags } = q;
      if (!tags.has('controls') && !tags.has('rev')) return undefined;
      const period = periodOf(q);
      if (period !== undefined) return line('/controls', period);
      if (![...tags].some((tag) => ['changed', 'edit', 'weaker', 'latest', 'who', 'rev'].includes(tag)))
        return undefined;
      return tags.has('latest') || tags.has('weaker') ? line('/controls') : line('/controls', 'history');
    },
  },
  // Digests
  {
    needs: 'digest problem|why|missing|schedule',
    may: `${COMMON} digest problem why status schedule here controls use total working over share condition`,
    takes: ['period', 'channel', 'number'],
    read: (q) => {
      const { tags } = q;
      if (!tags.has('problem') && !tags.has('why')) return line('/digest');
      const period = periodOf(q);
      return line('/digest', 'why', isLong(period) ? period : undefined);
    },
  },
  {
    needs: 'digest preview',
    may: `${COMMON} digest preview will would total watch status`,
    takes: ['number', 'channel'],
    read: (q) => (firstNumber(q) === undefined ? line('/digest') : line('/digest', 'preview', firstNumber(q))),
  },
  {
    needs: 'digest',
    may: `${COMMON} digest schedule latest status total which person condition`,
    takes: ['number', 'channel'],
    read: () => line('/digest'),
  },
  // Budgets
  {
    needs: 'budget',
    may: `${COMMON} budget warning urgent left over forecast forecastBasis deadline total most more status condition share least runOut moved problem history schedule sendNow warnMe`,
    takes: ['number', 'period', 'group', 'named'],
    read: (q) => {
      const id = q.numbers.find(({ isPercent, isAmount }) => !isPercent && !isAmount)?.value;
      if (id !== undefined) return line('/budget', 'show', id);
      return line('/budget');
    },
  },
  // Limits
  {
    needs: 'would',
    may: `${COMMON} limit would per howMany who person each total over runOut problem recurring condition score status`,
    takes: ['number', 'group'],
    read: ({ numbers, per, groups, tags }) =>
      numbers.length === 1 && per !== undefined && !tags.has('me')
        ? line('/limits', 'simulate', groups[0], numbers[0]?.value, `per ${per}`)
        : undefined,
  },
  {
    needs: 'audit',
    may: `${COMMON} audit limit request status csv history total each condition`,
    takes: ['period'],
    read: (q) => line('/limits', 'audit', 'csv', periodOf(q)),
  },
  {
    needs: 'limit ending|farAbove|runOut',
    may: `${COMMON} limit ending farAbove runOut total will pending who`,
    takes: ['period'],
    mayBeAhead: true,
    read: ({ tags }) => (tags.has('me') ? undefined : line('/limits', 'ending')),
  },
  {
    needs: 'request|limit|status',
    may: `${COMMON} request limit status history pending who why total ending neg condition`,
    takes: ['number'],
    read: (q) =>
      q.numbers.length === 1 && !q.numbers[0]?.isAmount && q.tags.has('request')
        ? line('/limits', 'show', firstNumber(q))
        : undefined,
  },
  {
    needs: 'pending|request|status|moreCredits',
    may: `${COMMON} pending request limit status who why history total moreCredits latest person each condition`,
    takes: ['period', 'person'],
    read: (q) => {
      const { tags } = q;
      if (!tags.has('request') && !(tags.has('pending') && !tags.has('session'))) return undefined;
      if (q.subjects.length > 0) return line('/limits');
      const period = periodOf(q);
      const isList = tags.has('request') && !tags.has('status') && !tags.has('why') && !tags.has('pending');
      return line('/limits', isList && isLong(period) ? period : undefined);
    },
  },
  {
    needs: 'limit',
    may: `${COMMON} limit who status total ending condition left`,
    takes: ['person'],
    read: ({ subjects: [person], tags }) => {
      if (person !== undefined) return tags.has('me') && !tags.has('status') ? undefined : line('/limits', person);
      return undefined;
    },
  },
  {
    needs: 'limit',
    may: `${COMMON} limit who status total condition`,
    read: ({ tags }) => (tags.has('me') ? line('/limits', 'me') : line('/limits')),
  },
  // Repositories
  {
    needs: 'repo|ready|score',
    may: `${COMMON} repo ready score why problem history moved changed status total howTo howMany condition moreCredits`,
    takes: ['repository'],
    read: ({ repositories: [repository] }) => (repository === undefined ? undefined : line('/readiness', repository)),
  },
  {
    needs: 'repo',
    may: `${COMMON} nameFilter urgent repo ready score csv total most least moved changed why problem howMany which status each history who latest`,
    takes: ['filter'],
    read: ({ tags, filter }) => {
      const file = tags.has('csv') ? 'csv' : undefined;
      return filter === undefined ? line('/readiness', file) : line('/readiness', 'filter', filter, file);
    },
  },
  // Computers
  {
    needs: 'computer|condition|problem|status|session',
    may: `${COMMON} computer condition problem status total job more pending sessionState working howMany`,
    takes: ['named'],
    read: ({ named: [name] }) =>
      name === undefined || name.startsWith('model-') ? undefined : line('/computers', 'show', name),
  },
  {
    needs: 'computer',
    may: `${COMMON} nameFilter computer condition problem total status howMany who which sessionState working`,
    takes: ['filter'],
    read: ({ filter }) => line('/computers', filter === undefined ? undefined : 'filter', filter),
  },
];

/** Whether it selects what is listed; a single day only says when something happened. */
const isLong = (period: string | undefined) =>
  period !== undefined &&
  /week|month|quarter|year|since|q\d|january|february|march|april|june|july|august|september|october|november|december/.test(
    period,
  );
