import type { Interaction, ReadCommand } from '../../core/slack/interactions/interactions.ts';
import { plainMessage, unknownIdMessage, type RoleDenial } from '../../core/slack/blocks/messages.ts';
import { inModal, modalFor, question, questionFor, readVerb } from '../../core/slack/interactions/verbs.ts';
import { markup, mention } from '../../core/base/text/markup.ts';
import type { Person } from '../../core/slack/people/people.ts';
import { APPROVERS_TITLE } from './approvers/approvers-form.ts';
import { showApproversForm } from './approvers/approvers-handlers.ts';
import { ASK_TITLE } from './ask/request-form.ts';
import { showBlockedForm } from './ask/blocked-form.ts';
import { showAskForm } from './ask/request-limit-handlers.ts';
import { sendAudit } from './views/audit-csv.ts';
import { showEnding } from './views/ending-view.ts';
import { DECLARE_TITLE } from './declare/declare-form.ts';
import { showDeclareForm } from './declare/declare-handlers.ts';
import { IMPORT_TITLE } from './import/import-form.ts';
import { showImportForm } from './import/import-limits-handlers.ts';
import { openMessage, periodMessage, showList } from './views/request-list.ts';
import type { LimitDeps } from './core/limits-deps.ts';
import { listNewest, listRequests } from './core/requests.ts';
import { unknownRequest } from './core/state-text.ts';
import { WAITING } from './core/states.ts';
import { denialTo, showSimulation } from './simulate/simulate-limits-handlers.ts';
import { personMessage, showMessage } from './views/request.ts';
import { denialOf } from './core/access.ts';
import { LIMITS_HELP, parseLimits, type LimitsCommand } from './limits-command.ts';

const admins = (what: string): RoleDenial => ({ what, role: 'admin' });

export function readLimitsCommand(deps: LimitDeps, words: readonly string[], now: Date): ReadCommand {
  return readVerb<LimitsCommand>(parseLimits(words, now), {
    list: ({ days }) =>
      question(async (by) => (days ? by.reply.show(await periodMessage(deps, by.person, days)) : showList(deps, by))),
    ask: ({ words: asked }) => ({
      ...inModal(ASK_TITLE, (by, opened) => showAskForm(deps, asked, by, opened)),
      // A lead may, too, which only Slack can say; words offer it to those who surely may.
      refuses: (person) =>
        asked.people.length + asked.emails.length > 0 && denialOf({ action: 'ask_for_others' }, person) !== undefined,
    }),
    blocked: () => inModal(ASK_TITLE, (by, opened) => showBlockedForm(deps, '', by, opened)),
    import: () =>
      inModal(IMPORT_TITLE, (by, opened) => showImportForm(deps, by, opened), {
        what: '/limits import',
        role: 'manager',
      }),
    declare: () => modalFor(admins('/limits declare'), DECLARE_TITLE, (_by, opened) => showDeclareForm(deps, opened)),
    approvers: () =>
      modalFor(admins('/limits approvers'), APPROVERS_TITLE, (_by, opened) => showApproversForm(deps, opened)),
    audit: ({ days }) => ({ ...questionFor(admins('The audit'), (by) => sendAudit(deps, days, by)), isFile: true }),
    ending: () => questionFor(admins('/limits ending'), (by) => showEnding(deps, by)),
    policies: ({ words: rest }) => deps.policies.readCommand(rest),
    teams: ({ words: rest }) => deps.policies.readTeamsCommand(rest),
    team: ({ groupId }) => deps.policies.readTeamCommand(groupId),
    simulate: (request) => ({
      ...question((by) => showSimulation(deps, request, by)),
      refuses: (person) => denialTo(person, '/limits simulate') !== undefined,
    }),
    show: ({ id }) => question((by) => showRequest(deps, id, by)),
    withdraw: ({ id }) => question((by) => showOwnOpen(deps, id, by)),
    me: () => question((by) => showPerson(deps, by.person.slackId, by)),
    person: ({ slackId }) => ({
      ...question((by) => showPerson(deps, slackId, by)),
      refuses: (person) => isLedgerDenied(person, slackId === person.slackId),
    }),
    email: ({ email }) => ({
      ...question(async (by) => by.reply.show(await personMessage(deps, { email, name: markup`${email}` }, by))),
      refuses: (person) => isLedgerDenied(person, email === person.email),
    }),
  });
}

const isLedgerDenied = (person: Person, isOwnLimit: boolean) =>
  denialOf({ action: 'see_ledger', isOwnLimit }, person) !== undefined;

async function showPerson(deps: LimitDeps, slackId: string, by: Interaction): Promise<void> {
  const email = (await deps.people.describe(slackId))?.email;
  if (email === undefined) return by.reply.show(plainMessage(NO_EMAIL));
  await by.reply.show(await personMessage(deps, { email, name: mention(slackId) }, by));
}

const NO_EMAIL = 'Slack shows no e-mail for them, and the platform knows people by e-mail. Type their e-mail instead.';
const MAX_KNOWN = 200;

/** Words change nothing: each of one’s own open requests has a button that withdraws it. */
async function showOwnOpen(deps: LimitDeps, id: string | undefined, { person, reply }: Interaction): Promise<void> {
  const own = await listRequests(deps.db, WAITING, person.slackId);
  const meant = id === undefined ? own : own.filter((one) => one.id === id);
  if (id === undefined || meant.length > 0) return reply.show(await openMessage(deps, person, meant));
  const ids = own.map((one) => one.id);
  const sentence = `You have no open request “${id}”.`;
  await reply.show(unknownIdMessage(LIMITS_HELP, { word: 'withdraw', id, ids, sentence }));
}

/** For an unknown id, shows the help with the id that was most likely meant. */
async function showRequest(deps: LimitDeps, id: string, { person, reply }: Interaction): Promise<void> {
  const message = await showMessage(deps, id, person);
  if (message) return reply.show(message);
  const [waiting, newest] = await Promise.all([
    listRequests(deps.db, WAITING, person.slackId),
    listNewest(deps.db, MAX_KNOWN, person.slackId),
  ]);
  const ids = [...waiting, ...newest].map((one) => one.id);
  await reply.show(unknownIdMessage(LIMITS_HELP, { word: 'show', id, ids, sentence: unknownRequest(id) }));
}
