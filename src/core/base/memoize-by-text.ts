import { hash } from 'node:crypto';
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
  const results = new LRUCache<string, Result>({
    maxSize: maxLength,
    maxEntrySize: Math.floor(maxLength * LARGEST_SHARE),
    sizeCalculation: (_result, text) => Math.max(1, text.length),
  });
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = read(text);
    results.set(text, result);
    return result;
  };
}

/**
 * The same for an input of which `JSON.stringify` makes a text. Of that, only a digest is kept.
 *
 * @param maxResults to remember
 */
export function memoizeByJson<Input extends object, Result extends object>(
  compute: (input: Input) => Result,
  maxResults: number,
): (input: Input) => Result {
  const results = new LRUCache<string, Result>({ max: maxResults });
  return (input) => {
    const digest = hash('blake2b512', JSON.stringify(input), 'base64url');
    const known = results.get(digest);
    if (known !== undefined) return known;
    const result = compute(input);
    results.set(digest, result);
    return result;
  };
}
