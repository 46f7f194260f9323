import { IDENTIFIER_KINDS, pseudonymOf, type IdentifierKind, type Identifiers } from './pseudonyms.ts';

type WholeWordCheck = (text: string, first: number, end: number) => boolean;

const isOf = (pattern: RegExp) => (sign: string) => pattern.test(sign);
const isOfEmail = isOf(/[A-Za-z0-9._%+-]/);
const isOfDomain = isOf(/[A-Za-z0-9-]/);
const isOfId = isOf(/[A-Za-z0-9]/);
const isOfName = isOf(/[\p{L}\p{N}]/u);
const isQuote = (sign: string) => sign === '' || sign === '"';

const IS_WHOLE_WORD: Record<IdentifierKind, WholeWordCheck> = {
  email: (text, first, end) =>
    !isOfEmail(text.charAt(first - 1)) &&
    !isOfDomain(text.charAt(end)) &&
    !(text.charAt(end) === '.' && isOfId(text.charAt(end + 1))),
  slackId: (text, first, end) => !isOfId(text.charAt(first - 1)) && !isOfId(text.charAt(end)),
  // Platform ids may be as short as `u1`, so only a whole value counts.
  userId: (text, first, end) => isQuote(text.charAt(first - 1)) && isQuote(text.charAt(end)),
  // In a message, the value of a setting is a span of code; a person's name never is.
  name: (text, first, end) =>
    !isOfName(text.charAt(first - 1)) &&
    !isOfName(text.charAt(end)) &&
    !(text.charAt(first - 1) === '`' && text.charAt(end) === '`'),
};

/** A name of one word may be any word, such as `sent`, which is also a state in the store. */
const hasSeveralWords = (name: string) => /\S\s+\S/.test(name);

/**
 * Finds identifiers in plain text, JSON, Slack's markup and addresses.
 *
 * @example createReplace('k7m2x', identifiers)('<@U0MIA> asked') // '<@U0ERASEDK7M2X> asked'
 */
export function createReplace(id: string, identifiers: Identifiers): (text: string) => string {
  const replacements = IDENTIFIER_KINDS.flatMap((kind) =>
    searchable(kind, identifiers[kind]).flatMap((value, position) =>
      formsOf(kind, value).map((form) => ({ kind, form, pseudonym: pseudonymOf(id, kind, position) })),
    ),
  );
  return (text) => replacements.reduce((replaced, one) => replaceOne(replaced, one), text);
}

function replaceOne(
  text: string,
  { kind, form, pseudonym }: { kind: IdentifierKind; form: string; pseudonym: string },
): string {
  const [searched, searchTerm] = kind === 'email' ? [lowerCase(text), lowerCase(form)] : [text, form];
  let replaced = '';
  let rest = 0;
  for (let at = searched.indexOf(searchTerm); at !== -1; at = searched.indexOf(searchTerm, at + 1)) {
    const end = at + searchTerm.length;
    if (at < rest || !IS_WHOLE_WORD[kind](text, at, end)) continue;
    replaced += text.slice(rest, at) + pseudonym;
    rest = end;
  }
  return replaced + text.slice(rest);
}

/** Lowers only A to Z, which keeps the length: other letters may become two. */
const lowerCase = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const searchable = (kind: IdentifierKind, values: readonly string[]) =>
  kind === 'name' ? values.filter((value) => hasSeveralWords(value)) : values;

export const searchableIdentifiers = (identifiers: Identifiers): Identifiers => ({
  ...identifiers,
  name: searchable('name', identifiers.name),
});

function formsOf(kind: IdentifierKind, value: string): string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  const inMarkup = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [...new Set([value, inJson, inMarkup, ...(kind === 'email' ? [encodeURIComponent(value)] : [])])];
}

/** A text is changed only if it contains one of `parts`, in any letter case, or equals one of `wholes`. */
export function searchTermsOf(identifiers: Identifiers): { contained: string[]; exact: readonly string[] } {
  const contained = IDENTIFIER_KINDS.flatMap((kind) =>
    searchable(kind, identifiers[kind]).flatMap((value) =>
      formsOf(kind, value).map((form) => (kind === 'userId' ? `"${form}"` : form)),
    ),
  );
  return { contained: [...new Set(contained)], exact: identifiers.userId };
}
