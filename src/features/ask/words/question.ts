import { distance } from 'fastest-levenshtein';
import { readEmail } from '../../../core/base/text/email.ts';
import type { Day } from '../../../core/base/time/calendar.ts';
import { CHANGE_VOCABULARY } from './lexicon/change-vocabulary.ts';
import { FILLERS } from './lexicon/fillers.ts';
import { SUBJECT_VOCABULARY } from './lexicon/subject-vocabulary.ts';
import { THING_VOCABULARY } from './lexicon/thing-vocabulary.ts';
import { USAGE_VOCABULARY } from './lexicon/usage-vocabulary.ts';
import { readNumber, type NumberReading } from './numbers.ts';
import { readPeriodWords } from './periods/read-period-words.ts';
import type { PeriodMeaning } from './periods/period-phrases.ts';
import { tokensOf, type Token } from './tokens.ts';

const VOCABULARIES = [CHANGE_VOCABULARY, SUBJECT_VOCABULARY, THING_VOCABULARY, USAGE_VOCABULARY];

/** The tags of each phrase; an empty list for words without a meaning of their own. */
const PHRASES = new Map<string, readonly string[]>();
const plain = (phrase: string) =>
  phrase
    .split(' ')
    .filter((word) => !['the', 'a', 'an'].includes(word))
    .join(' ');
for (const filler of FILLERS) PHRASES.set(plain(filler), []);
for (const vocabulary of VOCABULARIES)
  for (const [tag, phrases] of Object.entries(vocabulary))
    for (const phrase of phrases.split('|').map((one) => plain(one)))
      PHRASES.set(phrase, [...(PHRASES.get(phrase) ?? []), tag]);
const MAX_PHRASE_WORDS = Math.max(...[...PHRASES.keys()].map((phrase) => phrase.split(' ').length));
/** Single words, for typing mistakes. */
const LONG_WORDS = [...new Set([...PHRASES.keys()].flatMap((phrase) => phrase.split(' ')))].filter(
  (word) => word.length >= 5 && /^[a-z]+$/.test(word),
);
const PERIOD_WORDS =
  'january february march april may june july august september october november december yesterday sunday monday tuesday wednesday thursday friday saturday month months week weeks quarter year weekend last past days fortnight'.split(
    ' ',
  );

export interface Names {
  /** User groups by handle in lower case, as words of the commands. */
  groups: ReadonlyMap<string, string>;
  /** People by first and full name in lower case; a name of several people is missing. */
  people: ReadonlyMap<string, string>;
}

const COMPARING = new Set(['vs', 'versus', 'compare', 'comparing', 'against', 'or', 'budget', 'would', 'wouldve']);
/** Words before a period. */
const SPANNING = new Set(['in', 'on', 'for', 'during', 'over', 'within', 'across', 'of', 'from', 'throughout']);

/** Without articles; `2k a week` is `2k per week`. */
function withoutArticles(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token, index) => {
    if (!['the', 'a', 'an'].includes(token.word)) return [token];
    const isRate = token.word === 'a' && ['week', 'month', 'quarter'].includes(tokens[index + 1]?.word ?? '');
    return isRate && index > 0 ? [{ word: 'per', typed: 'per', stem: 'per' }] : [];
  });
}

function perOf(tokens: readonly Token[]): Question['per'] {
  const text = tokens.map(({ word }) => word).join(' ');
  const unit =
    /\b(?:per|each|every) (week|month|quarter)\b/.exec(text)?.[1] ?? /\b(week|month|quarter)ly\b/.exec(text)?.[1];
  return unit === 'week' || unit === 'month' || unit === 'quarter' ? unit : undefined;
}

const FILTERED = new Set(['repo', 'repos', 'repository', 'repositories']);

const isFree = (word = '') => /^[a-z][a-z0-9_-]{1,50}$/.test(word) && !isKnown(word);

