import type { CommandHelp, ParsedCommand } from '../slack/commands/command-words.ts';
import {
  alone,
  misunderstood,
  readSubcommand,
  run,
  unexpected,
  type ReadSubcommand,
} from '../slack/commands/subcommands.ts';

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

/** Reads the words after `/digest`. Whether there is a digest of an id is looked up later. */
export function parseDigest(words: readonly string[]): ParsedCommand<DigestRequest> {
  return readSubcommand<DigestRequest>(
    words.map((word) => word.toLowerCase()),
    {
      initial: 'list',
      subcommands: {
        list: alone({ kind: 'list' }),
        new: alone({ kind: 'new' }),
        why: alone({ kind: 'why' }),
        now: ([id, ...rest]) => (rest.length === 0 ? run({ kind: 'now', id }) : unexpected(rest[0], `now ${id}`)),
        pause: readChange('pause'),
        resume: readChange('resume'),
        remove: readChange('remove'),
      },
    },
  );
}

const readChange =
  (kind: Change): ReadSubcommand<DigestRequest> =>
  ([id, ...rest]) => {
    if (id === undefined) return misunderstood('Which digest? The list has the ids.', 'list');
    return rest.length === 0 ? run({ kind, id }) : unexpected(rest[0], `${kind} ${id}`);
  };
