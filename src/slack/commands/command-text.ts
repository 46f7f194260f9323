import { splitWords } from './command-words.ts';

/**
 * What follows a slash command on a button: a template of this program, in which each insert stays one word whatever it holds.
 * Nothing else can be put on a button that runs a command.
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

/** @throws RangeError for what is not one: only for words that this program made itself */
export function plainWord(word: string): PlainWord {
  if (!/^[\w.:+-]{1,100}$/.test(word)) throw new RangeError('This is no plain word');
  return new Word(word);
}

/** A button's value holds 2,000 characters. */
const LONGEST = 1_500;

/**
 * Puts together what follows a command. It begins with a word of its own, so that an insert is never taken for one.
 *
 * @returns nothing when a text from outside cannot be written as one word: then there is no button
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
  const text = String.raw({ raw: template }, ...plain.map((word, index) => (isPlain[index] ? word : written(word))));
  const holders = plain.map((_, index) => `\u0000${index}\u0000`);
  const wanted = splitWords(String.raw({ raw: template }, ...holders)).map((word) =>
    holders.reduce((filled, holder, index) => filled.replace(holder, () => plain[index] ?? ''), word),
  );
  const isSame = JSON.stringify(splitWords(text)) === JSON.stringify(wanted);
  return isSame && text.length <= LONGEST ? new Text(text) : undefined;
}

/** Words as somebody would type them, those with spaces in quotes. */
export function joinWords(words: readonly string[]): string {
  return words.map(written).join(' ');
}

/** As `splitWords` reads it: what needs them stands in quotes, and a quote in quotes of the other kind. */
function written(word: string): string {
  if (/^[^\s'"]+$/.test(word)) return word;
  return word
    .split('"')
    .map((part) => `"${part}"`)
    .join(`'"'`);
}

/** What reading the words after a command came to, as far as a correction is about it. */
interface Read {
  kind: 'run' | 'modal' | 'help' | 'misunderstood';
  corrected?: string;
}

const MAX_CORRECTIONS = 5;

/**
 * What somebody most likely meant. It is read before it is offered, and corrected again as long as it is not understood.
 *
 * @returns nothing when no correction is understood
 */
export function correctionOf(read: Read, readAgain: (words: readonly string[]) => Read): CommandText | undefined {
  let next = read.corrected;
  for (let count = 0; count < MAX_CORRECTIONS && next !== undefined; count += 1) {
    const again = readAgain(splitWords(next));
    if (again.kind === 'run' || again.kind === 'modal') return next.length <= LONGEST ? new Text(next) : undefined;
    next = again.kind === 'misunderstood' ? again.corrected : undefined;
  }
  return undefined;
}
