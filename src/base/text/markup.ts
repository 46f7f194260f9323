import { escapeShielded, shieldCommands } from '../settings/command-names.ts';

/**
 * Text in Slack's mrkdwn that is safe to show: whatever came from outside has been escaped, once. Only this file makes it, and
 * nobody else sees its characters before they leave for Slack, so nothing can be escaped twice or not at all.
 */
class Markup {
  readonly #mrkdwn: string;

  constructor(mrkdwn: string) {
    this.#mrkdwn = mrkdwn;
  }

  /** What Slack gets. */
  static mrkdwnOf(markup: Markup): string {
    return markup.#mrkdwn;
  }
}
export type { Markup };

/**
 * The characters that leave for Slack. For builders of blocks and for what sends messages; a test holds who may.
 *
 * @example mrkdwnOf(markup`*${name}*`)
 */
export const mrkdwnOf = (text: Markup): string => Markup.mrkdwnOf(text);

/** Control characters, and those that reorder or hide text (bidirectional marks, zero-width joiners). */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/**
 * One line of plain text from anybody: line breaks, control and direction characters become a space.
 *
 * @example plain('evil\u202Etxt.exe\n<!channel>') // 'evil txt.exe <!channel>'
 */
export function plain(text: string): string {
  return text.toWellFormed().replace(INVISIBLE, ' ').trim();
}

/**
 * Escapes text from anybody for mrkdwn, so that it can neither mention, nor link, nor open a format that swallows what
 * follows. Slack asks for `&`, `<` and `>`; the marks of formats have no escape and are replaced by signs that look alike.
 *
 * @see https://docs.slack.dev/messaging/formatting-message-text
 * @example markup`${'<!channel> *now*'}` // &lt;!channel&gt; ∗now∗
 */
function escapeText(text: string): string {
  return escapeCode(text).replaceAll('*', '∗').replaceAll('~', '∼');
}

/** Escapes text from anybody for a span of code, which only a backtick ends. */
function escapeCode(text: string): string {
  return plain(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('`', 'ˋ');
}

/** A sentence of the program itself that is put into a template: it is escaped, and the commands in it are the program’s own. */
class OwnWords {
  readonly words: string;

  constructor(words: string) {
    this.words = words;
  }
}

/** @example markup`${own('Type /usage help.')}` */
export const own = (words: string | Markup): OwnWords | Markup =>
  words instanceof Markup ? words : new OwnWords(words);

/**
 * A template for mrkdwn: what stands in the template is trusted, what is put in is escaped, unless it is Markup itself. A command
 * that is named in what is put in is somebody else's word, unless it is `own`.
 *
 * @example markup`*${person.name}* used ${mention('U123')}`
 */
export function markup(
  strings: TemplateStringsArray,
  ...values: readonly (string | number | Markup | OwnWords)[]
): Markup {
  return new Markup(
    strings.reduce((text, part, index) => {
      const value = values[index];
      if (value === undefined) return text + part;
      if (value instanceof Markup) return text + part + mrkdwnOf(value);
      // Between backticks nothing opens a format, so what people copy from there is what it was.
      const escape = part.endsWith('`') ? escapeCode : escapeText;
      return (
        text +
        part +
        (value instanceof OwnWords ? escapeShielded(value.words, escape) : shieldCommands(escape(String(value))))
      );
    }, ''),
  );
}

/** Joins pieces of markup with a separator. */
export function joinMarkup(pieces: readonly Markup[], separator = ', '): Markup {
  return new Markup(pieces.map((piece) => mrkdwnOf(piece)).join(separator));
}

/** Each a line of its own; what there is nothing of is left out. */
export function linesOf(...texts: readonly (string | undefined)[]): Markup[] {
  return texts.flatMap((text) => (text === undefined ? [] : [markup`${text}`]));
}

/**
 * The first of some lines, and what is said of the others.
 *
 * @example firstOf(['a', 'b', 'c'], 2, (left) => `and ${left} more`) // ['a', 'b', 'and 1 more']
 */
export function firstOf<Line>(lines: readonly Line[], most: number, rest: (left: number) => Line): Line[] {
  const left = lines.length - most;
  return left > 0 ? [...lines.slice(0, most), rest(left)] : [...lines];
}

/** The first of some pieces in one line. @example listMarkup([ada, mia, max], 2) // Ada, Mia and 1 more */
export function listMarkup(pieces: readonly Markup[], most: number, rest = (left: number) => `${left} more`): Markup {
  const shown = joinMarkup(pieces.slice(0, most));
  return pieces.length > most ? markup`${shown} and ${rest(pieces.length - most)}` : shown;
}

/** Lines below each other; empty ones are left out. Those of plain text are the program’s own words. */
export function markupLines(lines: readonly (string | Markup)[]): Markup {
  const made = lines.map((line) => (typeof line === 'string' ? markup`${own(line)}` : line));
  return joinMarkup(
    made.filter((line) => !isEmpty(line)),
    '\n',
  );
}

const isEmpty = (text: Markup): boolean => mrkdwnOf(text) === '';

/** How long it is for Slack's limits, which count what is escaped as it is sent. */
export const markupLength = (text: Markup): number => mrkdwnOf(text).length;

/** Lines in order, put together as far as each part stays within a length; a longer line is a part of its own. */
export function packLines(lines: readonly Markup[], longest: number): Markup[][] {
  const parts: Markup[][] = [];
  let length = Infinity;
  for (const line of lines) {
    length += markupLength(line) + 1;
    if (length > longest) {
      parts.push([line]);
      length = markupLength(line);
    } else parts.at(-1)?.push(line);
  }
  return parts;
}

/** Cuts markup; before an entity or a mention rather than inside it, where its raw signs would show. */
export function clipMarkup(text: Markup, length: number): Markup {
  const whole = mrkdwnOf(text);
  if (whole.length <= length) return text;
  const cut = clip(whole, length);
  const opened = Math.max(
    cut.lastIndexOf('<') > cut.lastIndexOf('>') ? cut.lastIndexOf('<') : -1,
    /&[a-z]{0,3}…$/.test(cut) ? cut.lastIndexOf('&') : -1,
  );
  return opened < 0 ? new Markup(cut) : new Markup(`${cut.slice(0, opened)}…`);
}

/** Names a person so that Slack shows their name and a click leads to them. Their client is notified if it is a message. */
export function mention(userId: string): Markup {
  return new Markup(/^[UW][A-Z0-9]+$/.test(userId) ? `<@${userId}>` : escapeText(userId));
}

/** Names a channel so that Slack shows its name to those who may see it, and a click leads there. */
export function channelMention(channelId: string): Markup {
  return new Markup(/^[CGD][A-Z0-9]+$/.test(channelId) ? `<#${channelId}>` : escapeText(channelId));
}

/**
 * An instant in the reader's own zone; the fallback for clients that cannot is UTC.
 *
 * @see https://docs.slack.dev/messaging/formatting-message-text#date-formatting
 */
export function readerTime(instant: Date): Markup {
  const seconds = Math.floor(instant.getTime() / 1000);
  return new Markup(`<!date^${seconds}^{date_short_pretty} at {time}|${utcTime(instant)}>`);
}

/** @example utcTime(new Date('2026-03-02T09:05:00Z')) // '2026-03-02 09:05 UTC' */
export function utcTime(instant: Date): string {
  return `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/**
 * Cuts text to a number of UTF-16 units, which is how Slack counts, without breaking a character in two.
 *
 * @example clip('Standard Credits', 9) // 'Standard…'
 */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  let end = length - 1;
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return `${text.slice(0, end)}…`;
}
