import type { ReadCommand } from '../../core/slack/interactions/interactions.ts';
import type { RoleDenial } from '../../core/slack/blocks/messages.ts';
import type { ParsedCommand } from '../../core/slack/commands/command-text.ts';
import { run, unexpected } from '../../core/slack/commands/subcommands.ts';
import { changeFor, modalFor, question, readVerb } from '../../core/slack/interactions/verbs.ts';
import type { PolicyDeps } from './policy-deps.ts';
import { POLICY_TITLE } from './screens/policy-form.ts';
import { showNewTeam, showOwnTeams, showTeam, showTeams } from './screens/team-handlers.ts';
import { showNewPolicy, showPolicies, showPolicy, stopPolicies } from './screens/policy-handlers.ts';

export type PoliciesCommand = { kind: 'show'; id?: string } | { kind: 'new' } | { kind: 'stop' };

const OF_POLICIES: RoleDenial = { what: 'Limit policies', role: 'admin', verb: 'are' };

/** The words after `/limits policies`. */
export function readPoliciesCommand(deps: PolicyDeps, words: readonly string[]): ReadCommand {
  return readVerb<PoliciesCommand>(parsePolicies(words), {
    show: ({ id }) =>
      changeFor(OF_POLICIES, (by) => (id === undefined ? showPolicies(deps, by) : showPolicy(deps, id, by))),
    new: () => modalFor(OF_POLICIES, POLICY_TITLE, (_by, opened) => showNewPolicy(deps, opened)),
    stop: () => changeFor(OF_POLICIES, (by) => stopPolicies(deps, by)),
  });
}

export type TeamsCommand = { kind: 'show'; id?: string } | { kind: 'new' };

const OF_TEAMS: RoleDenial = { what: '/limits teams', role: 'admin' };

/** The words after `/limits teams`. */
export function readTeamsCommand(deps: PolicyDeps, words: readonly string[]): ReadCommand {
  return readVerb<TeamsCommand>(parseTeams(words), {
    show: ({ id }) =>
      id === undefined
        ? { ...question((by) => showTeams(deps, by)), onlyFor: OF_TEAMS }
        : changeFor(OF_TEAMS, (by) => showPolicy(deps, id, by)),
    new: () => modalFor(OF_TEAMS, POLICY_TITLE, (_by, opened) => showNewTeam(deps, opened)),
  });
}

/** `/limits team`. @param groupId of the user group that was named */
export const readTeamCommand = (deps: PolicyDeps, groupId: string | undefined): ReadCommand =>
  question((by) => (groupId === undefined ? showOwnTeams(deps, by) : showTeam(deps, groupId, by)));

function parseTeams([first, ...rest]: readonly string[]): ParsedCommand<TeamsCommand> {
  if (first === undefined) return run({ kind: 'show' });
  const word = first.toLowerCase();
  if (rest.length > 0) return unexpected(rest[0], `teams ${word}`);
  return run(word === 'new' ? { kind: word } : { kind: 'show', id: word });
}

function parsePolicies([first, ...rest]: readonly string[]): ParsedCommand<PoliciesCommand> {
  if (first === undefined) return run({ kind: 'show' });
  const word = first.toLowerCase();
  if (rest.length > 0) return unexpected(rest[0], `policies ${word}`);
  return run(word === 'new' || word === 'stop' ? { kind: word } : { kind: 'show', id: word });
}
