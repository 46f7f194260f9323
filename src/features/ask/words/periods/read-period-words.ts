import type { Day } from '../../../../core/base/time/calendar.ts';
import type { Token } from '../tokens.ts';
import { periodWord } from './date-words.ts';
import { PERIOD_PHRASES, type PeriodMeaning } from './period-phrases.ts';

/** The longest phrase: `from wednesday 2nd of september 2026 to wednesday 2nd of september 2026`. */
const MAX_WORDS = 14;

export type PeriodReading = PeriodMeaning & { count: number };

/** Reads the longest period that begins at a word; undefined if there is none. */
export function readPeriodWords(
  tokens: readonly Token[],
  at: number,
  today: Day,
  meant: (word: string) => string,
): PeriodReading | undefined {
  const words = tokens.slice(at, at + MAX_WORDS).map((_, index) => periodWord(tokens, at + index, meant));
  if (isVerb(tokens, at)) return undefined;
  const text = words.join(' ');
  let longest: PeriodReading | undefined;
  for (const { pattern, read } of PERIOD_PHRASES) {
    const match = pattern.exec(text);
    if (!match) continue;
    const count = match[0].split(' ').length;
    if (longest && count <= longest.count) continue;
    const meaning = read(match.slice(1), today);
    if (meaning) longest = { ...meaning, count };
  }
  return longest;
}

/** “may I see” names no month. */
const isVerb = (tokens: readonly Token[], at: number) =>
  (tokens[at]?.word === 'may' && /^(?:i|we|you|it|be|not|the|have)$/.test(tokens[at + 1]?.word ?? '')) ||
  (tokens[at]?.word === 'sun' && tokens[at + 1]?.word === 'is');
