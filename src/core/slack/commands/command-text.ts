import { readEmail, straightenApostrophes } from '../../base/text/email.ts';
import { closest, distance } from 'fastest-levenshtein';

export type Reference =
  | { kind: 'person'; slackId: string }
  | { kind: 'group'; slackId: string }
  | { kind: 'channel'; slackId: string }
  | { kind: 'email'; email: string };

// Phones and desktops turn typed quotes, dashes and dots into typographic ones.
const TYPOGRAPHIC: readonly (readonly [RegExp, string])[] = [
  [/[“”„‟«»]/g, '"'],
  [/[‐‑‒–—―−]/g, '-'],
  [/…/g, '..'],
  [/[\u00a0\u2007\u202f\s]+/g, ' '],
];

/** Words in quotes, words in single quotes that have apostrophes in them, and other words. */
const WORDS = /((?:"[^"]*"|'[^']*')+)(?=\s|$)|'((?:[^']|'(?=\S))*)'(?=\s|$)|\S+/g;

/**
 * Quoted words stay together, and each reference that Slack escaped (`<@U1|max>`, `<mailto:a@b.c|a@b.c>`) is one word.
 * A quote only counts at the beginning of a word, so that `o'brien@acme.example` and `@D’Angelo` are one word each.
 *
 * @example splitWords('people “last week” <@U123|Max Weber>') // ['people', 'last week', '<@U123>']
 */
export function splitWords(text: string): string[] {
  let plain = straightenApostrophes(text);
  for (const [sign, replacement] of TYPOGRAPHIC) plain = plain.replace(sign, replacement);
  plain = plain
    .replace(/<mailto:([^<|>]+)(\|[^<>]*)?>/gi, '$1')
    .replace(/<((?:@|#|!subteam\^)[^<|>\s]+)(\|[^<>]*)?>/g, '<$1>');
  return [...plain.matchAll(WORDS)].map(([word, quoted, inner]) =>
    unescaped(inner ?? quoted?.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2') ?? word),
  );
}

/** The three signs that Slack escapes in what people type: https://docs.slack.dev/messaging/formatting-message-text */
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Resolves each entity once. What would become a reference was not one when it was typed, so it stays escaped. */
function unescaped(word: string): string {
  const plain = word.replaceAll(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
  return plain !== word && /^<(?:@|#|!)/.test(plain) ? word : plain;
}

export function readReference(word: string): Reference | undefined {
  const escaped = /^<(@|#|!subteam\^)([A-Z0-9]+)>$/.exec(word);
  const slackId = escaped?.[2];
  if (slackId !== undefined) {
    if (escaped?.[1] === '@') return { kind: 'person', slackId };
    return { kind: escaped?.[1] === '#' ? 'channel' : 'group', slackId };
  }
  const email = readEmail(word);
  return email === undefined ? undefined : { kind: 'email', email };
}

/** Undefined if no word is near. @example didYouMean('sumary', ['summary', 'models']) // 'summary' */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0 || word.length > 40) return undefined;
  const lower = word.toLowerCase();
  const best = closest(lower, candidates);
  const allowed = Math.max(1, Math.floor(Math.max(lower.length, best.length) / 3));
  return distance(lower, best) <= allowed ? best : undefined;
}

export type ParsedCommand<Request> =
  | { kind: 'run'; request: Request }
  | { kind: 'help' }
  /** `sentence` names the unknown word; `corrected` is the most likely meaning. */
  | { kind: 'misunderstood'; sentence: string; corrected?: string };

export interface CommandHelp {
  command: string;
  purpose: string;
  examples: readonly { text: string; meaning: string }[];
  /** Whether it takes a user group: then the help names the chosen teams. */
  takesTeams?: true;
}

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
  const escaped = word.replaceAll(/&(?=(?:amp|lt|gt);)/g, '&amp;');
  if (/^[^\s'"][^\s"]*$/.test(escaped)) return escaped;
  return escaped
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
