import { createHmac } from 'node:crypto';
import { canonical } from './json.ts';

/** Tells whether a value is another one than before, and nothing else about it. */
export type Fingerprint = (value: unknown) => string;

const FINGERPRINT_LENGTH = 12;

/** @param key without it nobody can try values until one fits */
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

/** What stands in place of a secret: that it is set, which one it is (to be compared, not to be read), and about how long. */
export function secretMark(value: unknown, fingerprint: Fingerprint): string {
  const text = typeof value === 'string' ? value : canonical(value);
  return `‹secret #${fingerprint(value)}, ${lengthClass(text.length)}›`;
}

/** What stands in place of what was too deep, too long or too much. */
export function cutMark(reason: string, value: unknown, fingerprint: Fingerprint): string {
  return `‹cut here: ${reason} #${fingerprint(value)}›`;
}

const SECRET_MARK = /^‹secret(?: #[0-9a-f]{12})?, [^‹›]{1,40}›$/;
const SECRET_MARKS = /‹secret(?: #[0-9a-f]{12})?, (?:up to 8|9–19|20–39|40–99|100 or more) characters›/g;
const FINGERPRINTS = / ?#[0-9a-f]{12}(?=[,›])/g;

const WHOLE_MARK = /^‹secret #[0-9a-f]{12}, (?:up to 8|9–19|20–39|40–99|100 or more) characters›$/;

/** Whether a text is exactly a mark as it is made here, in which nothing else can be hidden. */
export const isWholeMark = (text: string) => WHOLE_MARK.test(text);

/** Whether a text is a mark and nothing else. */
export const isSecretMark = (text: string) => SECRET_MARK.test(text);

/** A text for people: fingerprints are for comparing. */
export function withoutFingerprints(text: string): string {
  return text.replaceAll(FINGERPRINTS, '');
}

/** A text with only one sign in place of each hidden part. */
export function withoutMarks(text: string): string {
  // The part before an `@` is a name or a password, so it is hidden.
  return text.replaceAll(SECRET_MARKS, '‹').replaceAll('‹@', '‹');
}

/** A text for people in which parts are hidden: how long a secret is says something about it. */
export function withReadableMarks(text: string): string {
  return withoutFingerprints(text.replaceAll(SECRET_MARKS, '‹hidden›'));
}
