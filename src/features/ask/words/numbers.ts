import { AMOUNT_RULE, readAmount } from '../../../core/base/text/amounts.ts';
import type { Token } from './tokens.ts';

const SMALL: Readonly<Record<string, number>> = Object.fromEntries(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, index) => [word, index]),
);
const TENS: Readonly<Record<string, number>> = Object.fromEntries(
  'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, index) => [word, (index + 2) * 10]),
);
const MULTIPLES: Readonly<Record<string, number>> = {
  hundred: 100,
  hundered: 100,
  hundert: 100,
  thousand: 1_000,
  thousands: 1_000,
  k: 1_000,
  grand: 1_000,
  m: 1_000_000,
  million: 1_000_000,
  millions: 1_000_000,
  mio: 1_000_000,
  mil: 1_000_000,
  billion: 1_000_000_000,
};

const LETTERS = [
  [1_000, 'k'],
  [1_000_000, 'm'],
  [1_000_000_000, 'b'],
] as const;

export interface NumberReading {
  /** 0 for a number that could mean two. */
  value: number;
  /** Names both meanings of a number that could mean two. */
  problem?: string;
  count: number;
  /** Whether it was written with letters, a comma or a multiple: `5m`, `two hundred thousand`. */
  isAmount: boolean;
  isPercent: boolean;
}

const valueOf = (table: Readonly<Record<string, number>>, word: string) =>
  Object.hasOwn(table, word) ? table[word] : undefined;

/** Reads `12`, `twelve`, `5m`, `4 million`, `10,000`, `two hundred thousand`, `80%` or `eighty percent`. */
export function readNumber(tokens: readonly Token[], at: number): NumberReading | undefined {
  const digits = readDigits(tokens, at);
  const reading = digits ?? readNumberWords(tokens, at);
  if (!reading) return undefined;
  const next = tokens[at + reading.count]?.word ?? '';
  if (['percent', 'pct', '%'].includes(next)) return { ...reading, count: reading.count + 1, isPercent: true };
  return reading;
}

function readDigits(tokens: readonly Token[], at: number): NumberReading | undefined {
  const word = tokens[at]?.word ?? '';
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(word)?.[1];
  if (percent !== undefined) return { value: Number(percent), count: 1, isAmount: false, isPercent: true };
  if (!/^\d/.test(word)) return undefined;
  const groupCount = /^[1-9]\d{0,2}$/.test(word) ? groupsAfter(tokens, at) : 0;
  const digits = tokens
    .slice(at, at + 1 + groupCount)
    .map(({ typed }) => typed)
    .join(' ');
  const multiple = valueOf(MULTIPLES, tokens[at + 1 + groupCount]?.word ?? '');
  const letter = LETTERS.find(([factor]) => factor === multiple)?.[1] ?? '';
  const { amount, problem } = readAmount(digits + letter);
  const count = 1 + groupCount + (multiple === undefined ? 0 : 1);
  if (problem !== undefined)
    return problem === AMOUNT_RULE ? undefined : { value: 0, problem, count, isAmount: true, isPercent: false };
  const value = letter === '' ? amount * (multiple ?? 1) : amount;
  return { value, count, isAmount: count > 1 || !/^\d{1,4}$/.test(word), isPercent: false };
}

/** How many words of three digits follow, as in `5 000 000`. A letter may end the last one. */
function groupsAfter(tokens: readonly Token[], at: number): number {
  const rest = tokens.slice(at + 1, at + 5).map(({ word }) => word);
  const end = rest.findIndex((word) => !/^\d{3}$/.test(word));
  const count = end < 0 ? rest.length : end;
  return count + (count === end && /^\d{3}[kmb]$/.test(rest[count] ?? '') ? 1 : 0);
}

function readNumberWords(tokens: readonly Token[], at: number): NumberReading | undefined {
  let total = 0;
  let part: number | undefined;
  let count = 0;
  for (let index = at; index < Math.min(tokens.length, at + 8); index += 1) {
    const words = (tokens[index]?.word ?? '').split('-');
    const values = words.map((word) => valueOf(SMALL, word) ?? valueOf(TENS, word));
    const multiple = words.length === 1 ? valueOf(MULTIPLES, words[0] ?? '') : undefined;
    if (values.every((value) => value !== undefined)) {
      const added = values.reduce((sum, value) => sum + value, 0);
      // “three four” is no number.
      if (part !== undefined && !(part % 100 >= 20 && added < 10) && part % 100 !== 0) break;
      part = (part ?? 0) + added;
    } else if (multiple !== undefined && part !== undefined) {
      if (multiple === 100) part *= 100;
      else {
        total += part * multiple;
        part = undefined;
      }
    } else break;
    count = index - at + 1;
  }
  if (count === 0) return undefined;
  return { value: total + (part ?? 0), count, isAmount: total > 0, isPercent: false };
}
