import { commandText } from '../slack/commands/command-text.ts';
import type { Interaction, ReadCommand } from '../slack/interactions.ts';
import { didYouMean } from '../slack/commands/command-words.ts';
import { helpMessage, plainMessage } from '../slack/blocks/messages.ts';
import { markup, mention } from '../base/text/markup.ts';
import { APPROVERS_TITLE } from './approvers/approvers-form.ts';
import { showApproversForm } from './approvers/approvers-handlers.ts';
import { ASK_TITLE } from './ask/request-form.ts';
import { showAskForm } from './ask/request-limit-handlers.ts';
import { sendAudit } from './views/audit-csv.ts';
import { showEnding } from './ending/ending-view.ts';
import { DECLARE_TITLE } from './declare/declare-form.ts';
import { showDeclareForm } from './declare/declare-handlers.ts';
import { IMPORT_TITLE } from './import/import-form.ts';
import { showImportForm } from './import/import-limits-handlers.ts';
import { periodMessage, showList } from './views/request-list.ts';
import type { LimitDeps } from './core/limits-deps.ts';
import { listNewest, listRequests } from './core/requests.ts';
import { unknownRequest } from './core/state-text.ts';
import { WAITING } from './core/states.ts';
import { POLICY_TITLE } from './policies/screens/policy-form.ts';
import { showNewPolicy, showPolicies, showPolicy, stopPolicies } from './policies/screens/policy-handlers.ts';
import { showSimulation } from './simulate/simulate-limits-handlers.ts';
import { personMessage, showMessage } from './views/request.ts';
import { LIMITS_HELP, parseLimits, type LimitsCommand } from './limits-command.ts';

/** Decides from the words alone whether `/limits` opens a modal, so that it opens at once. */
export function readLimitsCommand(deps: LimitDeps, words: readonly string[], now: Date): ReadCommand {
  const parsed = parseLimits(words, now);
  if (parsed.kind !== 'run') return parsed;
  const { request: command } = parsed;
  if (command.kind === 'ask')
    return { kind: 'modal', title: ASK_TITLE, run: (by, modal) => showAskForm(deps, command.words, by, modal) };
  if (command.kind === 'import')
    return { kind: 'modal', title: IMPORT_TITLE, run: (by, modal) => showImportForm(deps, by, modal) };
  if (command.kind === 'declare')
    return {
      kind: 'modal',
      title: DECLARE_TITLE,
      isRoleFresh: true,
      run: (by, opened) => showDeclareForm(deps, by, opened),
    };
  if (command.kind === 'approvers')
    return {
      kind: 'modal',
      title: APPROVERS_TITLE,
      isRoleFresh: true,
      run: (by, opened) => showApproversForm(deps, by, opened),
    };
  if (command.kind === 'audit')
    return {
      kind: 'run',
      isQuestion: true,
      isFile: true,
      isRoleFresh: true,
      run: (interaction) => sendAudit(deps, command.days, interaction),
    };
  if (command.kind === 'ending')
    return { kind: 'run', isQuestion: true, isRoleFresh: true, run: (interaction) => showEnding(deps, interaction) };
  if (command.kind === 'new_policy')
    return {
      kind: 'modal',
      title: POLICY_TITLE,
      isRoleFresh: true,
      run: (by, opened) => showNewPolicy(deps, by, opened),
    };
  if (command.kind === 'policies' || command.kind === 'stop_policies') return readPolicies(deps, command);
  return { kind: 'run', isQuestion: true, run: (interaction) => runCommand(deps, command, interaction) };
}

type PoliciesCommand = Extract<LimitsCommand, { kind: 'policies' | 'stop_policies' }>;

function readPolicies(deps: LimitDeps, command: PoliciesCommand): ReadCommand {
  return {
    kind: 'run',
    isRoleFresh: true,
    run: (by) => {
      if (command.kind === 'stop_policies') return stopPolicies(deps, by);
      return command.id === undefined ? showPolicies(deps, by) : showPolicy(deps, command.id, by);
    },
  };
}

type RunCommand = Exclude<
  LimitsCommand,
  {
    kind: 'ask' | 'import' | 'declare' | 'approvers' | 'audit' | 'ending' | 'policies' | 'new_policy' | 'stop_policies';
  }
>;

async function runCommand(deps: LimitDeps, command: RunCommand, interaction: Interaction): Promise<void> {
  const { person, reply } = interaction;
  switch (command.kind) {
    case 'list':
      return command.days ? reply.show(await periodMessage(deps, person, command.days)) : showList(deps, interaction);
    case 'simulate':
      return showSimulation(deps, command, interaction);
    case 'show':
      return showRequest(deps, command.id, interaction);
    case 'email':
      return reply.show(
        await personMessage(deps, { email: command.email, name: markup`${command.email}` }, interaction),
      );
    case 'me':
      return runCommand(deps, { kind: 'person', slackId: person.slackId }, interaction);
    case 'person': {
      const email = (await deps.people.describe(command.slackId))?.email;
      if (email === undefined) return reply.show(plainMessage(NO_EMAIL));
      return reply.show(await personMessage(deps, { email, name: mention(command.slackId) }, interaction));
    }
    default:
      return command satisfies never;
  }
}

const NO_EMAIL = 'Slack shows no e-mail for them, and the platform knows people by e-mail. Type their e-mail instead.';
const MAX_KNOWN = 200;

/** For an unknown id, shows the help with the id that was most likely meant. */
async function showRequest(deps: LimitDeps, id: string, { person, reply }: Interaction): Promise<void> {
  const message = await showMessage(deps, id, person);
  if (message) return reply.show(message);
  const [waiting, newest] = await Promise.all([
    listRequests(deps.db, WAITING, person.slackId),
    listNewest(deps.db, MAX_KNOWN, person.slackId),
  ]);
  const meant = didYouMean(
    id,
    [...waiting, ...newest].map((one) => one.id),
  );
  const corrected = meant === undefined ? undefined : commandText`show ${meant}`;
  await reply.show(helpMessage(LIMITS_HELP, { sentence: unknownRequest(id), corrected }));
}
