import { AMOUNT_RULE, readAmount } from '../../../core/base/text/amounts.ts';
import type { Day } from '../../../core/base/time/calendar.ts';
import { readPeriodWords } from '../../../core/base/time/read-period.ts';
import { referenceIn, type Directory } from '../subject-words.ts';
import type { Token } from './tokens.ts';
import { withoutArticles, type Vocabulary } from './vocabulary.ts';

/** A part of a message that becomes a part of a command. */
export interface Slot {
  /** `period`, `day`, `person`, `group`, `number`, … as in the places of the command lines. */
  kind: string;
  /** As the commands write it. */
  word: string;
  /** All meanings of `02/01`. */
  meanings?: readonly string[];
  /** No day of the period is over, or a month of the year before was hardly meant. */
  isAhead?: boolean;
}

export type MessageParts = ReturnType<typeof readParts>;

type Part = { count: number } & ({ slot: Slot; problem?: string | undefined } | { meaning: string });

interface Reader {
  tokens: readonly Token[];
  directory: Directory;
  vocabulary: Vocabulary;
  today: Day;
  /** “web or mobile” are two teams there, and ordinary words elsewhere. */
  isComparison: boolean;
}

/** Finds the parts of a message from left to right, the longest at each place. Pure. */
export function readParts(typed: readonly Token[], from: Pick<Reader, 'directory' | 'vocabulary' | 'today'>) {
  const { directory, vocabulary } = from;
  const isName = (word: string) => directory.team(word) !== undefined || directory.people(word).length > 0;
  const tokens = withoutArticles(typed).map((token) => vocabulary.correct(token, isName));
  const isComparison = tokens.some((_, at) => COMPARING.has(vocabulary.at(tokens, at)?.meaning ?? ''));
  const slots: Slot[] = [];
  /** The meanings of the words, and the words without a meaning, as they were typed. */
  const [terms, unknown]: [string[], string[]] = [[], []];
  /** Why a number could not be read; it names both meanings. */
  let problem: string | undefined;
  for (let at = 0; at < tokens.length;) {
    const part = partAt({ ...from, tokens, isComparison }, at);
    if (!part) unknown.push(tokens[at]?.typed ?? '');
    else if ('slot' in part) {
      problem ??= part.problem;
      // “export it to excel”
      if (!slots.some(({ kind, word }) => word === kind && word === part.slot.word)) slots.push(part.slot);
    } else if (part.meaning !== '') terms.push(part.meaning);
    at += part?.count ?? 1;
  }
  return { terms, slots, unknown, problem };
}

const COMPARING = new Set(['vs', 'or', 'budget', 'than']);

function partAt(reader: Reader, at: number): Part | undefined {
  const { tokens, directory, vocabulary, isComparison } = reader;
  const { word = '' } = tokens[at] ?? {};
  // A placeholder of a phrase.
  if (/^\{\w+\}$/.test(word)) return { count: 1, meaning: word };
  const filter = filterAt(reader, at);
  if (filter) return filter;
  const phrase = phraseAt(reader, at);
  const reference = referenceIn(tokens.slice(at, at + 2), directory, { isComparison, isKnown: vocabulary.has });
  const named = reference && { count: reference.count, slot: reference };
  const longer = [periodAt(reader, at), named].find((one) => one && one.count >= (phrase?.count ?? 0));
  return longer ?? phrase ?? numberAt(tokens, at) ?? shapedAt(reader, at);
}

function phraseAt({ tokens, vocabulary }: Reader, at: number): Part | undefined {
  const phrase = vocabulary.at(tokens, at);
  const [, kind, value] = /^\{(\w+):(\w+)\}$/.exec(phrase?.meaning ?? '') ?? [];
  if (!phrase || kind === undefined || value === undefined) return phrase;
  return { count: phrase.count, slot: { kind, word: value } };
}

