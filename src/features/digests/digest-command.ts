import { dayOf, plusDays, type Day, type Period } from '../../core/base/time/calendar.ts';
import type { CommandHelp, ParsedCommand } from '../../core/slack/commands/command-text.ts';
import { joinPeriods, ofDays, readDayAhead } from '../../core/slack/commands/period-words.ts';
import { readDigestWords, type DigestWords, type SectionName } from './new-words.ts';
import { readPeriod } from '../../core/base/time/read-period.ts';
import {
  alone,
  misunderstood,
  ofOne,
  readSubcommand,
  run,
  unexpected,
  type ReadSubcommand,
  type WordList,
} from '../../core/slack/commands/subcommands.ts';

export type Change = 'pause' | 'resume' | 'remove';

export type DigestRequest =
  | { kind: 'list' }
  | { kind: 'new'; words: DigestWords }
  | { kind: 'why'; days?: Period }
  /** Without an id: the only existing digest. */
  | { kind: 'now'; id: string | undefined }
  | { kind: 'edit'; id: string }
  | { kind: 'preview'; id: string }
  /** `until`: the local day from which it comes again. */
  | { kind: 'pause'; id: string; until?: Day }
  | { kind: Exclude<Change, 'pause'>; id: string }
  /** Without an id: one's own only digest, or which one. */
  | { kind: 'which'; change: Change; until?: Day };

export const DIGEST_HELP: CommandHelp = {
  command: '/digest',
  purpose: 'regular figures for a channel or for yourself',
  examples: [
    { text: '', meaning: 'all digests: where each goes, when it comes next, how the last one went' },
    { text: 'new', meaning: 'set one up for a channel or for yourself; filled in: new weekly @team usage #channel' },
    { text: 'edit k7m2', meaning: 'change its time, days, sections or people' },
    { text: 'preview k7m2', meaning: 'see how it would look now; only you see it' },
    { text: 'now k7m2', meaning: 'send one now (the schedule stays)' },
    { text: 'pause k7m2', meaning: 'pause it; over holidays: pause k7m2 until jan 7, or pause k7m2 for 2w' },
    { text: 'resume k7m2', meaning: 'resume it' },
    { text: 'delete k7m2', meaning: 'delete it; also remove' },
    { text: 'why', meaning: 'what happened to each digest of the last 14 days, or of a period: why last week' },
  ],
};

/** @param sections those that a digest can have */
export const digestWords = (sections: readonly SectionName[], today: Day): WordList<DigestRequest> => ({
  initial: 'list',
  subcommands: {
    list: alone({ kind: 'list' }),
    new: readDigestWords(sections),
    why: ofDays((days) => ({ kind: 'why', ...(days ? { days } : {}) })),
    now: ([id, ...rest]) => (rest.length === 0 ? run({ kind: 'now', id }) : unexpected(rest[0], `now ${id}`)),
    edit: ofOne('digest', 'edit'),
    preview: ofOne('digest', 'preview'),
    pause: readPause(today),
    resume: ofOneOrOwn('resume'),
    delete: ofOneOrOwn('remove'),
    remove: ofOneOrOwn('remove'),
  },
});

/** `remove k7m2`, or `remove` for one’s own. */
const ofOneOrOwn =
  (kind: Change): ReadSubcommand<DigestRequest> =>
  (rest, word) =>
    rest.length === 0 ? run({ kind: 'which', change: kind }) : ofOne('digest', kind)(rest, word);

const MAX_PAUSE_DAYS = 366;

/** `pause k7m2`, `pause k7m2 until jan 7`, `pause k7m2 for 2w`; without an id, one’s own. */
const readPause =
  (today: Day): ReadSubcommand<DigestRequest> =>
  (words, word) => {
    const id = words[0] === 'until' || words[0] === 'for' ? undefined : words[0];
    const [how, ...when] = words.slice(id === undefined ? 0 : 1);
    if (how === undefined) return ofOneOrOwn('pause')(words, word);
    const until = how === 'until' ? readDayAhead(when, today) : how === 'for' ? readDaysFrom(when, today) : undefined;
    if (until === undefined)
      return misunderstood(
        'Type the day on which it comes again, such as pause k7m2 until jan 7, or pause k7m2 for 2w.',
      );
    if (until <= today || until > plusDays(today, MAX_PAUSE_DAYS))
      return misunderstood('Choose a day within a year from now.');
    return run(id === undefined ? { kind: 'which', change: 'pause', until } : { kind: 'pause', id, until });
  };

function readDaysFrom(words: readonly string[], today: Day): Day | undefined {
  const read = readPeriod(words, today);
  const days = read?.wordCount === words.length ? read.requested.lastDays : undefined;
  return days === undefined ? undefined : plusDays(today, days);
}

/** Reads the words after `/digest`. Whether a digest with the given id exists is looked up later. */
export function parseDigest(
  words: readonly string[],
  now: Date,
  sections: readonly SectionName[] = [],
): ParsedCommand<DigestRequest> {
  const [first = '', ...rest] = words;
  const subcommand = first.toLowerCase();
  // The words of `new` may hold ids of Slack, which are in capitals.
  if (subcommand === 'new') return readSubcommand([subcommand, ...rest], digestWords(sections, dayOf(now)));
  const lower = rest.map((word) => word.toLowerCase());
  const joined = subcommand === 'why' ? joinPeriods(lower, dayOf(now)) : lower;
  return readSubcommand(words.length === 0 ? [] : [subcommand, ...joined], digestWords(sections, dayOf(now)));
}
