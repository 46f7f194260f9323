import { formatAmount } from '../../../core/base/text/amounts.ts';
import { markup, type Markup } from '../../../core/base/text/markup.ts';
import { readStoreNow } from '../../../core/store/lease.ts';
import type { Team } from '../../../core/slack/people/directory.ts';
import { isActor, type Actor, type NamedPerson } from '../../limits/core/access.ts';
import type { LimitPerson, LimitRequest } from '../../limits/core/limit-tables.ts';
import { peopleOf } from '../../limits/core/requests.ts';
import type { DecideAsLead, LeadApproval, MaybeLead } from '../../limits/core/lead.ts';
import type { TeamOfRequest } from '../../limits/core/request-policies.ts';
import { warnAboutPool } from '../messages/policy-notices.ts';
import type { PolicyDeps } from '../policy-deps.ts';
import { referenceOf } from '../rules/decide.ts';
import { decideByTeam, leadsOf, teamOf, type TeamDecision } from '../rules/decide-team.ts';
import { teamsIn, type TeamPolicy } from '../rules/policy-rules.ts';
import { undoEndOf } from '../rules/windows.ts';
import { listAgreed } from '../store/agreements.ts';
import { insertCharge } from '../store/charges.ts';
import { findDecision } from '../store/policy-decisions.ts';
import { listActive } from '../store/policy-store.ts';
import { withPolicies, type PolicyDatabase, type PolicyTransaction } from '../store/policy-tables.ts';
import { reasonWords } from '../store/policy-words.ts';
import { takeTurn } from '../store/turn.ts';
import { forPeople, isBeforeGap, readFacts, readTeams } from './decide-request.ts';
import { isMemberOf, readOutsideFacts, readSharedFacts, type OutsideFacts } from './outside-facts.ts';

/** The request of one person about which the leads of a team were asked first. */
async function findTeamRequest(db: PolicyDatabase, requestId: string): Promise<LimitPerson | undefined> {
  const decision = await findDecision(db, requestId);
  if (decision?.outcome !== 'lead') return undefined;
  const [person, ...others] = await peopleOf(db, requestId, 2);
  return others.length === 0 ? person : undefined;
}

/** Slack as it is now: who left a team a minute ago is in none. Undefined if Slack doesn’t say. */
async function readOutsideNow(
  deps: PolicyDeps,
  { email, slackId }: Pick<LimitPerson, 'email' | 'slackId'>,
): Promise<{ outside: OutsideFacts; teams: readonly Team[] } | undefined> {
  const teams = await deps.people.teamsNow();
  if (!teams) return undefined;
  const shared = { ...(await readSharedFacts(deps)), teams };
  return { outside: await readOutsideFacts(deps, { email, slackId: slackId ?? undefined }, shared), teams };
}

/** The team in which the person counts now, under the agreed rules. */
async function findTeam(db: PolicyDatabase, groups: readonly string[], now: Date): Promise<TeamPolicy | undefined> {
  const { inForce } = await listAgreed(db, now);
  return teamOf(teamsIn(inForce), groups);
}

const leadsIn = ({ rules, isHeld }: TeamPolicy, teams: readonly Team[]): string[] =>
  isHeld ? [] : leadsOf(rules, teams);

/** Lets a person decide who leads the team of the request now; an admin decides as an admin. */
export async function asLead<Person extends Actor>(
  deps: PolicyDeps,
  person: Person,
  requestId: string,
): Promise<Person & MaybeLead> {
  if (person.role === 'admin') return person;
  const about = await findTeamRequest(deps.db, requestId);
  const read = about && (await readOutsideNow(deps, about));
  if (!read) return person;
  const team = await findTeam(deps.db, read.outside.groups, deps.clock.now());
  if (!team || !leadsIn(team, read.teams).includes(person.slackId)) return person;
  const { areEmailsUnsure } = await deps.knownEmails.complete(person);
  const decideAsLead = areEmailsUnsure
    ? () => Promise.resolve(refused(NO_EMAILS))
    : leadOf(deps, person, { about, ...read });
  return { ...person, isLead: true, decideAsLead };
}

/** Whether a person leads the teams of all these people now; without people, any team. */
export async function leadsAll(
  deps: PolicyDeps,
  { slackId }: Pick<Actor, 'slackId'>,
  people: readonly NamedPerson[],
): Promise<boolean> {
  const { inForce } = await listAgreed(deps.db, deps.clock.now());
  const candidates = teamsIn(inForce).filter(({ rules }) => rules.leads.includes(slackId));
  const groups = candidates.length === 0 ? undefined : await deps.people.teamsNow();
  if (!groups) return false;
  const led = candidates
    .filter((team) => leadsIn(team, groups).includes(slackId))
    .flatMap(({ rules }) => groups.find(({ id }) => id === rules.subject.id) ?? []);
  return (
    led.length > 0 &&
    people.every((one) =>
      led.some((group) =>
        isMemberOf(group, {
          emails: one.email ? [one.email.toLowerCase()] : [],
          slackIds: one.slackId ? [one.slackId] : [],
        }),
      ),
    )
  );
}

