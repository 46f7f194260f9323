import { splitWords } from './command-words.ts';

/**
 * A template of this program, in which each insert stays one word whatever it contains. The type ensures that no other
 * text can be put on a button that runs a command.
 */
class Text {
  readonly text: string;
  protected readonly isTemplate = true;
  constructor(text: string) {
    this.text = text;
  }
}
export type CommandText = Text;

/** A word that reads the same quoted or not: an id, a date, a number. */
class Word {
  readonly word: string;
  protected readonly isPlain = true;
  constructor(word: string) {
    this.word = word;
  }
}
export type PlainWord = Word;

/** Only for words that this program made itself. @throws RangeError for any other text */
export function plainWord(word: string): PlainWord {
  if (!/^[\w.:+-]{1,100}$/.test(word)) throw new RangeError('This is no plain word');
  return new Word(word);
}

/** A button's value holds 2,000 characters. */
const LONGEST = 1_500;

/**
 * The text begins with a fixed word, so that an insert is never read as a subcommand.
 *
 * @returns undefined if a text from outside cannot be written as one word: then there is no button
 * @example commandText`show ${computer.id}`
 */
export function commandText(template: TemplateStringsArray, ...inserts: readonly (number | PlainWord)[]): CommandText;
export function commandText(
  template: TemplateStringsArray,
  ...inserts: readonly (number | PlainWord | string)[]
): CommandText | undefined;
export function commandText(
  template: TemplateStringsArray,
  ...inserts: readonly (number | PlainWord | string)[]
): CommandText | undefined {
  const [first = ''] = template;
  if (typeof inserts[0] === 'string' && first.trim() === '')
    throw new RangeError('A command begins with a word of its own');
  const plain = inserts.map((insert) => (insert instanceof Word ? insert.word : String(insert)));
  const isPlain = inserts.map((insert) => typeof insert !== 'string');
  const text = String.raw({ raw: template }, ...plain.map((word, index) => (isPlain[index] ? word : quoted(word))));
  const holders = plain.map((_, index) => `\u0000${index}\u0000`);
  const expectedWords = splitWords(String.raw({ raw: template }, ...holders)).map((word) =>
    holders.reduce((filled, holder, index) => filled.replace(holder, () => plain[index] ?? ''), word),
  );
  const isSame = JSON.stringify(splitWords(text)) === JSON.stringify(expectedWords);
  return isSame && text.length <= LONGEST ? new Text(text) : undefined;
}

/** Quotes words with spaces, as people would type them. */
export const joinWords = (words: readonly string[]): string => words.map(quoted).join(' ');

/** Quotes for `splitWords`; quotes inside a word get quotes of the other kind. */
function quoted(word: string): string {
  if (/^[^\s'"][^\s"]*$/.test(word)) return word;
  return word
    .split('"')
    .map((part) => `"${part}"`)
    .join(`'"'`);
}

export interface ReadOutcome {
  kind: 'run' | 'modal' | 'help' | 'misunderstood';
  corrected?: string;
}

const MAX_CORRECTIONS = 5;

/** A correction that is not understood is corrected again before one is offered; undefined if none is understood. */
export function correctionOf(
  read: ReadOutcome,
  readAgain: (words: readonly string[]) => ReadOutcome,
): CommandText | undefined {
  let next = read.corrected;
  for (let count = 0; count < MAX_CORRECTIONS && next !== undefined; count += 1) {
    const again = readAgain(splitWords(next));
    if (again.kind === 'run' || again.kind === 'modal') return next.length <= LONGEST ? new Text(next) : undefined;
    next = again.kind === 'misunderstood' ? again.corrected : undefined;
  }
  return undefined;
}

/** For words that were found in a message; undefined unless the command understands them as they are. */
export function understoodText(text: string, read: (words: readonly string[]) => ReadOutcome): CommandText | undefined {
  const { kind } = read(splitWords(text));
  return (kind === 'run' || kind === 'modal') && text.length <= LONGEST ? new Text(text) : undefined;
}
