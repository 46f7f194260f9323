/** The platform accepts e-mails of at most 320 characters. */
const MAX_EMAIL_LENGTH = 320;

/** Characters that can't be seen come with texts that were copied from a page or a mail. */
const INVISIBLE = /[\p{Cf}\p{Cc}]/gu;
/** Phones and editors turn a typed apostrophe into one of these. */
const APOSTROPHES = /[‘’‚‛ʼ′＇´`]/gu;
// The signs before the @ are those of RFC 5322, and letters of every alphabet.
const EMAIL = /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_{|}~-]+@[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)+$/u;

export const straightenApostrophes = (text: string): string => text.replaceAll(APOSTROPHES, "'");

/**
 * Reads an e-mail as people type or paste it, in every command, form, list, setting and question. An apostrophe belongs
 * to it, typographic or not; spaces, quotes, angle brackets and `mailto:` around it don't.
 *
 * @example readEmail(' <mailto:O’Brien@acme.example|O’Brien@acme.example> ') // "o'brien@acme.example"
 */
export function readEmail(text: string): string | undefined {
  if (text.length > 3 * MAX_EMAIL_LENGTH) return undefined;
  const plain = straightenApostrophes(text.replaceAll(INVISIBLE, '')).trim();
  const unquoted = withoutQuotes(plain).toLowerCase();
  const inner = unquoted.startsWith('<') && unquoted.endsWith('>') ? unquoted.slice(1, -1) : unquoted;
  const [address = ''] = inner.startsWith('mailto:') ? inner.slice('mailto:'.length).split('|', 1) : [inner];
  return address.length <= MAX_EMAIL_LENGTH && EMAIL.test(address) ? address : undefined;
}

function withoutQuotes(text: string): string {
  const isQuote = (at: number) => text.charAt(at) === '"' || text.charAt(at) === "'";
  let [start, end] = [0, text.length];
  while (start < end && isQuote(start)) start += 1;
  while (end > start && isQuote(end - 1)) end -= 1;
  return text.slice(start, end);
}

/** Words of Slack’s own markup are whole before a list is split. */
const LIST_WORD = /<[^<>]*>|[^\s,;<>]+/g;

/** Reads several e-mails, separated as people type them. @example readEmails('a@b.example, c@d.example') */
export function readEmails(text: string): { emails: string[]; wrong: string[] } {
  const words = text.match(LIST_WORD) ?? [];
  const read = words.map((word) => ({ word, email: readEmail(word) }));
  return {
    emails: read.flatMap(({ email }) => email ?? []),
    wrong: read.flatMap(({ word, email }) => (email === undefined ? [word] : [])),
  };
}

/** The key that names are compared by: `D’Angelo`, `d'angelo` and `dangelo` are one. */
export const nameKey = (name: string): string =>
  straightenApostrophes(name.replaceAll(INVISIBLE, '')).replaceAll("'", '').trim().toLowerCase();
