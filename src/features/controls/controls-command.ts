import {
  type CommandHelp,
  type ParsedCommand,
  didYouMean,
  joinWords,
  readReference,
} from '../../core/slack/commands/command-text.ts';
import { daysOfWord, joinPeriod, joinPeriods } from '../../core/slack/commands/period-words.ts';
import { dayOf, type Period } from '../../core/base/time/calendar.ts';
import { STRENGTHS, type Strength } from './core/watches.ts';
import {
  alone,
  misunderstood,
  readSubcommand,
  run,
  unexpected,
  type WordList,
} from '../../core/slack/commands/subcommands.ts';

export type By = { slackId: string } | { email: string };

export type ControlsRequest =
  | { kind: 'latest' }
  | { kind: 'history'; most: number; by: By | undefined; member: string | undefined; days?: Period | undefined }
  | { kind: 'show'; revision: number }
  | { kind: 'diff'; a: number; b: number }
  /** Without a channel: the channel in which the command was typed. */
  | { kind: 'watch'; channel: string | undefined; names: string[]; only: Strength | undefined }
  | { kind: 'unwatch'; channel: string | undefined };

export const CONTROLS_HELP: CommandHelp = {
  command: '/controls',
  purpose: 'what changed in the enterprise controls, and who changed it',
  examples: [
    { text: '', meaning: 'the latest revision and what it changed' },
    { text: 'history', meaning: 'the last five revisions; history 10 shows ten of them' },
    { text: 'last week', meaning: 'the revisions of a period; also yesterday, 28d, october, since oct 1' },
    { text: 'history by @person', meaning: 'revisions by one person' },
    { text: 'history setting sandbox.network', meaning: 'revisions that changed a setting, or anything below it' },
    { text: 'show 12', meaning: 'the settings at revision 12, without secrets' },
    { text: 'diff 9 12', meaning: 'everything that changed from revision 9 to 12' },
    { text: 'watch #channel', meaning: 'post every new revision in a channel (admins)' },
    { text: 'watch #channel weaker', meaning: 'post only what weakens security; or stronger (admins)' },
    { text: 'watch #channel only modelPolicy,mcpPolicy', meaning: 'post only changes to these settings (admins)' },
    { text: 'unwatch #channel', meaning: 'stop posting there (admins)' },
  ],
};

const MAX_ROWS = 10;
/** More would not fit on the screen of a phone. */
const USUAL_ROWS = 5;

type Command = ParsedCommand<ControlsRequest>;

export const CONTROLS_WORDS: WordList<ControlsRequest> = {
  initial: 'latest',
  subcommands: {
    latest: alone({ kind: 'latest' }),
    history: readHistoryWords,
    show: readShow,
    diff: readDiff,
    watch: readWatch,
    unwatch: readUnwatch,
  },
  otherwise: (first, rest) => {
    const revision = revisionOf(first);
    if (revision === undefined || rest.length > 0) return undefined;
    return misunderstood('What of that revision?', `show ${revision}`);
  },
};

/** Revisions and members are looked up later. `last week` means the same as `history last week`. */
export function parseControls(words: readonly string[], now: Date): Command {
  const [first = '', ...rest] = words;
  const today = dayOf(now);
  if (first.toLowerCase() === 'history')
    return readSubcommand([first, ...joinPeriods(rest, today, isNoPeriod)], CONTROLS_WORDS);
  const isPeriod = revisionOf(first) === undefined && joinPeriod(words, today) !== words;
  return readSubcommand(isPeriod ? ['history', ...joinPeriods(words, today, isNoPeriod)] : words, CONTROLS_WORDS);
}

const NAMING_WORDS = new Set(['by', 'setting', 'member']);

/** Leaves numbers alone, which count revisions, and the word after `setting`, which may be called `october`. */
const isNoPeriod = (word: string, before = '') =>
  revisionOf(word) !== undefined || NAMING_WORDS.has(before.toLowerCase());

function revisionOf(word: string | undefined): number | undefined {
  return word !== undefined && /^#?\d{1,15}$/.test(word) ? Number(word.replace('#', '')) : undefined;
}

function readShow([word, extra]: readonly string[]): Command {
  const revision = revisionOf(word);
  if (revision === undefined) return misunderstood('Which revision? The history shows their numbers.', 'history');
  return extra === undefined ? run({ kind: 'show', revision }) : unexpected(extra, `show ${revision}`);
}

