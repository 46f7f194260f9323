import { markup, mention, type Markup } from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import { plainMessage, runCommandButton } from '../../../core/slack/blocks/messages.ts';
import { commandText, plainWord } from '../../../core/slack/commands/command-text.ts';
import type { OpenModal } from '../../../core/slack/blocks/views.ts';
import type { AttentionItem, Belongings, Interaction } from '../../../core/slack/interactions/interactions.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import { readLimitsOf } from '../../limits/core/ledger.ts';
import { hasRole } from '../../../core/base/roles.ts';
import { leadsOf, teamOf } from '../rules/decide-team.ts';
import { teamsIn } from '../rules/policy-rules.ts';
import { isMemberOf } from '../live/outside-facts.ts';
import type { PolicyDeps } from '../policy-deps.ts';
import { listAgreed } from '../store/agreements.ts';
import { FIRST_VALUES, policyFormView } from './policy-form.ts';
import { readFormFacts } from './read-screens.ts';
import { countTeamRequests, listTeamRequests, listTeams, readTeamStates, type StoredTeam } from './read-teams.ts';
import { ownTeamsMessage, poolLine, teamsMessage, type TeamFacts } from './team-view.ts';

type By = Pick<Interaction, 'person' | 'reply'>;

/** `/limits teams`. */
export async function showTeams(deps: PolicyDeps, { person, reply }: By, news?: Markup): Promise<void> {
  const states = await readTeamStates(deps, await listTeams(deps.db), person);
  await reply.show(teamsMessage(states, await deps.people.teamsNow(), deps.clock.now(), news));
}

export async function showNewTeam(deps: PolicyDeps, opened: OpenModal): Promise<void> {
  const order = String((await listTeams(deps.db)).length + 1);
  const values = { ...FIRST_VALUES, kind: 'team', subject: '', order };
  await opened.show(policyFormView(await readFormFacts(deps, true), values, ''));
}

/** @param about `@web-team` */
export async function readPoolLine(deps: PolicyDeps, about: string): Promise<Markup | undefined> {
  const teams = (await listTeams(deps.db)).filter(
    ({ state, rules }) => state === 'active' && about === `@${rules.subject.handle}`,
  );
  const [state] = await readTeamStates(deps, teams.slice(0, 1), { role: 'member', seesPeople: false });
  return state?.pool && poolLine(state.pool);
}

/** The teams that somebody who left leads. */
export const teamBelongings =
  ({ db }: Pick<PolicyDeps, 'db'>): Belongings =>
  async ({ slackId }) =>
    slackId === undefined
      ? []
      : (await listTeams(db))
          .filter(({ rules }) => rules.leads.includes(slackId))
          .map(({ id, rules }) => ({
            lines: [markup`Leads @${rules.subject.handle} in its pool of credits`],
            buttons: [runCommandButton('Open', '/limits', commandText`teams ${plainWord(id)}`)],
          }));

/** What waits for the leads of a team, in App Home. */
export async function readLeadAttention(deps: PolicyDeps, person: Person): Promise<AttentionItem[]> {
  const { inForce } = await listAgreed(deps.db, deps.clock.now());
  const led = teamsIn(inForce).filter(({ isHeld, rules }) => !isHeld && rules.leads.includes(person.slackId));
  if (led.length === 0) return [];
  const waiting = await countTeamRequests(deps.db);
  return led.flatMap(({ id, rules }) => {
    const count = waiting.get(id) ?? 0;
    if (count === 0) return [];
    const line = markup`⏳ *${countOf(count, 'request')} of @${rules.subject.handle} ${count === 1 ? 'waits' : 'wait'} for its leads.*`;
    return [{ line, button: runCommandButton('Open', '/limits', commandText`team`) }];
  });
}

/** `/limits team @web-team`: what the person sees of this team. @param groupId of the user group */
export async function showTeam(deps: PolicyDeps, groupId: string, by: By): Promise<void> {
  if (!hasRole(by.person.role, 'admin')) return showOwnTeams(deps, by, groupId);
  const teams = (await listTeams(deps.db)).filter(({ rules }) => rules.subject.id === groupId);
  if (teams.length === 0) return by.reply.show(plainMessage(NO_TEAM));
  const states = await readTeamStates(deps, teams, by.person);
  await by.reply.show(teamsMessage(states, await deps.people.teamsNow(), deps.clock.now()));
}

const NO_TEAM = 'This user group has no leads: admins decide about the limits of its people.';

/** `/limits team`: the teams that the person leads, and the one in which they count. */
export async function showOwnTeams(deps: PolicyDeps, { person, reply }: By, groupId?: string): Promise<void> {
  const groups = (await deps.people.teamsNow()) ?? [];
  const emails = person.email === undefined ? [] : [person.email];
  const own = groups.filter((group) => isMemberOf(group, { emails, slackIds: [person.slackId] }));
  const ids = own.map(({ id }) => id);
  const { inForce } = await listAgreed(deps.db, deps.clock.now());
  const agreed = teamsIn(inForce);
  const counted = teamOf(agreed, ids);
  const isLed = (team: StoredTeam) =>
    agreed.some(
      ({ id, isHeld, rules }) =>
        id === team.id && !isHeld && rules.leads.includes(person.slackId) && ids.includes(rules.subject.id),
    );
  const teams = (await listTeams(deps.db)).filter(
    (team) => (team.id === counted?.id || isLed(team)) && (groupId === undefined || team.rules.subject.id === groupId),
  );
  if (teams.length === 0 && groupId !== undefined) return reply.show(plainMessage(NOT_THEIRS));
  const ownLimit = await readLimitsOf(deps, emails);
  const states = await readTeamStates(deps, teams, person);
  const facts = await Promise.all(
    states.map(async (state): Promise<TeamFacts> => {
      const isLead = isLed(state.team);
      const seesOthers = isLead && person.isReadByModel !== true;
      const group = own.find(({ id }) => id === state.team.rules.subject.id);
      return {
        state,
        leads: leadsOf(state.team.rules, groups),
        isLead,
        limit: person.email === undefined ? undefined : ownLimit(person.email),
        people: seesOthers && group ? await readPeople(deps, group.emails, person) : [],
        requests: seesOthers ? await listTeamRequests(deps.db, state.team.id) : [],
      };
    }),
  );
  await reply.show(ownTeamsMessage(facts));
}

const NOT_THEIRS = 'You neither lead this team nor count in it: type /limits team to see yours.';

async function readPeople(
  deps: PolicyDeps,
  emails: readonly string[],
  { email: own }: Person,
): Promise<TeamFacts['people']> {
  const known = await readLimitsOf(deps, emails);
  const accounts = await deps.people.findByEmails(emails);
  return emails
    .filter((email) => email !== own)
    .map((email) => {
      const slackId = accounts?.get(email);
      return { who: slackId === undefined ? markup`${email}` : mention(slackId), limit: known(email) };
    });
}