function periodAt({ tokens, today }: Reader, at: number): Part | undefined {
  // “we’d” is no Wednesday.
  const words = tokens.slice(at, at + 14).map(({ word, typed }) => (/'(?!s$)/.test(typed) ? typed : word));
  const period = readPeriodWords(words, today);
  if (!period) return undefined;
  const [word = '', ...others] = period.words;
  const meanings = others.length > 0 ? { meanings: period.words } : {};
  const slot = { kind: period.isDay ? 'day' : 'period', word, isAhead: period.isAhead, ...meanings };
  return { count: period.wordCount, slot };
}

const FILTERED = new Set(['repo', 'computer']);
const NAMED =
  /^(?:named|called|matching|containing|with)? ?(\S+) in (?:the |its |their )?names?\b|^(?:named|called|matching|containing|filter) (\S+)/;

/** `docs in the name`, `called docs`, `the payments repos`. */
function filterAt({ tokens, vocabulary, directory }: Reader, at: number): Part | undefined {
  const words = tokens.slice(at, at + 6).map(({ stem }) => stem);
  const [matched = '', inName, called] = NAMED.exec(words.join(' ')) ?? [];
  const isFiltered = FILTERED.has(vocabulary.at(tokens, at + 1)?.meaning ?? '');
  const word = inName ?? called ?? (isFiltered ? words[0] : undefined) ?? '';
  const isFree = /^[a-z][a-z0-9_-]{1,50}$/.test(word) && !vocabulary.has(word) && directory.people(word).length === 0;
  return isFree ? { count: matched.split(' ').length, slot: { kind: 'filter', word } } : undefined;
}

const COUNTS = 'zero one two three four five six seven eight nine ten'.split(' ');

/** Reads `12`, `two`, `5m`, `five million`, `5 000 000`, `80%` or `80 percent`. */
function numberAt(tokens: readonly Token[], at: number): Part | undefined {
  const words = tokens.slice(at, at + 5).map(({ typed }) => typed);
  const [word = '', next = ''] = words;
  const percent = /^(\d+(?:\.\d+)?)%?$/.exec(word)?.[1];
  const isPercentWord = /^(?:percent|pct|%)$/i.test(next);
  if (percent !== undefined && (word.endsWith('%') || isPercentWord))
    return { count: isPercentWord ? 2 : 1, slot: { kind: 'percent', word: percent } };
  const found = words.map((_, index) => words.length - index).find((count) => isAmount(words.slice(0, count)));
  const value = COUNTS.indexOf(word.toLowerCase());
  if (found === undefined) return value > 1 ? { count: 1, slot: { kind: 'number', word: String(value) } } : undefined;
  const { amount, problem } = readAmount(words.slice(0, found).join(' '));
  const kind = found === 1 && /^\d{1,4}$/.test(word) ? 'number' : 'amount';
  return { count: found, problem, slot: { kind, word: String(amount ?? '') } };
}

const isAmount = (words: readonly string[]) => readAmount(words.join(' ')).problem !== AMOUNT_RULE;

const SHAPES: readonly (readonly [string, RegExp])[] = [
  ['hours', /^\d{1,2}:\d{2}-\d{1,2}:\d{2}$/],
  ['time', /^\d{1,2}:\d{2}$/],
  ['hour', /^\d{1,2}(?:am|pm)$/i],
  ['repository', /^[\p{L}\p{N}_.-]+\/[\p{L}\p{N}_./-]+$/u],
  ['name', /^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/i],
  ['setting', /^[a-z]+(?:[A-Z][a-z]+)+$|^[a-z][a-zA-Z]+(?:\.[a-z][a-zA-Z]+)+$/],
  ['id', /^(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{3,12}$/],
];

function shapedAt({ tokens, vocabulary }: Reader, at: number): Part | undefined {
  const { word = '', typed = '' } = tokens[at] ?? {};
  const kind = vocabulary.has(word) ? undefined : SHAPES.find(([, shape]) => shape.test(typed))?.[0];
  if (kind === undefined) return undefined;
  return { count: 1, slot: { kind, word: kind === 'name' || kind === 'id' ? typed.toLowerCase() : typed } };
}
