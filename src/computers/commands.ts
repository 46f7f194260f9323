import { joinWords } from '../slack/commands/command-text.ts';
import { didYouMean, type CommandHelp, type ParsedCommand } from '../slack/commands/command-words.ts';

export type ComputersRequest =
  | { kind: 'list'; filter: string; offset: number }
  /** With a repository that the form is filled with. */
  | { kind: 'create'; repository: string | undefined }
  | { kind: 'show'; word: string }
  | { kind: 'retry'; word: string };

export const COMPUTERS_HELP: CommandHelp = {
  command: '/computers',
  purpose: 'the computers on which sessions run, and new ones',
  examples: [
    { text: '', meaning: 'all of them, those with a problem first' },
    { text: 'filter data', meaning: 'those whose name, host, user, provider or status holds a word' },
    { text: 'create', meaning: 'ask for a new one; a card follows it until it is ready' },
    { text: 'show data-lab', meaning: 'everything the platform knows of one, by its name or id' },
    { text: 'retry data-lab', meaning: 'restart the installation of its dependencies' },
  ],
};

const WORDS = ['list', 'filter', 'create', 'show', 'retry', 'help'];

/** Reads the words after `/computers`. Whether there is such a computer is looked up later. Pure. */
export function parseComputers(words: readonly string[]): ParsedCommand<ComputersRequest> {
  const [first = 'list', ...rest] = words;
  switch (first.toLowerCase()) {
    case 'help':
      return { kind: 'help' };
    case 'list':
      return readList('', rest);
    case 'filter':
      return readList(rest[0] ?? '', rest.slice(1));
    case 'create':
      return readCreate(rest);
    case 'show':
    case 'retry':
      return readOne(first.toLowerCase() === 'show' ? 'show' : 'retry', rest);
    default:
      return unknownWord(first, rest);
  }
}

function readList(filter: string, [word, ...rest]: readonly string[]): ParsedCommand<ComputersRequest> {
  if (word === undefined) return { kind: 'run', request: { kind: 'list', filter, offset: 0 } };
  const offset = /^from:(\d{1,6})$/.exec(word)?.[1];
  if (offset !== undefined && rest.length === 0) {
    return { kind: 'run', request: { kind: 'list', filter, offset: Number(offset) } };
  }
  const corrected = joinWords(['filter', filter === '' ? word : filter]);
  return { kind: 'misunderstood', sentence: `I do not understand “${word}”.`, corrected };
}

function readCreate([address, ...rest]: readonly string[]): ParsedCommand<ComputersRequest> {
  // Slack puts what it takes for an address into angle brackets.
  const repository = address?.replace(/^<([^|>]*)(?:\|[^>]*)?>$/, '$1');
  if (rest.length === 0) return { kind: 'run', request: { kind: 'create', repository } };
  return { kind: 'misunderstood', sentence: 'The form asks for everything.', corrected: 'create' };
}

/** A name may hold spaces. */
function readOne(kind: 'show' | 'retry', rest: readonly string[]): ParsedCommand<ComputersRequest> {
  const word = rest.join(' ').trim();
  if (word !== '') return { kind: 'run', request: { kind, word } };
  return { kind: 'misunderstood', sentence: 'Which computer? The list has their names.', corrected: 'list' };
}

function unknownWord(word: string, rest: readonly string[]): ParsedCommand<ComputersRequest> {
  const sentence = `I do not know “${word}”.`;
  const meant = didYouMean(word, WORDS);
  if (meant === 'help') return { kind: 'misunderstood', sentence };
  const corrected = joinWords(meant === undefined ? ['show', word, ...rest] : [meant, ...rest]);
  return { kind: 'misunderstood', sentence, corrected };
}
