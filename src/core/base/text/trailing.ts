/**
 * Removes a sign of one character. A regular expression would take time that grows with the square of the length of any
 * run of this sign.
 *
 * @example withoutTrailing('https://a.example//', '/') // 'https://a.example'
 */
export function withoutTrailing(text: string, sign: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === sign) end -= 1;
  return text.slice(0, end);
}
