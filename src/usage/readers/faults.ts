import type { Naming } from '../../slack/people/audience.ts';
import type { UserError } from '../../slack/blocks/faults.ts';

/** A part of the figures that could not be read, and what the person is told about it. */
export type PartFault = { part: string } & UserError;

/** @example personName({ email: undefined, userId: 'u7', … }, naming) // 'unknown e-mail (u7)' */
export function personName(person: { email: string | undefined; userId: string }, _naming: Naming): string {
  return person.email ?? `unknown e-mail (${person.userId})`;
}
