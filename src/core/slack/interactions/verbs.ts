import type { RoleDenial } from '../blocks/messages.ts';
import type { ReadCommand, Run, RunInModal, SlashCommand } from './interactions.ts';
import type { FreshPerson, Person } from '../people/people.ts';
import { hasRole } from '../../base/roles.ts';
import type { ParsedCommand } from '../commands/command-text.ts';

/** One handler for each kind of request of a command. */
export type Verbs<Request extends { kind: string }> = {
  readonly [Kind in Request['kind']]: (request: Request & { kind: Kind }) => ReadCommand;
};

/** The words alone decide whether a modal opens, so that it opens at once. */
export function readVerb<Request extends { kind: string }>(
  parsed: ParsedCommand<Request>,
  verbs: Verbs<Request>,
): ReadCommand {
  if (parsed.kind !== 'run') return parsed;
  const kind: Request['kind'] = parsed.request.kind;
  return verbs[kind](parsed.request);
}

export const question = (run: Run): ReadCommand => ({ kind: 'run', isQuestion: true, run });
export const change = (run: Run, onlyFor?: RoleDenial): ReadCommand => ({ kind: 'run', run, onlyFor });
export const inModal = (title: string, run: RunInModal, onlyFor?: RoleDenial): ReadCommand => ({
  kind: 'modal',
  title,
  run,
  onlyFor,
});

/** The role of the person is read again from Slack. */
export const questionFor = (onlyFor: RoleDenial, run: Run<FreshPerson>): ReadCommand => ({
  kind: 'run',
  isQuestion: true,
  isRoleFresh: true,
  onlyFor,
  run,
});
export const changeFor = (onlyFor: RoleDenial, run: Run<FreshPerson>): ReadCommand => ({
  kind: 'run',
  isRoleFresh: true,
  onlyFor,
  run,
});
export const modalFor = (onlyFor: RoleDenial, title: string, run: RunInModal<FreshPerson>): ReadCommand => ({
  kind: 'modal',
  isRoleFresh: true,
  title,
  onlyFor,
  run,
});

/** Whether a person would get a refusal, as far as the words tell. */
export function isRefusedTo(
  person: Person,
  channel: string,
  { command, read }: { command: Pick<SlashCommand, 'role'>; read: ReadCommand },
): boolean {
  if (read.kind !== 'run' && read.kind !== 'modal') return false;
  return !hasRole(person.role, read.onlyFor?.role ?? command.role) || read.refuses?.(person, channel) === true;
}
