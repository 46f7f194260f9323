import type { Question } from '../question.ts';
import { action, line, unclear, type Rule } from '../rule.ts';

const firstNumber = ({ numbers: [number] }: Question) => number?.value;
const POLITE = 'me org will now loose';

/** Requests to change something, or to decide: a message does neither, so the person gets the form or the command. */
export const ACTION_RULES: readonly Rule[] = [
  {
    needs: 'raise|grant|moreCredits|create',
    may: `${POLITE} limit request howTo raise grant moreCredits deadline edit changed more2 status pending left per moved`,
    takes: ['person', 'group', 'number', 'period'],
    read: ({ tags, subjects, numbers }) => {
      const hasAmountFor = numbers.length === 1 && (subjects.length === 1 || tags.has('me'));
      if (!tags.has('limit') && !tags.has('moreCredits') && !hasAmountFor) return undefined;
      const isMore = tags.has('moreCredits') && !tags.has('limit');
      const amount = isMore || numbers.length !== 1 ? undefined : numbers[0]?.value;
      return action('/limits', 'request', subjects[0], amount);
    },
  },
  {
    needs: 'howTo moreCredits|limit|request|raise',
    may: `${POLITE} limit request moreCredits raise grant get`,
    read: () => action('/limits', 'request'),
  },
  {
    needs: 'budget create|recurring',
    may: `${POLITE} warnMe watch per limit create recurring over left raise grant edit`,
    takes: ['group', 'person', 'number', 'period', 'channel', 'named'],
    read: () => action('/budget', 'new'),
  },
  {
    needs: 'budget raise|edit|grant|changed',
    may: `${POLITE} raise edit grant changed limit create`,
    takes: ['number'],
    read: (question) => action('/budget', 'edit', firstNumber(question)),
  },
  {
    needs: 'digest|recurring create|recurring',
    may: `${POLITE} create recurring digest use per watch here sendNow total each working`,
    takes: ['group', 'channel', 'number', 'period'],
    read: ({ tags }) =>
      tags.has('here') || !(tags.has('create') || tags.has('digest') || tags.has('recurring'))
        ? undefined
        : action('/digest', 'new'),
  },
  {
    needs: 'digest pause|resume|remove|sendNow|edit|stop',
    may: `${POLITE} pause resume remove sendNow edit stop changed status schedule use warning`,
    takes: ['number', 'period'],
    read: (question) => {
      const number = firstNumber(question);
      const { tags } = question;
      if (number === undefined) return unclear(line('/digest'));
      const verb = ['pause', 'resume', 'remove', 'edit'].find((one) => tags.has(one));
      return action('/digest', verb ?? (tags.has('sendNow') ? 'now' : 'pause'), number);
    },
  },
  { needs: 'remove budget', may: POLITE, takes: ['number'], read: (q) => action('/budget', 'remove', firstNumber(q)) },
  {
    needs: 'computer create|grant|moreCredits',
    may: `${POLITE} create grant howTo repo`,
    takes: ['repository', 'named'],
    read: () => action('/computers', 'create'),
  },
  {
    needs: 'retry',
    may: `${POLITE} computer problem condition status retry job score`,
    takes: ['named'],
    read: ({ named: [name] }) =>
      name === undefined ? unclear(line('/computers')) : action('/computers', 'retry', name),
  },
  {
    needs: 'erase',
    may: `${POLITE} erase remove stored stop`,
    takes: ['person'],
    read: ({ subjects: [person] }) => action('/quartermaster', 'erase', person),
  },
  {
    needs: 'stored',
    may: `${POLITE} stored`,
    takes: ['person'],
    read: () => action('/quartermaster', 'erase'),
  },
  {
    needs: 'importList limit|importList',
    may: `${POLITE} importList request limit create sendNow total`,
    takes: ['number', 'person'],
    read: () => action('/limits', 'import'),
  },
  {
    needs: 'stop notify',
    may: `${POLITE} stop notify session watch sessionState working agent`,
    read: () => action('/session', 'notify', 'off'),
  },
  {
    needs: 'quiet|notify quiet',
    may: `${POLITE} quiet notify stop session neg agent`,
    takes: ['number', 'period'],
    read: ({ quietHours }) => action('/session', 'notify', 'quiet', quietHours),
  },
  {
    needs: 'watch|notify session|agent sessionState|session',
    may: `${POLITE} watch notify session sessionState create grant agent`,
    read: () => action('/session', 'notify'),
  },
  {
    needs: 'warnMe|watch use|limit|left|over|runOut',
    may: `${POLITE} warnMe watch use limit left over runOut share deadline`,
    takes: ['number'],
    read: ({ tags, numbers }) =>
      tags.has('warnMe') || numbers.some(({ isPercent }) => isPercent) ? action('/usage', 'notify') : undefined,
  },
  {
    needs: 'watch|warnMe repo|score|ready',
    may: `${POLITE} watch warnMe repo score ready changed moved recurring`,
    takes: ['repository', 'channel'],
    read: ({ channels: [channel], repositories: [repository] }) => action('/readiness', 'watch', channel, repository),
  },
  {
    needs: 'watch|weaker controls|rev',
    may: `${POLITE} watch controls rev changed weaker recurring each`,
    takes: ['channel'],
    read: ({ channels: [channel], tags }) =>
      channel === undefined
        ? undefined
        : action('/controls', 'watch', channel, tags.has('weaker') ? 'weaker' : undefined),
  },
  {
    needs: 'watch|warnMe unusual|moved',
    may: `${POLITE} watch warnMe unusual moved use org recurring`,
    takes: ['group', 'channel'],
    read: ({ channels: [channel], groups: [group] }) => action('/usage', 'watch', channel ?? 'me', group),
  },
  {
    needs: 'decide|undo',
    may: `${POLITE} decide undo request limit pending status each total`,
    takes: ['number', 'person', 'two'],
    read: (question) => {
      const number = firstNumber(question);
      return unclear(number === undefined ? line('/limits') : line('/limits', 'show', number));
    },
  },
];
