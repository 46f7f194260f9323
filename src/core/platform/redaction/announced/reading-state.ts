import { isHarmlessWord, isAction, isFileName } from '../harmless.ts';
import { isSoftName } from '../secret-names.ts';

/** What the words so far say about the next one. */
export interface Expected {
  /** `user`: a name and a password, or a name alone, which is harmless. */
  kind: 'value' | 'header' | 'user';
  name: string;
  /** The value is everything up to the end of the line, the quote or the text, since it may contain spaces. */
  isRest: boolean;
}

/** The state of a text, or of a list whose items continue each other: an item may be the name of the next one. */
export interface ReadingState {
  expected?: Expected | undefined;
  /** The secret value extends to the end of this quote. */
  quote: string;
  program?: string | undefined;
  words: string[];
  /** A pair has a secret name, such as `name: API_KEY`: its `value` is the secret. */
  isPair: boolean;
}

export const startReading = (): ReadingState => ({ quote: '', words: [], isPair: false });

export type Range = readonly [start: number, end: number];

export interface Scan {
  text: string;
  reading: ReadingState;
  isStrict: boolean;
  /** The open quotes around the current position. */
  quotes: string[];
  ranges: Range[];
}

export interface Atom {
  text: string;
  start: number;
}

/** Only references to variables with usual names: a password may begin with a dollar sign too. */
export const REFERENCE =
  /^(?:\$\(|`|(?:\$[A-Z_]{2,60}|\$\{[A-Z_]{2,60}\}|%[A-Z_]{2,60}%|\$env:[A-Z_]{2,60}|\$\{\{[ \w.]{2,60}\}\})(?::(?:\$[A-Z_]{2,60}|\$\{[A-Z_]{2,60}\}))?(?=$|[\s"'`;|&)]))/;
/** As `openssl` names the place of a password. */
const ELSEWHERE = /^(?:(?:env|file|fd):[\w./-]{1,80}|stdin)$/;
const MOST_WORDS = 40;

export function startCommand(reading: ReadingState): void {
  reading.program = undefined;
  reading.words = [];
}

export function note(word: string, reading: ReadingState): void {
  if (reading.words.length < MOST_WORDS) reading.words.push(word);
}

/** `"--password=a b"`: the value ends with the quote. */
export function isFirstInQuote(start: number, { text, quotes }: Scan): boolean {
  const quote = quotes.at(-1);
  return quote !== undefined && text.slice(0, start).endsWith(quote);
}

/** Whether a value after this name can't be a secret, such as a reference to a variable or a file. */
export function isShownAfter(name: string, word: string, { isStrict }: Scan): boolean {
  const bare = word.replace(/^\\?["'`([{]{1,3}/, '').replace(/\\?["'`)\]},;]{1,3}$/, '');
  if (REFERENCE.test(bare.replace(/^[A-Za-z]{3,12} (?=\$)/, '')) || ELSEWHERE.test(bare)) return true;
  if (isStrict) return false;
  if (isSoftName(name) && (isAction(bare) || isHarmlessWord(bare) || /^\d{1,5}$/.test(bare))) return true;
  return !/pass|pw|secret/i.test(name) && /[./]/.test(bare.slice(1)) && isFileName(bare);
}
