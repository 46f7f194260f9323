import type { AskWords } from './ask/ask-words.ts';
import {
  type CommandHelp,
  type ParsedCommand,
  type Reference,
  readReference,
} from '../../core/slack/commands/command-text.ts';
import {
  alone,
  misunderstood,
  readSubcommand,
  run,
  unexpected,
  type WordList,
} from '../../core/slack/commands/subcommands.ts';
import { joinPeriod, joinPeriods, ofDays } from '../../core/slack/commands/period-words.ts';
import { dayOf, type Period } from '../../core/base/time/calendar.ts';
import { SIMULATED_UNITS, type SimulatedLimit } from './simulate/simulate.ts';
import { NO_OWN_LIMIT, readLimit } from './core/amount-rule.ts';
import { readAmount } from '../../core/base/text/amounts.ts';

export type LimitsCommand =
  /** `days`: the requests made on these. */
  | { kind: 'list'; days?: Period }
  | { kind: 'ask'; words: AskWords }
  | { kind: 'blocked' }
  | { kind: 'import' }
  | { kind: 'declare' }
  | { kind: 'approvers' }
  | { kind: 'audit'; days?: Period }
  | { kind: 'ending' }
  /** The feature of policies reads the words after it. */
  | { kind: 'policies'; words: readonly string[] }
  | { kind: 'teams'; words: readonly string[] }
  | { kind: 'team'; groupId?: string }
  | ({ kind: 'simulate' } & SimulatedLimit)
  | { kind: 'show'; id: string }
  | { kind: 'withdraw'; id: string | undefined }
  | { kind: 'me' }
  | { kind: 'person'; slackId: string }
  | { kind: 'email'; email: string };

export const LIMITS_HELP: CommandHelp = {
  command: '/limits',
  takesTeams: true,
  purpose: 'request credit limits, decide on requests and see limits',
  examples: [
    { text: '', meaning: 'open and recent requests' },
    { text: 'last week', meaning: 'the requests of a period; also yesterday, 28d, october, since oct 1' },
    { text: 'request', meaning: 'request a limit in a form; managers also for others' },
    { text: 'request @person 5m', meaning: 'the form, filled in' },
    {
      text: 'request @person none',
      meaning: 'the same, to remove their own limit if the platform shows limits (admins)',
    },
    { text: 'blocked', meaning: 'you hit your limit: the form, filled in, and first in the admins’ list' },
    { text: 'show k7m2x', meaning: 'one request with its whole history' },
    { text: 'withdraw', meaning: 'your open requests, to withdraw one; also cancel' },
    { text: '@person', meaning: 'the limits set here for a person; also me, or by e-mail' },
    { text: 'import', meaning: 'request many limits at once, from a list (managers)' },
    { text: 'declare', meaning: 'limits that were set before Quartermaster came, in a form (admins)' },
    { text: 'approvers', meaning: 'who is asked to decide, in which order, and when two approve, in a form (admins)' },
    { text: 'ending', meaning: 'limits that end soon, and those far above use (admins)' },
    { text: 'policies', meaning: 'rules that set first limits or approve raises; also policies new (admins)' },
    { text: 'policies stop', meaning: 'pause all limit policies at once (admins)' },
    { text: 'team', meaning: 'your team: its pool and its leads; for leads its limits and requests, too' },
    { text: 'teams', meaning: 'the pools and leads of teams; also teams new (admins)' },
    { text: 'simulate @team 5m per month', meaning: 'who would have reached a limit lately (managers)' },
    { text: 'audit csv', meaning: 'every step of every request as a file, or of a period: audit csv october (admins)' },
  ],
};

export const LIMITS_WORDS: WordList<LimitsCommand> = {
  initial: 'list',
  subcommands: {
    list: ofDays((days) => ({ kind: 'list', ...(days ? { days } : {}) })),
    blocked: alone({ kind: 'blocked' }),
    import: alone({ kind: 'import' }),
    declare: alone({ kind: 'declare' }),
    approvers: alone({ kind: 'approvers' }),
    ending: alone({ kind: 'ending' }),
    policies: (words) => run({ kind: 'policies', words }),
    teams: (words) => run({ kind: 'teams', words }),
    team: readTeam,
    me: alone({ kind: 'me' }),
    simulate: readSimulate,
    audit: (rest) =>
      readAudit(
        rest.filter((word) => word.toLowerCase() !== 'csv'),
        'audit csv',
      ),
    show: readShow,
    withdraw: readWithdraw,
    cancel: readWithdraw,
    request: readAsk,
  },
  otherwise: (first, rest) => {
    const reference = readReference(first);
    if (!reference) return undefined;
    return rest.length > 0 ? unexpected(rest[0], first) : readPerson(reference);
  },
};

