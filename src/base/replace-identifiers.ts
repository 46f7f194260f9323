import { IDENTIFIER_KINDS, pseudonymOf, type IdentifierKind, type Identifiers } from './pseudonyms.ts';

/** What each kind of identifier must not be a part of, before and after it: a longer word is something else. */
const EDGES: Record<IdentifierKind, { before: string; after: string; flags: string }> = {
  email: { before: '(?<![A-Za-z0-9._%+-])', after: '(?![A-Za-z0-9-]|\\.[A-Za-z0-9])', flags: 'gi' },
  slackId: { before: '(?<![A-Za-z0-9])', after: '(?![A-Za-z0-9])', flags: 'g' },
  // The platform's ids may be as short as `u1`: only where one is a whole value.
  userId: { before: '(?<=^|")', after: '(?=$|")', flags: 'g' },
  name: { before: '(?<![\\p{L}\\p{N}])', after: '(?![\\p{L}\\p{N}])', flags: 'gu' },
};

/** A name of one word may be any word, such as `sent`, by which the store knows a state. */
const isTelling = (name: string) => /\S\s+\S/.test(name);

/**
 * Puts pseudonyms in place of all that names somebody, in plain text, JSON, Slack's markup and addresses.
 *
 * @example createReplace('k7m2x', identifiers)('<@U0MIA> asked') // '<@U0ERASEDK7M2X> asked'
 */
export function createReplace(id: string, identifiers: Identifiers): (text: string) => string {
  const patterns = IDENTIFIER_KINDS.flatMap((kind) =>
    usable(kind, identifiers[kind]).flatMap((value, position) =>
      formsOf(kind, value).map((form) => ({
        pattern: new RegExp(`${EDGES[kind].before}${RegExp.escape(form)}${EDGES[kind].after}`, EDGES[kind].flags),
        pseudonym: pseudonymOf(id, kind, position),
      })),
    ),
  );
  return (text) => patterns.reduce((replaced, { pattern, pseudonym }) => replaced.replace(pattern, pseudonym), text);
}

const usable = (kind: IdentifierKind, values: readonly string[]) =>
  kind === 'name' ? values.filter((value) => isTelling(value)) : values;

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
