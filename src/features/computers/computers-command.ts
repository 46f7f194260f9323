import { type CommandHelp, type ParsedCommand, joinWords } from '../../core/slack/commands/command-text.ts';
import {
  misunderstood,
  readSubcommand,
  run,
  unexpected,
  type WordList,
} from '../../core/slack/commands/subcommands.ts';

export type ComputersRequest =
  | { kind: 'list'; filter: string; offset: number }
  /** `repository` fills the form. */
  | { kind: 'create'; repository: string | undefined }
  | { kind: 'show'; word: string }
  | { kind: 'retry'; word: string };

export const COMPUTERS_HELP: CommandHelp = {
  command: '/computers',
  purpose: 'the computers that sessions run on, and new ones',
  examples: [
    { text: '', meaning: 'all of them, failed ones first' },
    { text: 'filter data', meaning: 'those with a word in their name, host, user, provider or status' },
    { text: 'create', meaning: 'request a new one; a card follows it until it’s ready' },
    { text: 'show data-lab', meaning: 'everything about one, by its name or id' },
    { text: 'retry data-lab', meaning: 'reinstall its dependencies' },
  ],
};

export const COMPUTERS_WORDS: WordList<ComputersRequest> = {
  initial: 'list',
  subcommands: {
    list: (rest) => readList('', rest),
    filter: ([filter = '', ...rest]) => readList(filter, rest),
    create: readCreate,
    show: (rest) => readOne('show', rest),
    retry: (rest) => readOne('retry', rest),
  },
  // A word unlike any subcommand is most likely a name.
  otherwise: (first, rest, nearest) =>
    nearest === undefined ? misunderstood(`Unknown word “${first}”.`, joinWords(['show', first, ...rest])) : undefined,
};

/** Reads the words after `/computers`. The computer is looked up later. Pure. */
export const parseComputers = (words: readonly string[]) => readSubcommand(words, COMPUTERS_WORDS);

function readList(filter: string, [word, ...rest]: readonly string[]): ParsedCommand<ComputersRequest> {
  if (word === undefined) return run({ kind: 'list', filter, offset: 0 });
  const offset = /^from:(\d{1,6})$/.exec(word)?.[1];
  if (offset !== undefined && rest.length === 0) return run({ kind: 'list', filter, offset: Number(offset) });
  return unexpected(word, joinWords(['filter', filter === '' ? word : filter]));
}

function readCreate([address, ...rest]: readonly string[]): ParsedCommand<ComputersRequest> {
  // Slack puts addresses into angle brackets.
  const repository = address?.replace(/^<([^|>]*)(?:\|[^>]*)?>$/, '$1');
  return rest.length === 0
    ? run({ kind: 'create', repository })
    : misunderstood('The form has a field for everything.', 'create');
}

/** A name may contain spaces. */
function readOne(kind: 'show' | 'retry', rest: readonly string[]): ParsedCommand<ComputersRequest> {
  const word = rest.join(' ').trim();
  return word === '' ? misunderstood('Which computer? The list has their names.', 'list') : run({ kind, word });
}