/** `docs in the name`, `called docs`, `the payments repos`. */
function filterAt(tokens: readonly Token[], at: number): { word: string; count: number } | undefined {
  const words = tokens.slice(at, at + 5).map(({ word }) => word);
  const text = words.join(' ');
  const named = /^(\S+) in (?:its |their )?names?\b/.exec(text);
  if (named && isFree(named[1])) return { word: named[1] ?? '', count: named[0].split(' ').length };
  const called = /^(?:named|called|matching|containing|with) (\S+)(?: in (?:its |their )?names?)?/.exec(text);
  if (called && isFree(called[1]) && (words[0] !== 'with' || /in (?:its |their )?name/.test(called[0])))
    return { word: called[1] ?? '', count: called[0].split(' ').length };
  if (isFree(words[0]) && FILTERED.has(words[1] ?? '')) return { word: words[0] ?? '', count: 1 };
  return undefined;
}

/** What a message says, before anything is decided. */
export interface Question {
  tags: ReadonlySet<string>;
  periods: readonly PeriodMeaning[];
  /** People and user groups, as words of the commands. */
  subjects: readonly string[];
  groups: readonly string[];
  channels: readonly string[];
  numbers: readonly NumberReading[];
  /** Why a number could not be read; it names both meanings. */
  problem: string | undefined;
  repositories: readonly string[];
  /** `ci-runner-2`, `model-beta`. */
  named: readonly string[];
  /** `sandbox.network`, `mcpPolicy`. */
  settings: readonly string[];
  quietHours: string | undefined;
  /** The unit of a limit: `per week`. */
  per: 'week' | 'month' | 'quarter' | undefined;
  /** Part of a name of repositories or computers. */
  filter: string | undefined;
  /** Words that are in no table, as they were typed. */
  unknown: readonly string[];
  /** How many phrases have no meaning of their own. */
  fillerCount: number;
  wordCount: number;
}

/** Finds the longest known phrase at each place. Pure. */
export function readQuestion(text: string, names: Names, today: Day): Question {
  const typed = tokensOf(text);
  const tokens = withoutArticles(typed);
  const isComparison = tokens.some(({ word }) => COMPARING.has(word));
  const question = {
    tags: new Set<string>(),
    periods: [] as PeriodMeaning[],
    subjects: [] as string[],
    groups: [] as string[],
    channels: [] as string[],
    numbers: [] as NumberReading[],
    problem: undefined as string | undefined,
    repositories: [] as string[],
    named: [] as string[],
    settings: [] as string[],
    quietHours: undefined as string | undefined,
    per: perOf(tokens),
    filter: undefined as string | undefined,
    unknown: [] as string[],
    fillerCount: 0,
    wordCount: tokens.length,
  };
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at];
    if (!token) break;
    const filter = filterAt(tokens, at);
    if (filter) {
      question.filter = filter.word;
      at += filter.count;
      continue;
    }
    if (SPANNING.has(token.word) && readPeriodWords(tokens, at + 1, today, correctPeriodWord)) {
      at += 1;
      continue;
    }
    const phrase = phraseAt(tokens, at);
    const period = readPeriodWords(tokens, at, today, correctPeriodWord);
    if (period && period.count >= (phrase?.count ?? 0)) {
      question.periods.push(period);
      at += period.count;
      continue;
    }
    const reference = referenceAt(tokens, at, names, isComparison);
    if (reference && reference.count >= (phrase?.count ?? 0)) {
      if (reference.kind === 'channel') question.channels.push(reference.word);
      else {
        question.subjects.push(reference.word);
        if (reference.kind === 'group') question.groups.push(reference.word);
      }
      at += reference.count;
      continue;
    }
    if (phrase) {
      if (phrase.tags.length === 0) question.fillerCount += 1;
      for (const tag of phrase.tags) question.tags.add(tag);
      at += phrase.count;
      continue;
    }
    const number = readNumber(tokens, at);
    if (number) {
      question.numbers.push(number);
      question.problem ??= number.problem;
      at += number.count;
      continue;
    }
    if (/^\d{1,2}:\d{2}-\d{1,2}:\d{2}$/.test(token.word)) question.quietHours = token.word;
    else if (/^[\p{L}\p{N}_.-]+\/[\p{L}\p{N}_./-]+$/u.test(token.typed)) question.repositories.push(token.typed);
    else if (/^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/i.test(token.typed)) question.named.push(token.typed.toLowerCase());
    else if (/^[a-z]+(?:[A-Z][a-z]+)+$|^[a-z][a-zA-Z]+(?:\.[a-z][a-zA-Z]+)+$/.test(token.typed))
      question.settings.push(token.typed);
    else question.unknown.push(token.typed);
    at += 1;
  }
  return question;
}