const readAudit = ofDays<LimitsCommand>((days) => ({ kind: 'audit', ...(days ? { days } : {}) }));

const WITH_PERIOD = new Set(['list', 'audit']);

/** Whether a request has the given id is looked up later. `last week` means the same as `list last week`. */
export function parseLimits(words: readonly string[], now: Date): ParsedCommand<LimitsCommand> {
  const [first = '', ...rest] = words;
  const today = dayOf(now);
  if (WITH_PERIOD.has(first.toLowerCase())) return readSubcommand([first, ...joinPeriods(rest, today)], LIMITS_WORDS);
  const isPeriod = joinPeriod(words, today) !== words;
  return readSubcommand(isPeriod ? ['list', ...joinPeriods(words, today)] : words, LIMITS_WORDS);
}

function readPerson(reference: Reference): ParsedCommand<LimitsCommand> {
  if (reference.kind === 'person') return run({ kind: 'person', slackId: reference.slackId });
  if (reference.kind === 'email') return run({ kind: 'email', email: reference.email });
  return misunderstood('Limits are set for people. Name one, or type an e-mail.');
}

function readTeam([word, ...rest]: readonly string[]): ParsedCommand<LimitsCommand> {
  if (word === undefined) return run({ kind: 'team' });
  const group = readReference(word);
  if (group?.kind !== 'group') return misunderstood('Type a @team, or nothing for your own.', 'team');
  return rest.length > 0 ? unexpected(rest[0], `team ${word}`) : run({ kind: 'team', groupId: group.slackId });
}

function readShow([id, ...rest]: readonly string[]): ParsedCommand<LimitsCommand> {
  if (id === undefined) return misunderstood('Which request? The list has the ids.', 'list');
  return rest.length > 0 ? unexpected(rest[0], `show ${id}`) : run({ kind: 'show', id: id.toLowerCase() });
}

function readWithdraw([id, ...rest]: readonly string[], word: string): ParsedCommand<LimitsCommand> {
  return rest.length > 0 ? unexpected(rest[0], `${word} ${id}`) : run({ kind: 'withdraw', id: id?.toLowerCase() });
}

function readSimulate(rest: readonly string[]): ParsedCommand<LimitsCommand> {
  const [, ...words] = rest.map((word) => word.toLowerCase());
  const end = words.findIndex((word) => word === 'per' || SIMULATED_UNITS.some((unit) => unit === word));
  const [amounts, period] = end < 0 ? [words, []] : [words.slice(0, end), words.slice(end)];
  const group = rest[0] === undefined ? undefined : readReference(rest[0]);
  if (group?.kind !== 'group') return misunderstood('Type a @team and an amount to simulate a limit.');
  if (amounts.length === 0) return misunderstood('Type an amount after the team, such as 5m.');
  const { amount: limit, problem } = readAmount(amounts.join(' '));
  if (limit === undefined) return misunderstood(problem);
  const [per, unit = per] = period;
  const simulatedUnit = SIMULATED_UNITS.find((one) => one === unit);
  if (period.length > 2 || (period.length > 0 && !simulatedUnit) || (period.length === 2 && per !== 'per'))
    return misunderstood('A limit is simulated per week, per month or per quarter.');
  return run({ kind: 'simulate', group: group.slackId, limit, unit: simulatedUnit });
}

function readAsk(rest: readonly string[]): ParsedCommand<LimitsCommand> {
  const people: string[] = [];
  const emails: string[] = [];
  const others: string[] = [];
  for (const word of rest) {
    const reference = readReference(word);
    if (reference?.kind === 'person') people.push(reference.slackId);
    else if (reference?.kind === 'email') emails.push(reference.email);
    else others.push(word);
  }
  // An amount can be several words, such as 5 000 000 or 5 million.
  const { amount: credits, removes, problem } = readLimit(others.join(' '));
  if (others.length > 0 && problem !== undefined) {
    const unknown = others.find((word) => !/\d/.test(word));
    return unknown === undefined ? misunderstood(problem) : unexpected(unknown, 'request');
  }
  const amount = removes === true ? NO_OWN_LIMIT : credits;
  const isOwn = people.length === 0 && emails.length === 0 && amount !== undefined;
  return run({ kind: 'ask', words: { people, emails, amount, isOwn } });
}
