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
  | { kind: 'edit'; id: string }
  | { kind: 'preview'; id: string }
  | { kind: Change; id: string };

export const DIGEST_HELP: CommandHelp = {
  command: '/digest',
  purpose: 'regular figures for a channel or for yourself',
  examples: [
    { text: '', meaning: 'all digests: where each goes, when it comes next, how the last one went' },
    { text: 'new', meaning: 'set one up for a channel or for yourself' },
    { text: 'edit k7m2', meaning: 'change its time, days, sections or people' },
    { text: 'preview k7m2', meaning: 'see how it would look now; only you see it' },
    { text: 'now k7m2', meaning: 'send one now (the schedule stays)' },
    { text: 'pause k7m2', meaning: 'pause it' },
    { text: 'resume k7m2', meaning: 'resume it' },
    { text: 'remove k7m2', meaning: 'remove it' },
    { text: 'why', meaning: 'what happened to each digest of the last 14 days' },
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
        edit: readOne('edit'),
        preview: readOne('preview'),
        pause: readOne('pause'),
        resume: readOne('resume'),
        remove: readOne('remove'),
      },
    },
  );
}

const readOne =
  (kind: Change | 'edit' | 'preview'): ReadSubcommand<DigestRequest> =>
  ([id, ...rest]) => {
    if (id === undefined) return misunderstood('Which digest? The list shows their ids.', 'list');
    return rest.length === 0 ? run({ kind, id }) : unexpected(rest[0], `${kind} ${id}`);
  };
