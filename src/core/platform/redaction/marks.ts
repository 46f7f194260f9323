import { createHmac } from 'node:crypto';
import { canonical } from './json.ts';

/** Reveals whether a value differs from an earlier one, and nothing else about it. */
export type Fingerprint = (value: unknown) => string;

const FINGERPRINT_LENGTH = 12;

/** @param key secret: with it, values could be tried until one fits */
export function createFingerprint(key: string): Fingerprint {
  return (value) => createHmac('sha256', key).update(canonical(value)).digest('hex').slice(0, FINGERPRINT_LENGTH);
}

const LENGTH_CLASSES = [
  [8, 'up to 8 characters'],
  [19, '9–19 characters'],
  [39, '20–39 characters'],
  [99, '40–99 characters'],
] as const;

function lengthClass(length: number): string {
  return LENGTH_CLASSES.find(([most]) => length <= most)?.[1] ?? '100 or more characters';
}

/** The mark shows that a value is set, a fingerprint for comparison, and its approximate length. */
export function secretMark(value: unknown, fingerprint: Fingerprint): string {
  const text = typeof value === 'string' ? value : canonical(value);
  return `‹secret #${fingerprint(value)}, ${lengthClass(text.length)}›`;
}

/** Returns the mark of a part that was too deep, too long or too large. */
export function cutMark(reason: string, value: unknown, fingerprint: Fingerprint): string {
  return `‹cut here: ${reason} #${fingerprint(value)}›`;
}

const SECRET_MARK = /^‹secret(?: #[0-9a-f]{12})?, [^‹›]{1,40}›$/;
const SECRET_MARKS = /‹secret(?: #[0-9a-f]{12})?, (?:up to 8|9–19|20–39|40–99|100 or more) characters›/g;
const FINGERPRINTS = / ?#[0-9a-f]{12}(?=[,›])/g;

const WHOLE_MARK = /^‹secret #[0-9a-f]{12}, (?:up to 8|9–19|20–39|40–99|100 or more) characters›$/;

/** Whether a text is exactly a mark as made by `secretMark`, in which nothing else can be hidden. */
export const isWholeMark = (text: string) => WHOLE_MARK.test(text);

export const isSecretMark = (text: string) => SECRET_MARK.test(text);

/** Fingerprints are only for comparisons, not for people. */
export const withoutFingerprints = (text: string): string => text.replaceAll(FINGERPRINTS, '');

export function withoutMarks(text: string): string {
  // The part before an `@` is a name or a password, so it is hidden.
  return text.replaceAll(SECRET_MARKS, '‹').replaceAll('‹@', '‹');
}

/** Replaces each mark by `‹hidden›` in a text for people: a length would reveal something about a secret. */
export function withReadableMarks(text: string): string {
  return withoutFingerprints(text.replaceAll(SECRET_MARKS, '‹hidden›'));
}
