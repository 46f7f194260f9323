import type { ToldFault } from '../slack/faults.ts';
import { escapeText } from '../slack/text.ts';

/** A part of the figures that could not be read, and what the person is told about it. */
export type PartFault = { part: string } & ToldFault;

/** The top-level text is mrkdwn too, and its lines may hold names from outside. */
export function escapeLines(lines: readonly string[]): string {
  return lines
    .filter((line) => line !== '')
    .map((line) => escapeText(line))
    .join('\n');
}

/** @example personName({ email: undefined, userId: 'u7', … }) // 'unknown e-mail (u7)' */
export function personName(person: { email: string | undefined; userId: string }): string {
  return person.email ?? `unknown e-mail (${person.userId})`;
}
