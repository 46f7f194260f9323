export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
export const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** What a byte of JSON is outside of texts: of a number or a word, unless it is one of the others. */
const SCALAR = 0;
export const BLANK = 1;
export const SEPARATOR = 2;
export const OPENING = 3;
export const CLOSING = 4;
const TEXT = 5;

/** By the byte. */
export const KINDS = new Uint8Array(256);
for (const byte of [0x20, 0x0a, 0x0d, 0x09]) KINDS[byte] = BLANK;
for (const byte of [COMMA, COLON]) KINDS[byte] = SEPARATOR;
for (const byte of [OPEN_LIST, OPEN_OBJECT]) KINDS[byte] = OPENING;
for (const byte of [CLOSE_LIST, CLOSE_OBJECT]) KINDS[byte] = CLOSING;
KINDS[QUOTE] = TEXT;

/** Finds where a value of JSON ends, over several pieces of bytes. Whether it is valid, `JSON.parse` decides. */
export interface ValueScanner {
  /** Forgets the value before. */
  begin(): void;
  /** @returns the place after the value, or -1 if it goes on in the next piece */
  scan(bytes: Uint8Array, from: number): number;
  /** The texts, numbers, words and brackets of the value so far. */
  tokens(): number;
  /** Whether it is a number or a word outside of all brackets: only a byte after it tells that it has ended. */
  mayBeWhole(): boolean;
}

export function createValueScanner(): ValueScanner {
  let depth = 0;
  let tokens = 0;
  let isInText = false;
  let isEscaped = false;

  return {
    begin: () => {
      depth = 0;
      tokens = 0;
      isInText = false;
      isEscaped = false;
    },
    scan: (bytes, from) => {
      const { length } = bytes;
      // V8 keeps local variables in registers: with those of the closure this loop takes twice the time.
      let level = depth;
      let count = tokens;
      let isText = isInText;
      let at = isEscaped ? from + 1 : from;
      let end = -1;
      while (at < length && end < 0) {
        if (isText) {
          while (at < length && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at += 1;
          if (at >= length) break;
          isText = bytes[at] === BACKSLASH;
          at += isText ? 2 : 1;
          if (!isText && level === 0) end = at;
          continue;
        }
        const kind = KINDS[bytes[at] ?? 0];
        if (kind === SCALAR) {
          while (at < length && KINDS[bytes[at] ?? 0] === SCALAR) at += 1;
          count += 1;
          if (level === 0 && at < length) end = at;
        } else if (kind === TEXT || kind === OPENING) {
          if (kind === TEXT) isText = true;
          else level += 1;
          count += 1;
          at += 1;
        } else if (level === 0) end = at;
        else {
          at += 1;
          if (kind === CLOSING) {
            count += 1;
            level -= 1;
            if (level === 0) end = at;
          }
        }
      }
      depth = level;
      tokens = count;
      isInText = isText;
      isEscaped = at > length;
      return end;
    },
    tokens: () => tokens,
    mayBeWhole: () => depth === 0 && !isInText,
  };
}
