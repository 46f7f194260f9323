import { didYouMean, type CommandHelp, type ParsedCommand } from '../slack/commands/command-words.ts';

/** What somebody wants of one digest. */
export type Change = 'pause' | 'resume' | 'remove';

export type DigestRequest =
  | { kind: 'list' }
  | { kind: 'new' }
  | { kind: 'why' }
  /** Without an id: the only one there is. */
  | { kind: 'now'; id: string | undefined }
  | { kind: Change; id: string };

export const DIGEST_HELP: CommandHelp = {
  command: '/digest',
  purpose: 'who gets which figures, where and when',
  examples: [
    { text: '', meaning: 'every digest: where it goes, when it comes next, how it went last' },
    { text: 'new', meaning: 'set one up: for a channel or for yourself' },
    { text: 'now k7m2', meaning: 'send one now, beside its schedule' },
    { text: 'pause k7m2', meaning: 'stop it for the time being' },
    { text: 'resume k7m2', meaning: 'go on with it, from its next time' },
    { text: 'remove k7m2', meaning: 'end it' },
    { text: 'why', meaning: 'why each one of the last 14 days came, came late or did not come' },
  ],
};

const WORDS = ['list', 'new', 'now', 'pause', 'resume', 'remove', 'why', 'help'];

/** Reads the words after `/digest`. Whether there is a digest of an id is looked up later. */
export function parseDigest(words: readonly string[]): ParsedCommand<DigestRequest> {
  const [first = 'list', second, ...rest] = words.map((word) => word.toLowerCase());
  if (first === 'help') return { kind: 'help' };
  if (!WORDS.includes(first)) return unknownWord(first, second);
  const extra = takesId(first) ? rest[0] : second;
  if (extra !== undefined) {
    const kept = takesId(first) && second !== undefined ? `${first} ${second}` : first;
    return { kind: 'misunderstood', sentence: `I do not understand “${extra}”.`, corrected: kept };
  }
  return readWord(first, second);
}

const takesId = (word: string) => ['now', 'pause', 'resume', 'remove'].includes(word);

function readWord(word: string, id: string | undefined): ParsedCommand<DigestRequest> {
  switch (word) {
    case 'list':
    case 'new':
    case 'why':
      return { kind: 'run', request: { kind: word } };
    case 'now':
      return { kind: 'run', request: { kind: 'now', id } };
    case 'pause':
    case 'resume':
    case 'remove':
      if (id !== undefined) return { kind: 'run', request: { kind: word, id } };
      return { kind: 'misunderstood', sentence: 'Which digest? The list has the ids.', corrected: 'list' };
    default:
      return unknownWord(word, id);
  }
}

function unknownWord(word: string, id: string | undefined): ParsedCommand<DigestRequest> {
  const meant = didYouMean(word, WORDS);
  const corrected = meant && takesId(meant) && id !== undefined ? `${meant} ${id}` : meant;
  const sentence = `I do not know “${word}”.`;
  return corrected === undefined || corrected === 'help'
    ? { kind: 'misunderstood', sentence }
    : { kind: 'misunderstood', sentence, corrected };
}
