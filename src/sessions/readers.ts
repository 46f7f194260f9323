import { hasRole, type RequiredRole } from '../base/roles.ts';
import { plainMessage, roleSentence } from '../slack/blocks/messages.ts';
import type { Interaction } from '../slack/interactions.ts';
import type { FreshPerson } from '../slack/people/people.ts';

type Run = (by: Interaction<FreshPerson>) => Promise<void>;

/** Lets nobody read sessions who may not, and tells them what they may. */
export function forReaders(role: RequiredRole): (run: Run) => Run {
  const refusal = roleSentence('Reading sessions', role, {
    instead: 'For your own agent type /session notify or /session mine.',
  });
  return (run) => (by) => (hasRole(by.person.role, role) ? run(by) : by.reply.show(plainMessage(refusal)));
}
