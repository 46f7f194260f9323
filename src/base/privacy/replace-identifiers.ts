import { IDENTIFIER_KINDS, pseudonymOf, type IdentifierKind, type Identifiers } from './pseudonyms.ts';

/** Whether an identifier stands there by itself: as a part of a longer word it is something else. */
type StandsAlone = (text: string, first: number, end: number) => boolean;

const isOf = (pattern: RegExp) => (sign: string) => pattern.test(sign);
const isOfEmail = isOf(/[A-Za-z0-9._%+-]/);
const isOfDomain = isOf(/[A-Za-z0-9-]/);
const isOfId = isOf(/[A-Za-z0-9]/);
const isOfName = isOf(/[\p{L}\p{N}]/u);
const isQuote = (sign: string) => sign === '' || sign === '"';

const STANDS_ALONE: Record<IdentifierKind, StandsAlone> = {
  email: (text, first, end) =>
    !isOfEmail(text.charAt(first - 1)) &&
    !isOfDomain(text.charAt(end)) &&
    !(text.charAt(end) === '.' && isOfId(text.charAt(end + 1))),
  slackId: (text, first, end) => !isOfId(text.charAt(first - 1)) && !isOfId(text.charAt(end)),
  // The platform's ids may be as short as `u1`: only where one is a whole value.
  userId: (text, first, end) => isQuote(text.charAt(first - 1)) && isQuote(text.charAt(end)),
  // In a message, a value of a setting is a span of code; a person's name never is.
  name: (text, first, end) =>
    !isOfName(text.charAt(first - 1)) &&
    !isOfName(text.charAt(end)) &&
    !(text.charAt(first - 1) === '`' && text.charAt(end) === '`'),
};

/** A name of one word may be any word, such as `sent`, by which the store knows a state. */
const isTelling = (name: string) => /\S\s+\S/.test(name);

/**
 * Puts pseudonyms in place of all that names somebody, in plain text, JSON, Slack's markup and addresses.
 *
 * @example createReplace('k7m2x', identifiers)('<@U0MIA> asked') // '<@U0ERASEDK7M2X> asked'
 */
export function createReplace(id: string, identifiers: Identifiers): (text: string) => string {
  const wanted = IDENTIFIER_KINDS.flatMap((kind) =>
    usable(kind, identifiers[kind]).flatMap((value, position) =>
      formsOf(kind, value).map((form) => ({ kind, form, pseudonym: pseudonymOf(id, kind, position) })),
    ),
  );
  return (text) => wanted.reduce((replaced, one) => replaceOne(replaced, one), text);
}

function replaceOne(
  text: string,
  { kind, form, pseudonym }: { kind: IdentifierKind; form: string; pseudonym: string },
): string {
  const [searched, needle] = kind === 'email' ? [lowerCase(text), lowerCase(form)] : [text, form];
  let replaced = '';
  let rest = 0;
  for (let at = searched.indexOf(needle); at !== -1; at = searched.indexOf(needle, at + 1)) {
    const end = at + needle.length;
    if (at < rest || !STANDS_ALONE[kind](text, at, end)) continue;
    replaced += text.slice(rest, at) + pseudonym;
    rest = end;
  }
  return replaced + text.slice(rest);
}

/** As long as it was: other letters may become two of them. */
const lowerCase = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const usable = (kind: IdentifierKind, values: readonly string[]) =>
  kind === 'name' ? values.filter((value) => isTelling(value)) : values;

/** The identifiers that are looked for in texts. */
export const usableIdentifiers = (identifiers: Identifiers): Identifiers => ({
  ...identifiers,
  name: usable('name', identifiers.name),
});

/** How a text holds an identifier: as it is, in JSON, in Slack's markup and in an address. */
function formsOf(kind: IdentifierKind, value: string): string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  const inMarkup = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [...new Set([value, inJson, inMarkup, ...(kind === 'email' ? [encodeURIComponent(value)] : [])])];
}

/** What a text must hold, in any letter case, for anything in it to be replaced; or else be, as a whole. */
export function needlesOf(identifiers: Identifiers): { parts: string[]; wholes: readonly string[] } {
  const parts = IDENTIFIER_KINDS.flatMap((kind) =>
    usable(kind, identifiers[kind]).flatMap((value) =>
      formsOf(kind, value).map((form) => (kind === 'userId' ? `"${form}"` : form)),
    ),
  );
  return { parts: [...new Set(parts)], wholes: identifiers.userId };
}
