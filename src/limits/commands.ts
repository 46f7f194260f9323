import { didYouMean, readReference, type CommandHelp, type ParsedCommand } from '../slack/commands/command-words.ts';
import { readAmount } from './core/amounts.ts';

/** What was typed after `request`. */
export interface AskWords {
  people: readonly string[];
  emails: readonly string[];
  amount: number | undefined;
  /** Nobody else was named and an amount was: it is the person’s own. */
  isOwn: boolean;
}

export type LimitsRequest =
  | { kind: 'list' }
  | { kind: 'ask'; words: AskWords }
  | { kind: 'import' }
  | { kind: 'audit' }
  | { kind: 'show'; id: string }
  | { kind: 'person'; slackId: string }
  | { kind: 'email'; email: string };

export const LIMITS_HELP: CommandHelp = {
  command: '/limits',
  purpose: 'ask for credit limits, decide them, and see what was set',
  examples: [
    { text: '', meaning: 'what waits, and the last requests' },
    { text: 'request', meaning: 'ask for a limit by a form; managers also for others' },
    { text: 'request @person 5000', meaning: 'the form, filled in' },
    { text: 'show k7m2x', meaning: 'one request with its whole history' },
    { text: '@person', meaning: 'what this bot set for somebody; also by e-mail' },
    { text: 'import', meaning: 'ask for many at once, from a list (managers)' },
    { text: 'audit csv', meaning: 'every step of every request as a file (admins)' },
  ],
};

const WORDS = ['list', 'request', 'show', 'import', 'audit', 'help'];

/** Reads the words after `/limits`. Whether there is a request of an id is looked up later. */
export function parseLimits(words: readonly string[]): ParsedCommand<LimitsRequest> {
  const [first = 'list', ...rest] = words;
  const word = first.toLowerCase();
  if (word === 'help') return { kind: 'help' };
  const reference = readReference(first);
  if (reference) return rest.length > 0 ? extra(rest[0] ?? '', first) : readPerson(reference);
  switch (word) {
    case 'list':
    case 'import':
      return rest.length > 0 ? extra(rest[0] ?? '', word) : run({ kind: word });
    case 'audit':
      return rest.length > 1 || (rest[0] ?? 'csv').toLowerCase() !== 'csv'
        ? extra(rest.join(' '), 'audit csv')
        : run({ kind: 'audit' });
    case 'show':
      return readShow(rest);
    case 'request':
      return readAsk(rest);
    default:
      return unknownWord(first, rest);
  }
}

const run = (request: LimitsRequest): ParsedCommand<LimitsRequest> => ({ kind: 'run', request });

function extra(word: string, corrected: string): ParsedCommand<LimitsRequest> {
  return { kind: 'misunderstood', sentence: `I do not understand “${word}”.`, corrected };
}

function readPerson(reference: NonNullable<ReturnType<typeof readReference>>): ParsedCommand<LimitsRequest> {
  if (reference.kind === 'person') return run({ kind: 'person', slackId: reference.slackId });
  if (reference.kind === 'email') return run({ kind: 'email', email: reference.email });
  return { kind: 'misunderstood', sentence: 'Limits are set for people: name one, or type an e-mail.' };
}

function readShow([id, ...more]: readonly string[]): ParsedCommand<LimitsRequest> {
  if (id === undefined)
    return { kind: 'misunderstood', sentence: 'Which request? The list has the ids.', corrected: 'list' };
  return more.length > 0 ? extra(more[0] ?? '', `show ${id}`) : run({ kind: 'show', id: id.toLowerCase() });
}

function readAsk(rest: readonly string[]): ParsedCommand<LimitsRequest> {
  const people: string[] = [];
  const emails: string[] = [];
  let amount: number | undefined;
  for (const word of rest) {
    const reference = readReference(word);
    const number = readAmount(word);
    if (reference?.kind === 'person') people.push(reference.slackId);
    else if (reference?.kind === 'email') emails.push(reference.email);
    else if (number !== undefined && amount === undefined) amount = number;
    else return extra(word, 'request');
  }
  const isOwn = people.length === 0 && emails.length === 0 && amount !== undefined;
  return run({ kind: 'ask', words: { people, emails, amount, isOwn } });
}

function unknownWord(word: string, rest: readonly string[]): ParsedCommand<LimitsRequest> {
  const sentence = `I do not know “${word}”.`;
  const meant = didYouMean(word, WORDS);
  if (meant === undefined || meant === 'help') return { kind: 'misunderstood', sentence };
  const keepsRest = meant === 'show' || meant === 'request';
  return { kind: 'misunderstood', sentence, corrected: keepsRest ? [meant, ...rest].join(' ') : meant };
}
