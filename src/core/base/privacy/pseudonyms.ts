import { createHash } from 'node:crypto';

/** The ways to name a person; `userId` is the platform's. */
export const IDENTIFIER_KINDS = ['email', 'slackId', 'userId', 'name'] as const;
export type IdentifierKind = (typeof IDENTIFIER_KINDS)[number];
export type Identifiers = Readonly<Record<IdentifierKind, readonly string[]>>;

export interface Identifier {
  kind: IdentifierKind;
  value: string;
}

/** The erased people, known only by the hashes of their identifiers, so that they are not named. */
export interface Pseudonyms {
  /** True if no person was erased, so there is nothing to search for. */
  isEmpty(): boolean;
  /** Undefined if the identifier is not one of an erased person. */
  find(identifier: Identifier): string | undefined;
}

export const NO_PSEUDONYMS: Pseudonyms = { isEmpty: () => true, find: () => undefined };

/** RFC 2606 reserves this domain, so nothing can ever be sent there. */
const NOWHERE = 'erased.invalid';

/**
 * Returns the replacement of an identifier. It has the same shape, so that its container stays valid.
 *
 * @param position among the identifiers of its kind, so that two identifiers of one person stay distinct
 * @example pseudonymOf('k7m2x', 'email', 0) // 'erased-k7m2x@erased.invalid'
 */
export function pseudonymOf(id: string, kind: IdentifierKind, position: number): string {
  const suffix = position === 0 ? '' : String(position + 1);
  switch (kind) {
    case 'email':
      return `erased-${id}${suffix && `-${suffix}`}@${NOWHERE}`;
    case 'slackId':
      return `U0ERASED${id.toUpperCase()}${suffix}`;
    case 'userId':
      return `erased-${id}${suffix && `-${suffix}`}`;
    case 'name':
      return `Erased person ${id}`;
    default:
      return kind satisfies never;
  }
}

/** The hash allows confirming a guessed identifier. Without it, one that is read again could not be recognized. */
export function hashIdentifier({ kind, value }: Identifier): string {
  return createHash('sha256')
    .update(`quartermaster erased ${kind} ${normalized(kind, value)}`)
    .digest('hex');
}

const normalized = (kind: IdentifierKind, value: string) => (kind === 'email' ? value.trim().toLowerCase() : value);

const LOCAL_PART = /[\w.!#$%&'*+/=?^`{|}~-]/;
const USUAL_LOCAL_PART = /[\w.+-]/;
const DOMAIN = /[A-Za-z0-9.-]/;
const MAX_LOCAL_PART = 64;
const MAX_DOMAIN = 255;
const SLACK_ID = /\b[UW][A-Z0-9]{2,20}\b/g;

/** Finds the e-mails and Slack ids in a text. Names and platform ids look like other words and cannot be found. */
export function identifiersIn(text: string): Identifier[] {
  const identifiers: Identifier[] = (text.match(SLACK_ID) ?? []).map((value) => ({ kind: 'slackId', value }));
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    let first = at;
    while (first > 0 && at - first < MAX_LOCAL_PART && LOCAL_PART.test(text.charAt(first - 1))) first -= 1;
    let last = at + 1;
    while (last < text.length && last - at < MAX_DOMAIN && DOMAIN.test(text.charAt(last))) last += 1;
    while (last > at && /[.-]/.test(text.charAt(last - 1))) last -= 1;
    if (first === at || last <= at + 1) continue;
    const value = text.slice(first, last);
    identifiers.push({ kind: 'email', value });
    // In `--user=mia@acme.example`, the part before the last unusual sign rarely belongs to the e-mail.
    let inner = at;
    while (inner > first && USUAL_LOCAL_PART.test(text.charAt(inner - 1))) inner -= 1;
    if (inner > first && inner < at) identifiers.push({ kind: 'email', value: text.slice(inner, last) });
  }
  return identifiers;
}

/**
 * Replaces the e-mails, Slack ids and platform ids of erased people by pseudonyms. Names stay: as a value, such as that
 * of a setting, a name looks like any other word. Pure.
 */
export function withPseudonyms(text: string, pseudonyms: Pseudonyms): string {
  if (pseudonyms.isEmpty()) return text;
  const whole = pseudonyms.find({ kind: 'userId', value: text });
  if (whole !== undefined) return whole;
  return identifiersIn(text).reduce((replaced, identifier) => {
    const pseudonym = pseudonyms.find(identifier);
    return pseudonym === undefined ? replaced : replaced.replaceAll(identifier.value, pseudonym);
  }, text);
}

export function pseudonymsByHash(id: string, identifiers: Identifiers): Record<string, string> {
  return Object.fromEntries(
    IDENTIFIER_KINDS.flatMap((kind) =>
      identifiers[kind].map((value, position) => [hashIdentifier({ kind, value }), pseudonymOf(id, kind, position)]),
    ),
  );
}

export function createPseudonyms(byHash: ReadonlyMap<string, string>): Pseudonyms {
  return {
    isEmpty: () => byHash.size === 0,
    find: (identifier) => (byHash.size === 0 ? undefined : byHash.get(hashIdentifier(identifier))),
  };
}
