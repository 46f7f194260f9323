/** Text in Slack's mrkdwn that is safe to show: whatever came from outside has been escaped. Made by `markup` only. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

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
 * @example escapeText('<!channel> *now*') // '&lt;!channel&gt; ∗now∗'
 */
export function escapeText(text: string): string {
  return plain(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('*', '∗')
    .replaceAll('~', '∼')
    .replaceAll('`', 'ˋ');
}

/**
 * A template for mrkdwn: what stands in the template is trusted, what is put in is escaped, unless it is Markup itself.
 *
 * @example markup`*${person.name}* used ${mention('U123')}`
 */
export function markup(strings: TemplateStringsArray, ...values: readonly (string | number | Markup)[]): Markup {
  return new Markup(
    strings.reduce((text, part, index) => {
      const value = values[index];
      if (value === undefined) return text + part;
      return text + part + (value instanceof Markup ? value.text : escapeText(String(value)));
    }, ''),
  );
}

/** Joins pieces of markup with a separator. */
export function joinMarkup(pieces: readonly Markup[], separator: string): Markup {
  return new Markup(pieces.map((piece) => piece.text).join(separator));
}

/** Names a person so that Slack shows their name and a click leads to them. Their client is notified if it is a message. */
export function mention(userId: string): Markup {
  return new Markup(/^[UW][A-Z0-9]+$/.test(userId) ? `<@${userId}>` : escapeText(userId));
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

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const oneDecimal = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** @example formatNumber(1234567) // '1,234,567' */
export function formatNumber(value: number): string {
  return Math.abs(value) < 10 && !Number.isInteger(value) ? oneDecimal.format(value) : whole.format(value);
}

/** @example formatShare(1, 3) // '33%'; of nothing: '–' */
export function formatShare(part: number, total: number): string {
  if (total === 0) return '–';
  const percent = (part / total) * 100;
  if (percent > 0 && percent < 1) return '<1%';
  return `${whole.format(percent)}%`;
}

/** @example countOf(1, 'day') // '1 day'; countOf(2, 'day') // '2 days' */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(count)} ${count === 1 ? noun : plural}`;
}
