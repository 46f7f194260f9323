import { createSpelling } from '../../../core/base/text/spelling.ts';
import { wordsIn } from '../../../core/base/text/word-list.ts';
import { canBeginPeriod, isPeriodWord } from '../../../core/base/time/period-spelling.ts';
import { VOCABULARY } from './data/vocabulary.ts';
import type { Token } from './tokens.ts';

/** A word that means itself or others, nothing (`''`), or a part of a command (`{csv:csv}`). `~` begins one that may be missing. */
type Meaning = string;
export type Vocabulary = ReturnType<typeof createVocabulary>;

/** `2k a week` is a rate, so that article stays. */
const isArticle = (word: string, next = '') =>
  word === 'the' || word === 'an' || (word === 'a' && !/^(?:day|week|month|quarter)$/.test(next));

export const withoutArticles = <One extends { word: string }>(tokens: readonly One[]): One[] =>
  tokens.filter(({ word }, at) => !isArticle(word, tokens[at + 1]?.word));

/** @example vocabularyLines('much: how much, many') // [['much', ['how much', 'many']]] */
export const vocabularyLines = (text = VOCABULARY): [Meaning, string[]][] =>
  text.split('\n').flatMap((line) => {
    const [, meaning = '', words = ''] = /^(\{\w+:\w+\}|~?\w*): (.+)$/.exec(line) ?? [];
    return words === '' ? [] : [[meaning, words.split(', ')]];
  });

export function createVocabulary() {
  const meanings = new Map<string, Meaning>();
  /** How many words the longest phrase has that begins with a word. */
  const longest = new Map<string, number>();
  const spelling = createSpelling();
  for (const [meaning, phrases] of vocabularyLines())
    for (const phrase of phrases) {
      const words = phrase.replaceAll("'", '').split(' ');
      const plain =
        words.length === 1 ? words : withoutArticles(words.map((word) => ({ word }))).map(({ word }) => word);
      meanings.set(plain.join(' '), meaning);
      longest.set(plain[0] ?? '', Math.max(plain.length, longest.get(plain[0] ?? '') ?? 0));
      for (const word of words) spelling.learn(word);
    }
  for (const word of PERIOD_TYPOS) spelling.learn(word);
  return {
    /** The longest phrase at a place. */
    at: (tokens: readonly Token[], at: number): { meaning: Meaning; count: number } | undefined => {
      const { word = '', stem = '' } = tokens[at] ?? {};
      for (let count = Math.min(longest.get(word) ?? 1, tokens.length - at); count > 0; count -= 1) {
        const words = tokens.slice(at, at + count).map((token) => token.word);
        const meaning = meanings.get(words.join(' '));
        if (meaning !== undefined) return { meaning, count };
      }
      const known = [stem, singularOf(word)].find((one) => meanings.has(one));
      return known === undefined ? undefined : { meaning: meanings.get(known) ?? '', count: 1 };
    },
    has: (word: string): boolean => meanings.has(word),
    /** Learns the words of the example phrases, which mean themselves. */
    learn: (words: readonly string[]): void => {
      for (const word of words) {
        spelling.learn(word);
        if (!meanings.has(word) && !isPeriodWord(word)) meanings.set(word, singularOf(word));
      }
    },
    /** @param isName names are never corrected */
    correct: (token: Token, isName: (word: string) => boolean): Token => {
      const { word, stem } = token;
      if (
        meanings.has(stem) ||
        isPeriodWord(singularOf(word)) ||
        [word, stem].some(isName) ||
        canBeginPeriod(word) ||
        isPeriodWord(word)
      )
        return token;
      const corrected = spelling.correct(word);
      // “on Mondays” is not one Monday.
      return corrected === undefined || corrected === singularOf(word)
        ? token
        : { word: corrected, typed: corrected, stem: corrected };
    },
  };
}

const singularOf = (word: string) => word.replace(/(?<=[a-z]{3})s$/, '');

/** The other words of periods have too few letters. */
const PERIOD_TYPOS = wordsIn(
  'january february march april august september october november december yesterday tomorrow christmas fortnight',
  'sunday monday tuesday wednesday thursday friday saturday month months week weeks quarter weekend last year days this past',
);