function readDiff([one, other, extra]: readonly string[]): Command {
  const [a, b] = [revisionOf(one), revisionOf(other)];
  if (a === undefined || b === undefined) {
    const sentence = 'Which two revisions? For example: diff 9 12.';
    // Revision 1 has none before it.
    return misunderstood(sentence, a === undefined || a < 2 ? 'history' : `diff ${a - 1} ${a}`);
  }
  return extra === undefined ? run({ kind: 'diff', a, b }) : unexpected(extra, `diff ${a} ${b}`);
}

function readHistoryWords(words: readonly string[]): Command {
  const remainingWords = [...words];
  const request: Extract<ControlsRequest, { kind: 'history' }> = {
    kind: 'history',
    most: USUAL_ROWS,
    by: undefined,
    member: undefined,
  };
  while (remainingWords.length > 0) {
    const word = remainingWords.shift() ?? '';
    const count = revisionOf(word);
    if (count !== undefined) request.most = Math.min(MAX_ROWS, Math.max(1, count));
    else if (word.toLowerCase() === 'by') {
      const by = readBy(remainingWords.shift());
      if (!by) return misunderstood('Whose revisions? Type @person or an e-mail.', 'history');
      request.by = by;
    } else if (['setting', 'member'].includes(word.toLowerCase())) {
      const member = remainingWords.shift();
      if (member === undefined)
        return misunderstood('Which setting? For example: history setting sandbox.network.', 'history');
      request.member = member;
    } else if (daysOfWord(word)) {
      if (request.days) return misunderstood('Only one period can be shown at a time.');
      request.days = daysOfWord(word);
    } else if (readBy(word)) request.by = readBy(word);
    else return unknownHistoryWord(word);
  }
  return run(request);
}

/** A single word is most likely a setting. */
function unknownHistoryWord(word: string): Command {
  const suggestion = didYouMean(word, ['by', 'setting', 'member']);
  return unexpected(word, suggestion === undefined ? joinWords(['history', 'setting', word]) : 'history');
}

function readBy(word: string | undefined): By | undefined {
  const reference = word === undefined ? undefined : readReference(word);
  if (reference?.kind === 'person') return { slackId: reference.slackId };
  return reference?.kind === 'email' ? { email: reference.email } : undefined;
}

const WATCH_WORDS: readonly string[] = ['only', ...STRENGTHS];

/** `only` takes names that are separated by commas, spaces or both. */
function readWatch(words: readonly string[]): Command {
  const remainingWords = [...words];
  const isChannel = remainingWords[0] !== undefined && !WATCH_WORDS.includes(remainingWords[0].toLowerCase());
  const channel = isChannel ? remainingWords.shift() : undefined;
  const place = channel === undefined ? undefined : channelOf(channel);
  if (channel !== undefined && place === undefined) return notAChannel(channel, 'watch');
  const strength = STRENGTHS.find((one) => one === remainingWords[0]?.toLowerCase());
  if (strength) remainingWords.shift();
  const word = remainingWords.shift();
  if (word === undefined) return run({ kind: 'watch', channel: place, names: [], only: strength });
  if (word.toLowerCase() !== 'only') {
    // The channel is kept in the suggestion: without it, another channel would be watched.
    const suggestion = STRENGTHS.find((one) => one === didYouMean(word, WATCH_WORDS)) ?? '';
    return unexpected(word, joinWords(['watch', channel ?? '', suggestion].filter((one) => one !== '')));
  }
  const names = remainingWords.flatMap((word) => word.split(',')).filter((name) => name !== '');
  if (names.length === 0) return misunderstood('Only which settings? For example: only modelPolicy,mcpPolicy.');
  return run({ kind: 'watch', channel: place, names: [...new Set(names)], only: strength });
}

function readUnwatch([channel, extra]: readonly string[]): Command {
  const place = channel === undefined ? undefined : channelOf(channel);
  if (channel !== undefined && place === undefined) return notAChannel(channel, 'unwatch');
  return extra === undefined
    ? run({ kind: 'unwatch', channel: place })
    : unexpected(extra, joinWords(['unwatch', channel ?? '']));
}

function channelOf(word: string): string | undefined {
  const reference = readReference(word);
  if (reference?.kind === 'channel') return reference.slackId;
  return /^(#[\p{L}\p{N}_-]{1,80}|[CG][A-Z0-9]{2,})$/u.test(word) ? word : undefined;
}

function notAChannel(word: string, verb: string): Command {
  return misunderstood(`“${word}” is not a channel. Name one with #, or none for this one.`, verb);
}
