/** Commands as separate words, not inside an address, path or word. A test compares the list with the manifest. */
const COMMAND =
  /(?<![\w/.~∼@-])\/(?=(?:usage|readiness|limits|session|computers|quartermaster|budget|digest|controls)(?![\w/-]))/g;

/** Follows the slash of a command in text from outside. Texts from outside never contain it, nor do sent texts. */
const SHIELD = '\u2060';
const SHIELDED = `/${SHIELD}`;

/**
 * Marks the commands in text from outside, so that they keep their names in any workspace.
 *
 * @example toWorkspaceNames(shieldCommands('why /usage?'), 'qm-') // 'why /usage?'
 */
export const shieldCommands = (text: string): string => text.replace(COMMAND, SHIELDED);

function escapeShielded(text: string, escape: (part: string) => string): string {
  if (!text.includes(SHIELDED)) return escape(text);
  // The bars keep the space beside a command: without them it would be trimmed as the end of the text.
  const parts = text.split(SHIELDED).map((part) => escape(`|${part}|`).slice(1, -1));
  return parts.join(SHIELDED).trim();
}

/** @example toWorkspaceNames('Type /usage help.', 'qm-') // 'Type /qm-usage help.' */
export function toWorkspaceNames(text: string, prefix: string): string {
  const named = prefix === '' ? text : text.replace(COMMAND, `/${prefix}`);
  return named.replaceAll(SHIELDED, '/');
}

/** @example fromWorkspaceName('/qm-usage', 'qm-') // '/usage' */
export const fromWorkspaceName = (command: string, prefix: string): string =>
  prefix !== '' && command.startsWith(`/${prefix}`) ? `/${command.slice(prefix.length + 1)}` : command;

/**
 * Text in Slack's mrkdwn that is safe to show: text from outside was escaped exactly once. Only this file creates it,
 * and its characters are hidden until they leave for Slack, so no text can be escaped twice or not at all.
 */
class Markup {
  readonly #mrkdwn: string;

  constructor(mrkdwn: string) {
    this.#mrkdwn = mrkdwn;
  }

  static mrkdwnOf(markup: Markup): string {
    return markup.#mrkdwn;
  }
}
export type { Markup };

/** Only for builders of blocks and senders of messages: a test checks this. @example mrkdwnOf(markup`*${name}*`) */
export const mrkdwnOf = (text: Markup): string => Markup.mrkdwnOf(text);

/** Control characters, and characters that reorder or hide text (bidirectional marks, zero-width joiners). */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Line breaks, control and direction characters become spaces. @example plain('evil\u202Etxt') // 'evil txt' */
export const plain = (text: string): string => text.toWellFormed().replace(INVISIBLE, ' ').trim();

/**
 * Escapes untrusted text for mrkdwn, so that it cannot mention, link or open a format that swallows the text after it.
 * Slack requires it for `&`, `<` and `>`; the marks of formats have no escape and become similar signs.
 *
 * @see https://docs.slack.dev/messaging/formatting-message-text
 * @example markup`${'<!channel> *now*'}` // &lt;!channel&gt; ∗now∗
 */
const escapeText = (text: string): string => escapeCode(text).replaceAll('*', '∗').replaceAll('~', '∼');

function escapeCode(text: string): string {
  return plain(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('`', 'ˋ');
}

/** A sentence of the program inside a template: it is escaped, and its commands are the program’s own. */
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
 * A template for mrkdwn: the template itself is trusted; its values are escaped, unless they are Markup. A command in a
 * value counts as text from outside, unless the value is `own`.
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
      // Between backticks nothing opens a format, so people can copy the text unchanged.
      const escape = part.endsWith('`') ? escapeCode : escapeText;
      return (
        text +
        part +
        (value instanceof OwnWords ? escapeShielded(value.words, escape) : shieldCommands(escape(String(value))))
      );
    }, ''),
  );
}

export function joinMarkup(pieces: readonly Markup[], separator = ', '): Markup {
  return new Markup(pieces.map((piece) => mrkdwnOf(piece)).join(separator));
}

export function plainLines(...texts: readonly (string | undefined)[]): Markup[] {
  return texts.flatMap((text) => (text === undefined ? [] : [markup`${text}`]));
}

/** @example withRest(['a', 'b', 'c'], 2, (left) => `and ${left} more`) // ['a', 'b', 'and 1 more'] */
export function withRest<Line>(lines: readonly Line[], most: number, rest: (remaining: number) => Line): Line[] {
  const remaining = lines.length - most;
  return remaining > 0 ? [...lines.slice(0, most), rest(remaining)] : [...lines];
}

/** @example listMarkup([ada, mia, max], 2) // Ada, Mia and 1 more */
export function listMarkup(
  pieces: readonly Markup[],
  most: number,
  rest = (remaining: number) => `${remaining} more`,
): Markup {
  const visiblePieces = joinMarkup(pieces.slice(0, most));
  return pieces.length > most ? markup`${visiblePieces} and ${rest(pieces.length - most)}` : visiblePieces;
}

/** Leaves out empty lines. Lines of plain text are the program’s own words. */
export function markupLines(lines: readonly (string | Markup)[]): Markup {
  const markups = lines.map((line) => (typeof line === 'string' ? markup`${own(line)}` : line));
  return joinMarkup(
    markups.filter((line) => !isEmpty(line)),
    '\n',
  );
}

const isEmpty = (text: Markup): boolean => mrkdwnOf(text) === '';

/** The length for Slack's limits, which count escaped text. */
export const markupLength = (text: Markup): number => mrkdwnOf(text).length;

/** A line of more than `longest` characters is a part of its own. */
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

/** Cuts markup before an entity or a mention rather than inside it, where its raw signs would show. */
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

/** Mentions a person: Slack shows the name as a link, and notifies them if it is in a message. */
export function mention(userId: string): Markup {
  return new Markup(/^[UW][A-Z0-9]+$/.test(userId) ? `<@${userId}>` : escapeText(userId));
}

/** Mentions a channel: Slack shows its name as a link to readers who may see it. */
export function channelMention(channelId: string): Markup {
  return new Markup(/^[CGD][A-Z0-9]+$/.test(channelId) ? `<#${channelId}>` : escapeText(channelId));
}

/** Shows the reader's zone, else UTC. @see https://docs.slack.dev/messaging/formatting-message-text#date-formatting */
export function readerTime(instant: Date): Markup {
  const seconds = Math.floor(instant.getTime() / 1000);
  return new Markup(`<!date^${seconds}^{date_short_pretty} at {time}|${utcTime(instant)}>`);
}

/** @example utcTime(new Date('2026-03-02T09:05:00Z')) // '2026-03-02 09:05 UTC' */
export const utcTime = (instant: Date): string => `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Counts UTF-16 units, as Slack does, and splits no character. @example clip('Standard Credits', 9) // 'Standard…' */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  let end = length - 1;
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return `${text.slice(0, end)}…`;
}
