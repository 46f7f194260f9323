import { LRUCache } from 'lru-cache';

/** Answers read two months of days in turn. Longer texts would push each other out before they are used again. */
const LARGEST_SHARE = 1 / 60;

/**
 * Remembers what a pure function returned for the texts of the latest calls, so that a text that fifty answers need is
 * parsed once. All callers share a result and must not change it.
 *
 * @param maxLength the characters of all remembered texts together; the results may take several times as much memory
 * @example const readRow = memoizeByText((text) => rowSchema.parse(JSON.parse(text)), 1_000_000);
 */
export function memoizeByText<Result extends object | string>(
  read: (text: string) => Result,
  maxLength: number,
): (text: string) => Result {
  return memoizeBy((text: string) => text, read, maxLength);
}

/** The same for other inputs; two of which `JSON.stringify` makes the same text have the same result. */
export function memoizeByJson<Input extends object, Result extends object | string>(
  compute: (input: Input) => Result,
  maxLength: number,
): (input: Input) => Result {
  return memoizeBy((input: Input) => JSON.stringify(input), compute, maxLength);
}

function memoizeBy<Input, Result extends object | string>(
  textOf: (input: Input) => string,
  compute: (input: Input) => Result,
  maxLength: number,
): (input: Input) => Result {
  const results = new LRUCache<string, Result>({
    maxSize: maxLength,
    maxEntrySize: Math.floor(maxLength * LARGEST_SHARE),
    sizeCalculation: (_result, text) => Math.max(1, text.length),
  });
  return (input) => {
    const text = textOf(input);
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = compute(input);
    results.set(text, result);
    return result;
  };
}
