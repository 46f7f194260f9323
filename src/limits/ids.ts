/** Letters and digits that nobody mistakes for each other, read aloud or typed on a phone. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyz23456789';
const LENGTH = 5;

/**
 * The short id of a request, which people type.
 *
 * @param random from 0 to below 1
 */
export function makeRequestId(random: () => number): string {
  return Array.from({ length: LENGTH }, () => SIGNS[Math.floor(random() * SIGNS.length)] ?? 'a').join('');
}

/** @example returnIdOf('k7m2x') // 'k7m2x-back' */
export function returnIdOf(id: string): string {
  return `${id}-back`;
}

/** What the audit says a request is. */
export const auditSubject = (id: string) => `limits:${id}`;
