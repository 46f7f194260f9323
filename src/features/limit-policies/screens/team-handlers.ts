import { markup, mention, type Markup } from '../../../core/base/text/markup.ts';
import { countOf } from '../../../core/base/text/numbers.ts';
import { runCommandButton } from '../../../core/slack/blocks/messages.ts';
import { commandText, plainWord } from '../../../core/slack/commands/command-text.ts';
import type { OpenModal } from '../../../core/slack/blocks/views.ts';
import type { AttentionItem, Belongings, Interaction } from '../../../core/slack/interactions/interactions.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import { readLimitsOf } from '../../limits/core/ledger.ts';
import { teamOf } from '../rules/decide-team.ts';
import { teamsIn } from '../rules/policy-rules.ts';
import { isMemberOf } from '../live/outside-facts.ts';
import type { PolicyDeps } from '../policy-deps.ts';
import { listAgreed } from '../store/agreements.ts';
import { FIRST_VALUES, policyFormView } from './policy-form.ts';
import { readFormFacts } from './read-screens.ts';
import { listTeamRequests, listTeams, readTeamStates, type StoredTeam } from './read-teams.ts';
import { ownTeamsMessage, poolLine, teamsMessage, type TeamFacts } from './team-view.ts';

type By = Pick<Interaction, 'person' | 'reply'>;

/** `/limits teams`. */
export async function showTeams(deps: PolicyDeps, { person, reply }: By, news?: Markup): Promise<void> {
  const states = await readTeamStates(deps, await listTeams(deps.db), person);
  await reply.show(teamsMessage(states, deps.clock.now(), news));
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
  const [state] = await readTeamStates(deps, teams.slice(0, 1), { seesPeople: false });
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
  const items: AttentionItem[] = [];
  for (const { id, rules } of led) {
    const { length: count } = await listTeamRequests(deps.db, id);
    if (count === 0) continue;
    items.push({
      line: markup`⏳ *${countOf(count, 'request')} of @${rules.subject.handle} ${count === 1 ? 'waits' : 'wait'} for its leads.*`,
      button: runCommandButton('Open', '/limits', commandText`team`),
    });
  }
  return items;
}

/** `/limits team`: the teams that the person leads, and the one in which they count. */
export async function showOwnTeams(deps: PolicyDeps, { person, reply }: By): Promise<void> {
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
  const teams = (await listTeams(deps.db)).filter((team) => team.id === counted?.id || isLed(team));
  const states = await readTeamStates(deps, teams, person);
  const facts = await Promise.all(
    states.map(async (state): Promise<TeamFacts> => {
      const isLead = isLed(state.team);
      const group = own.find(({ id }) => id === state.team.rules.subject.id);
      return {
        state,
        isLead,
        people: isLead && group ? await readPeople(deps, group.emails, person) : undefined,
        requests: isLead ? await listTeamRequests(deps.db, state.team.id) : [],
      };
    }),
  );
  await reply.show(ownTeamsMessage(facts));
}

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
