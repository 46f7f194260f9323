/**
 * A text without the signs at its end. A regular expression for this takes the square of its length, wherever such a run
 * stands in the text.
 *
 * @param sign one character
 * @example withoutTrailing('https://a.example//', '/') // 'https://a.example'
 */
export function withoutTrailing(text: string, sign: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === sign) end -= 1;
  return text.slice(0, end);
}