interface PhraseMatch {
  tags: readonly string[];
  count: number;
}

function phraseAt(tokens: readonly Token[], at: number): PhraseMatch | undefined {
  const some = tokens.slice(at, at + MAX_PHRASE_WORDS);
  for (let count = some.length; count > 0; count -= 1) {
    const words = some.slice(0, count);
    const exact = PHRASES.get(words.map(({ word }) => word).join(' '));
    if (exact) return { tags: exact, count };
    const corrected = words.map(({ word, stem }) => (isKnown(word) ? word : isKnown(stem) ? stem : correct(word)));
    const near = PHRASES.get(corrected.join(' '));
    if (near) return { tags: near, count };
  }
  return undefined;
}

const WORDS = new Set([...PHRASES.keys()].flatMap((phrase) => phrase.split(' ')).concat('the', 'a', 'an'));
const isKnown = (word: string) => WORDS.has(word);

/** One letter wrong, missing or too many, or two letters swapped, in a word of at least five. */
function correct(word: string): string {
  if (word.length < 5 || word.length > 16 || !/^[a-z]+$/.test(word)) return word;
  if (readNumber([{ word, typed: word, stem: word }], 0) || PERIOD_WORDS.includes(word)) return word;
  return LONG_WORDS.find((known) => isSlip(word, known)) ?? word;
}

const isSlip = (word: string, known: string) =>
  Math.abs(word.length - known.length) <= 1 &&
  word[0] === known[0] &&
  (distance(word, known) === 1 || isSwap(word, known));

function isSwap(word: string, known: string): boolean {
  if (word.length !== known.length || distance(word, known) !== 2) return false;
  let at = 0;
  while (word[at] === known[at]) at += 1;
  return word[at] === known[at + 1] && word[at + 1] === known[at] && word.slice(at + 2) === known.slice(at + 2);
}

function correctPeriodWord(word: string): string {
  if (word.length < 4 || isKnown(word)) return word;
  return PERIOD_WORDS.find((known) => known.length >= 4 && isSlip(word, known)) ?? word;
}

const GROUP_NOUNS = new Set(['team', 'teams', 'group', 'squad', 'folks', 'crew', 'people', 'guys', 'devs']);

/** A mention, an e-mail, `@web`, “the web team”, “dana”. A handle without a noun is an ordinary word. */
function referenceAt(
  tokens: readonly Token[],
  at: number,
  { groups, people }: Names,
  isComparison: boolean,
): { kind: 'person' | 'group' | 'channel'; word: string; count: number } | undefined {
  const token = tokens[at];
  if (!token) return undefined;
  const mention = /^<(@|#|!subteam\^)([A-Z0-9]+)>$/.exec(token.word);
  if (mention) {
    const kind = mention[1] === '@' ? 'person' : mention[1] === '#' ? 'channel' : 'group';
    return { kind, word: token.word, count: 1 };
  }
  if (token.word.startsWith('#')) return { kind: 'channel', word: token.word, count: 1 };
  if (readEmail(token.stem) !== undefined) return { kind: 'person', word: token.stem, count: 1 };
  const name = token.stem.replace(/^@/, '');
  const isHandle = token.stem.startsWith('@');
  const next = tokens[at + 1]?.stem ?? '';
  const compound = isHandle ? undefined : groups.get(`${name}-${next}`);
  if (compound !== undefined) return { kind: 'group', word: compound, count: 2 };
  const group = groups.get(name);
  if (group !== undefined) {
    if (isHandle) return { kind: 'group', word: group, count: 1 };
    if (GROUP_NOUNS.has(next)) return { kind: 'group', word: group, count: 2 };
    if (isComparison) return { kind: 'group', word: group, count: 1 };
    return undefined;
  }
  // “Will” and “Grant” are names, too.
  if (!isHandle && isKnown(token.word)) return undefined;
  const full = people.get(`${name} ${next}`);
  if (full !== undefined) return { kind: 'person', word: full, count: 2 };
  const danas = isHandle ? undefined : people.get(token.word.replace(/s$/, ''));
  const person = people.get(name) ?? danas;
  if (person !== undefined) return { kind: 'person', word: person, count: 1 };
  return isHandle ? { kind: 'person', word: token.stem, count: 1 } : undefined;
}