/** Whose leads are asked first. @returns undefined if no team was asked */
export async function readTeamOfRequest(deps: PolicyDeps, request: LimitRequest): Promise<TeamOfRequest | undefined> {
  const about = await findTeamRequest(deps.db, request.id);
  if (!about) return undefined;
  const read = await readOutsideNow(deps, about);
  const now = deps.clock.now();
  const team = read && (await findTeam(deps.db, read.outside.groups, now));
  if (!team) return NOBODY;
  const { handle } = team.rules.subject;
  const decision = await decideNow(deps, about, read.outside, about.toValue, now);
  if (decision.kind === 'up') return { handle, leads: [], channel: null };
  const leads = await withoutConcerned(deps, leadsIn(team, read.teams), request, about);
  return { handle, leads, channel: leads.length === 0 ? null : team.rules.channel };
}

/** Nobody is asked about what they requested, or what is for them under any e-mail. */
async function withoutConcerned(
  { people, knownEmails }: Pick<PolicyDeps, 'people' | 'knownEmails'>,
  leads: readonly string[],
  { requester, requesterEmail }: LimitRequest,
  { slackId, email }: LimitPerson,
): Promise<string[]> {
  const actors = await Promise.all(
    leads.map(async (lead) => knownEmails.complete({ slackId: lead, email: (await people.describe(lead))?.email })),
  );
  return actors
    .filter(
      (actor) => !isActor({ slackId: requester, email: requesterEmail }, actor) && !isActor({ slackId, email }, actor),
    )
    .map((actor) => actor.slackId);
}

const NOBODY: TeamOfRequest = { handle: undefined, leads: [], channel: null };

async function decideNow(
  deps: PolicyDeps,
  about: LimitPerson,
  outside: OutsideFacts,
  amount: number,
  now: Date,
  db: PolicyDatabase = deps.db,
): Promise<TeamDecision> {
  const { inForce } = await listAgreed(db, now);
  const request = await db
    .selectFrom('limitRequests')
    .select('until')
    .where('id', '=', about.requestId)
    .executeTakeFirst();
  const until = request?.until ? new Date(request.until) : undefined;
  const asked = { id: about.requestId, amount, until, people: 1, trigger: 'request' as const };
  const facts = await readFacts(db, deps, asked, outside, inForce, now);
  const active = await listActive(db);
  const hasGap = active.some((policy) => isBeforeGap(policy, outside));
  return decideByTeam({
    ...forPeople(facts, teamsIn(inForce), outside, hasGap),
    ...(await readTeams(db, inForce)),
  });
}

interface Read {
  about: LimitPerson;
  outside: OutsideFacts;
  teams: readonly Team[];
}

/** Decides in turn with the policies, under the rules and charges as they are then. */
function leadOf(deps: PolicyDeps, { slackId }: Actor, { about, outside, teams }: Read): DecideAsLead {
  return async (limitTrx, approved) => {
    const trx = withPolicies(limitTrx);
    await takeTurn(trx);
    const now = await readStoreNow(trx);
    const team = await findTeam(trx, outside.groups, now);
    if (!team || !leadsIn(team, teams).includes(slackId)) return refused(NOT_LEAD);
    if (!approved) return { kind: 'allowed' };
    const decision = await decideNow(deps, about, outside, approved.amount, now, trx);
    if (decision.kind === 'up') return refused(becauseOf(decision));
    const { end } = decision;
    if (end && approved.lowestReturn !== undefined && approved.lowestReturn < end.returnTo)
      return refused(markup`A lead can’t lower a limit: afterwards it is ${formatAmount(end.returnTo)} again.`);
    return {
      kind: 'allowed',
      approve: (request) => approveAsLead(trx, deps, { request, by: slackId, about, decision }, now),
    };
  };
}

const refused = (because: Markup): LeadApproval => ({ kind: 'refused', because });

const NO_EMAILS = markup`Quartermaster can’t read from the platform which e-mails are yours. Try again later, or let an admin decide.`;
const NOT_LEAD = markup`You no longer lead the team of this person, so an admin decides.`;

const becauseOf = ({ reason, policy }: Extract<TeamDecision, { kind: 'up' }>): Markup =>
  policy
    ? markup`This goes to an admin: ${reasonWords(reason)} (@${policy.rules.subject.handle}).`
    : markup`This goes to an admin: ${reasonWords(reason)}.`;

interface ApprovedByLead {
  request: LimitRequest;
  by: string;
  about: LimitPerson;
  decision: Extract<TeamDecision, { kind: 'lead' }>;
}

/** Charges the pool, and gives the raise its end. In the transaction of the decision. */
async function approveAsLead(
  trx: PolicyTransaction,
  { config }: Pick<PolicyDeps, 'config'>,
  { request, by, about, decision: { policy, end, charge, pool, left } }: ApprovedByLead,
  now: Date,
): Promise<LimitRequest> {
  const { id } = request;
  const { email, slackId } = about;
  await insertCharge(trx, policy, { ...charge, requestId: id, email, slackId, until: end?.until, by }, now);
  await warnAboutPool(trx, policy, { ...pool, charged: pool.credits - left }, now);
  await trx
    .updateTable('limitPolicyDecisions')
    .set({ at: now.toISOString(), requestedUntil: request.until, requestedReturn: about.returnValue })
    .where('requestId', '=', id)
    .execute();
  await trx
    .updateTable('limitRequestPeople')
    .set({ returnValue: end?.returnTo ?? null, returnsToNone: end?.returnsToNone ? 1 : null })
    .where('requestId', '=', id)
    .execute();
  const { version, name } = referenceOf(policy);
  return trx
    .updateTable('limitRequests')
    .set({
      until: end?.until.toISOString() ?? null,
      policyId: policy.id,
      policyName: name,
      policyVersion: version,
      undoUntil: undoEndOf(now, config.timeZone).toISOString(),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
