import { dayOf, type Period } from '../../core/base/time/calendar.ts';
import type { CommandHelp, ParsedCommand } from '../../core/slack/commands/command-text.ts';
import { joinPeriods, ofDays } from '../../core/slack/commands/period-words.ts';
import { alone, ofOne, readSubcommand, run, unexpected, type WordList } from '../../core/slack/commands/subcommands.ts';

export type Change = 'pause' | 'resume' | 'remove';

export type DigestRequest =
  | { kind: 'list' }
  | { kind: 'new' }
  | { kind: 'why'; days?: Period }
  /** Without an id: the only existing digest. */
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
    { text: 'delete k7m2', meaning: 'delete it; also remove' },
    { text: 'why', meaning: 'what happened to each digest of the last 14 days, or of a period: why last week' },
  ],
};

export const DIGEST_WORDS: WordList<DigestRequest> = {
  initial: 'list',
  subcommands: {
    list: alone({ kind: 'list' }),
    new: alone({ kind: 'new' }),
    why: ofDays((days) => ({ kind: 'why', ...(days ? { days } : {}) })),
    now: ([id, ...rest]) => (rest.length === 0 ? run({ kind: 'now', id }) : unexpected(rest[0], `now ${id}`)),
    edit: ofOne('digest', 'edit'),
    preview: ofOne('digest', 'preview'),
    pause: ofOne('digest', 'pause'),
    resume: ofOne('digest', 'resume'),
    delete: ofOne('digest', 'remove'),
    remove: ofOne('digest', 'remove'),
  },
};

/** Reads the words after `/digest`. Whether a digest with the given id exists is looked up later. */
export function parseDigest(words: readonly string[], now: Date): ParsedCommand<DigestRequest> {
  const [first = '', ...rest] = words.map((word) => word.toLowerCase());
  const joined = first === 'why' ? joinPeriods(rest, dayOf(now)) : rest;
  return readSubcommand(words.length === 0 ? [] : [first, ...joined], DIGEST_WORDS);
}
