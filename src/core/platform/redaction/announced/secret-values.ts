import { isOptionName } from '../harmless.ts';
import { isWholeMark } from '../marks.ts';
import {
  isShownAfter,
  note,
  startCommand,
  type Atom,
  type Expected,
  type Range,
  type ReadingState,
  type Scan,
} from './reading-state.ts';
import { announcesSecret, isSecretName } from '../secret-names.ts';
import { isHarmlessHeader, isSecretWord, programOf } from './secret-options.ts';
import { readName, readWord } from './read-name.ts';
import { readOptionWord } from './read-option.ts';
import { endOfQuote, endOfRest, endOfWord } from './value-extent.ts';

const ATOM = /‹[^‹›]{1,80}›|\s+|\\?["'`]|[:?+]?=>?|:|[{}[\](),;|&<>]|[^\s"'`={}[\](),;|&<>:\\‹]+|[^]/y;
const SCHEME =
  /^(?:bearer|basic|token|digest|negotiate|ntlm|api-?key|key|jwt|bot|hawk|oauth|splunk|genie?key|snowflake|aws4-hmac-sha256|sso-key|mac|dpop|gnap|vapid|scram-sha-\d{1,3})$/i;
const SIGN = /^(?:[:?+]?=>?|:)$/;
const QUOTE = /^\\?["'`]$/;

/**
 * Finds the values that a name, an option, a header or a known program announces as secret. Values that only look like
 * secrets are found elsewhere.
 *
 * @param reading is changed: the next text of a list continues it
 */
export function findSecretValues(text: string, reading: ReadingState, isStrict: boolean): Range[] {
  const scan: Scan = { text, reading, isStrict, quotes: [], ranges: [] };
  let at = startOfScan(scan);
  while (at < text.length) {
    const atom = atomAt(text, at);
    at = Math.max(read(atom, scan), at + 1);
  }
  return scan.ranges;
}

function atomAt(text: string, start: number): Atom {
  ATOM.lastIndex = start;
  return { text: ATOM.exec(text)?.[0] ?? text.charAt(start), start };
}

/** Continues the value or the command of the item before. */
function startOfScan(scan: Scan): number {
  const { text, reading } = scan;
  if (reading.quote !== '') {
    const end = endOfQuote(text, 0, reading.quote);
    if (end < text.length || text.endsWith(reading.quote)) reading.quote = '';
    scan.ranges.push([0, end]);
    return end;
  }
  if (reading.expected && /^(?:is|was)$/.test(text)) return text.length;
  const isOneWord = !/\s/.test(text);
  if (reading.expected?.kind === 'user') reading.expected = asUser(reading.expected, text);
  // `["password", "=", "…"]`
  const last = reading.words.at(-1) ?? '';
  if (SIGN.test(text) && !reading.expected && announcesSecret(last))
    reading.expected = { kind: 'value', name: last, isRest: false };
  if (
    reading.expected?.kind === 'value' &&
    !isOptionName(text) &&
    text !== '' &&
    !SIGN.test(text) &&
    !isWholeMark(text)
  ) {
    const { name } = reading.expected;
    if (isShownAfter(name, text, scan)) {
      reading.expected = undefined;
      return 0;
    }
    if (!SCHEME.test(text)) reading.expected = undefined;
    const quote = text.charAt(0);
    if (QUOTE.test(quote) && endOfQuote(text, 1, quote) === text.length && !text.endsWith(quote, text.length))
      reading.quote = quote;
    scan.ranges.push([0, text.length]);
    return text.length;
  }
  if (!isOneWord || programOf(text) !== undefined) startCommand(reading);
  return 0;
}

/** @returns the end of what was read */
function read(atom: Atom, scan: Scan): number {
  const { reading } = scan;
  const end = atom.start + atom.text.length;
  if (/^\s/.test(atom.text)) {
    if (atom.text.includes('\n') && !reading.expected) startCommand(reading);
    return end;
  }
  if (reading.expected?.kind === 'user') reading.expected = asUser(reading.expected, scan.text.slice(atom.start));
  if (reading.expected) {
    const read = readExpected(atom, reading.expected, scan);
    if (read !== undefined) return read;
  }
  if (isWholeMark(atom.text)) return end;
  if (QUOTE.test(atom.text)) return readQuote(atom, scan);
  if (/^[;|&]$/.test(atom.text) || (atom.text === '(' && !/\w/.test(scan.text.charAt(atom.start - 1))))
    startCommand(reading);
  const hidden = readElement(atom, scan) ?? readPiped(atom, scan);
  if (hidden !== undefined) return hidden;
  if (!/^[\w$@/.~%+*-]/.test(atom.text)) return end;
  const address = addressAt(atom.start, scan);
  if (address !== undefined) return address;
  if (isSecretWord(reading) && /[\s"'`]|^$/.test(scan.text.charAt(atom.start - 1)) && !isOptionName(atom.text)) {
    reading.expected = { kind: 'value', name: 'password', isRest: scan.quotes.length > 0 };
    note(atom.text, reading);
    const secretEnd = readExpected(atom, reading.expected, scan);
    if (secretEnd !== undefined) return secretEnd;
  }
  return readOptionWord(atom, scan) ?? readName(atom, scan) ?? readWord(atom, scan);
}

/** `<password>…</password>`, and `<<< …` after a secret name */
function readElement({ text: sign, start }: Atom, { text, reading, ranges }: Scan): number | undefined {
  if (sign !== '<') return undefined;
  if (text.startsWith('<<<', start) && reading.words.some((word) => isSecretName(word))) {
    reading.expected = { kind: 'value', name: 'password', isRest: false };
    return start + 3;
  }
  const [tag = '', name = ''] = /^<([\w:.-]{1,60})>/.exec(text.slice(start, start + 70)) ?? [];
  const close = text.indexOf('</', start);
  if (tag === '' || close < 0 || !announcesSecret(name)) return undefined;
  ranges.push([start + tag.length, close]);
  return close;
}

/** `echo … | docker login --password-stdin` */
function readPiped({ text: word, start }: Atom, { text, reading, ranges }: Scan): number | undefined {
  if (!/^(?:echo|printf)$/.test(reading.words.at(-1) ?? '') || !/^[^-\s"'`$]|["']/.test(word)) return undefined;
  const pipe = text.indexOf('|', start);
  const isRead =
    pipe > start && /-stdin\b|--with-token\b|\b(?:sudo|su) -S\b|\bchpasswd\b|\bpasswd\b/.test(text.slice(pipe));
  if (!isRead || /^["']?\$/.test(text.slice(start))) return undefined;
  const end = start + text.slice(start, pipe).trimEnd().length;
  ranges.push([start, end]);
  return end;
}

function readQuote({ text, start }: Atom, scan: Scan): number {
  const end = start + text.length;
  if (scan.quotes.at(-1) === text) scan.quotes.pop();
  // An apostrophe within a word opens nothing.
  else if (!/\w/.test(scan.text.charAt(start - 1))) {
    scan.quotes.push(text);
    // `sh -c "curl …"`
    if (scan.reading.words.at(-1) === '-c') startCommand(scan.reading);
  }
  return end;
}

/** Hides what is expected at an atom; undefined if it has to be read as anything else. */
function readExpected(atom: Atom, expected: Expected, scan: Scan): number | undefined {
  const { reading, text } = scan;
  const { start } = atom;
  const end = start + atom.text.length;
  if (expected.kind === 'header') return readHeader(start, scan);
  if (isWholeMark(atom.text)) {
    reading.expected = undefined;
    return end;
  }
  if (SIGN.test(atom.text)) {
    const isSpaced = /\s/.test(text.charAt(start - 1)) && /\s/.test(text.charAt(end));
    reading.expected = { ...expected, isRest: expected.isRest || isSpaced };
    return end;
  }
  if (/^(?:[,)]|is|was)$/.test(atom.text)) return end;
  const isSpaced = start === 0 || /\s/.test(text.charAt(start - 1));
  // `|` also begins a block of YAML.
  const isBlock = expected.isRest && /^[|>]$/.test(atom.text);
  if (isBlock) {
    scan.ranges.push([start, text.length]);
    reading.expected = undefined;
    return text.length;
  }
  const wordEnd = endOfWord(text, start, scan.quotes.at(-1));
  const word = text.slice(start, wordEnd);
  const value = expected.isRest ? text.slice(start, endOfRest(text, start, scan.quotes.at(-1))) : word;
  // A search for `"Authorization: Bearer"` names no credential.
  if (scan.quotes.length > 0 && expected.isRest && SCHEME.test(value)) {
    reading.expected = undefined;
    return start + value.length;
  }
  const isOperator = isSpaced && /^(?:\|\|?|&&?|;|>>?|<{1,3}|\d?>&?\d?)$/.test(word);
  // `SetEnvironmentVariable("API_KEY", "…")`
  if (QUOTE.test(atom.text) && scan.quotes.at(-1) === atom.text) return readQuote(atom, scan);
  if (isOperator || (isSpaced && isOptionName(word)) || isShownAfter(expected.name, value, scan)) {
    reading.expected = undefined;
    return undefined;
  }
  return hideValue(atom, expected, scan);
}

function hideValue(atom: Atom, { name, isRest }: Expected, scan: Scan): number {
  const { reading, text, quotes } = scan;
  const { start } = atom;
  reading.expected = undefined;
  if (QUOTE.test(atom.text)) {
    const inside = start + atom.text.length;
    const close = endOfQuote(text, inside, atom.text);
    const isOpen = close >= text.length && !text.endsWith(atom.text);
    if (isOpen) reading.quote = atom.text;
    // The shell joins what follows a quote without a space.
    const end = isOpen ? text.length : endOfJoined(text, close, quotes.at(-1));
    scan.ranges.push([
      inside === end ? start : inside,
      Math.max(isOpen || end > close ? end : close - atom.text.length, inside),
    ]);
    return end;
  }
  if (/^[[{]$/.test(atom.text)) {
    const close = endOfRest(text, start, quotes.at(-1));
    scan.ranges.push([start, close]);
    return close;
  }
  const end = isRest ? endOfRest(text, start, quotes.at(-1)) : endOfWord(text, start, quotes.at(-1));
  scan.ranges.push([start, end]);
  if (isRest && end === text.length && quotes.length > 0) reading.quote = quotes.at(-1) ?? '';
  // The credential follows its scheme.
  if (SCHEME.test(text.slice(start, end))) {
    const isLong = /^(?:digest|hawk|oauth|aws4|mac|vapid|scram)/i.test(atom.text);
    reading.expected = { kind: 'value', name, isRest: isRest || isLong };
  }
  return end;
}

/** `"a"b` is one word, `"a",` is not. */
function endOfJoined(text: string, at: number, enclosing: string | undefined): number {
  return /[\s,;:}\])|&]/.test(text.charAt(at)) || at >= text.length || text.charAt(at) === enclosing
    ? at
    : endOfWord(text, at, enclosing);
}

/** `X-Team: …`: the value of a header that isn't known to be harmless. */
function readHeader(start: number, { text, reading, quotes }: Scan): number | undefined {
  reading.expected = undefined;
  const shape = /^(?:\\?["'`])?([A-Za-z][\w-]{0,60})\s{0,3}[:=]/.exec(text.slice(start, start + 80));
  const [, name = ''] = shape ?? [];
  if (/^["'`]?@[\w./-]{1,80}["'`]?$/.test(text.slice(start, endOfWord(text, start, quotes.at(-1))))) return undefined;
  if (name !== '' && isHarmlessHeader(name)) return undefined;
  reading.expected = { kind: 'value', name: name || 'header', isRest: false };
  if (shape === null) return undefined;
  const quote = /^\\?["'`]/.exec(shape[0])?.[0];
  if (quote !== undefined) quotes.push(quote);
  const end = start + shape[0].length;
  reading.expected.isRest = quote !== undefined || /\s/.test(text.charAt(end));
  return end;
}

/** An address is read as a whole elsewhere: its colons and quotes mean something else. */
function addressAt(start: number, { text, quotes, ranges }: Scan): number | undefined {
  if (!/^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(text.slice(start, start + 24))) return undefined;
  const end = endOfWord(text, start, quotes.at(-1));
  const address = text.slice(start, end);
  const close = quotes.length > 0 ? endOfRest(text, start, quotes.at(-1)) : end;
  const userEnd = text.lastIndexOf('@', close);
  // `"https://name:a b@host"`
  if (userEnd < end || address.includes('@') || !/\/\/[^/:]*:(?!\d{1,5}(?:\/|$))/.test(address)) return end;
  ranges.push([start + address.indexOf('//') + 2, userEnd]);
  return userEnd;
}

/** `-u name:password`, but not `-u 1000:1000`. */
function asUser(expected: Expected, rest: string): Expected | undefined {
  const isNameWithPassword =
    /^\\?["'`]?(?!no:)[^\s:/"'`]{1,80}:[^\s/]/.test(rest) && !/^\d{1,5}:\d{1,5}(?=$|[\s"'/:])/.test(rest);
  return isNameWithPassword ? { ...expected, kind: 'value' } : undefined;
}
