import { readAmount } from '../../base/text/amounts.ts';
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

export interface NumberReading {
  value: number;
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
  const amount = /^\d/.test(word) ? readAmount(word) : undefined;
  if (amount === undefined) return undefined;
  const multiple = valueOf(MULTIPLES, tokens[at + 1]?.word ?? '');
  if (multiple !== undefined) return { value: amount * multiple, count: 2, isAmount: true, isPercent: false };
  return { value: amount, count: 1, isAmount: !/^\d{1,4}$/.test(word), isPercent: false };
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
