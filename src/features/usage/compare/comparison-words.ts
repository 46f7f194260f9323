import { type ParsedCommand, didYouMean } from '../../../core/slack/commands/command-text.ts';
import { type Day, type Period, dayOf } from '../../../core/base/time/calendar.ts';
import {
  ambiguityOfPeriod,
  PERIOD_WORDS,
  type RequestedPeriod,
  readPeriod,
} from '../../../core/base/time/read-period.ts';
import {
  type RequestedSubject,
  SEPARATORS,
  defaultPeriod,
  isComparison,
  readWord,
  subjectWord,
} from '../usage-command.ts';

/** The two sides of a comparison in the order in which they were typed. */
export interface ComparisonRequest {
  sides: readonly [ComparedSide, ComparedSide];
  isCsv: boolean;
}

export interface ComparedSide {
  period: RequestedPeriod;
  subject: RequestedSubject;
  /** A model of the organization, as typed. */
  model?: string;
}

type Command = ParsedCommand<ComparisonRequest>;

type TypedSide = Partial<ComparedSide>;

const MODEL = /^[a-z0-9][\w.:/-]{1,99}$/i;

/** Reads `october vs november`, `@web vs @mobile last month`, `model-a vs model-b`. A side takes what it lacks from the other. */
export function parseComparison(typed: readonly string[], now: Date): Command {
  const today = dayOf(now);
  const words = typed.filter((word) => !isFileWord(word));
  const at = words.findIndex((word) => SEPARATORS.has(word.toLowerCase()));
  const [left, right] = [words.slice(0, at), words.slice(at + 1)];
  if (isComparison(right)) return misunderstood('Only two things can be compared at a time.');
  const [first, second] = [readSide(left, today), readSide(right, today)];
  if ('sentence' in first) return misunderstood(first.sentence);
  if ('sentence' in second) return misunderstood(second.sentence);
  const sides = [complete(first, second, today), complete(second, first, today)] as const;
  if (keyOf(sides[0]) === keyOf(sides[1]))
    return misunderstood(
      'Both sides are the same. Name two periods, teams, people or models.',
      'this month vs last month',
    );
  return { kind: 'run', request: { sides, isCsv: typed.some(isFileWord) } };
}

const isFileWord = (word: string) => word.toLowerCase() === 'csv';

/** @example wordsOfComparison(sides) // '2026-10-01..2026-10-31 vs 2026-11-01..2026-11-23' */
export const wordsOfComparison = (sides: readonly [ExactSide, ExactSide]): string =>
  sides.map(wordsOfSide).join(' vs ');

type ExactSide = Omit<ComparedSide, 'period'> & { period: Period };

function wordsOfSide({ period: { first, last }, subject, model }: ExactSide): string {
  const days = first === last ? first : `${first}..${last}`;
  return [days, model ?? subjectWord(subject)].filter((word) => word !== '').join(' ');
}

const misunderstood = (sentence: string, corrected?: string): Command => ({
  kind: 'misunderstood',
  sentence,
  ...(corrected === undefined ? {} : { corrected }),
});

function readSide(words: readonly string[], today: Day): TypedSide | { sentence: string } {
  const lower = words.map((word) => word.toLowerCase());
  const side: TypedSide = {};
  for (let index = 0; index < words.length;) {
    const period = readPeriod(lower.slice(index), today);
    const word = words[index] ?? '';
    const ambiguity = period ? undefined : ambiguityOfPeriod(lower.slice(index), today);
    if (ambiguity !== undefined) return { sentence: ambiguity };
    const part = period ? { period: period.requested } : readSubject(word);
    if ('sentence' in part) return part;
    const twice = Object.keys(part).some((name) => name in side);
    if (twice || ('model' in part && 'subject' in side) || ('subject' in part && 'model' in side))
      return { sentence: `Each side has one period, and one team, person or model: “${word}” is one too many.` };
    Object.assign(side, part);
    index += period?.wordCount ?? 1;
  }
  return side;
}

function readSubject(word: string): TypedSide | { sentence: string } {
  const known = readWord(word);
  if (known?.subject) return { subject: known.subject };
  if (known) return { sentence: `A comparison shows credits, so leave out “${word}”.` };
  const meant = didYouMean(word, PERIOD_WORDS);
  if (meant !== undefined) return { sentence: `Unknown word “${word}”. Did you mean “${meant}”?` };
  if (MODEL.test(word)) return { model: word };
  return { sentence: `Unknown word “${word}”. A side is a period, a @team, a person or the name of a model.` };
}

function complete(side: TypedSide, other: TypedSide, today: Day): ComparedSide {
  const period = side.period ?? other.period ?? defaultPeriod(today);
  if (side.subject ?? side.model) return { subject: { kind: 'default' }, ...side, period };
  return { subject: { kind: 'default' }, ...other, period };
}

const keyOf = ({ period: { first, last }, subject, model = '' }: ComparedSide) =>
  JSON.stringify([first, last, subject, model.toLowerCase()]);
