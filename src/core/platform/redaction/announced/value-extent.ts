/** Where a word ends: at a space that is neither escaped nor quoted, or at the end of the quote around it. */
export function endOfWord(text: string, start: number, enclosing: string | undefined): number {
  for (let at = start; at < text.length; at += 1) {
    if (/\s/.test(text.charAt(at)) && text.charAt(at - 1) !== '\\') return at;
    if (enclosing !== undefined && at > start && text.startsWith(enclosing, at)) return at;
    // `name:'a b'`, but not an apostrophe.
    if (
      /["']/.test(text.charAt(at)) &&
      at > start &&
      /(?:[:=%]|(?:^|\s)-\w)$/.test(text.slice(Math.max(0, at - 3), at))
    ) {
      const close = text.indexOf(text.charAt(at), at + 1);
      if (close > 0) at = close;
    }
  }
  return text.length;
}

/** The position after the closing quote, or the end of the text. */
export function endOfQuote(text: string, start: number, quote: string): number {
  let at = text.indexOf(quote, start);
  while (at > 0 && quote.length === 1 && text.charAt(at - 1) === '\\') at = text.indexOf(quote, at + 1);
  return at < 0 ? text.length : at + quote.length;
}

/** Where the line, or the quote around it, ends. */
export function endOfRest(text: string, start: number, enclosing: string | undefined): number {
  const close = enclosing === undefined ? text.length : endOfQuote(text, start, enclosing);
  const isClosed = enclosing !== undefined && text.slice(0, close).endsWith(enclosing) && close > start;
  const end = isClosed ? close - enclosing.length : close;
  const line = enclosing === undefined ? text.indexOf('\n', start) : -1;
  return line < 0 ? end : Math.min(line, end);
}
