import type { RequestPolicies } from '../limits/core/request-policies.ts';
import type { LimitDeps } from '../limits/core/limits-deps.ts';
import { applyDecision, decideInTurn } from './live/decide-request.ts';
import { asLead, leadsAll, readTeamOfRequest } from './live/leads.ts';
import { readOutsideFacts } from './live/outside-facts.ts';
import { withholdStopped } from './live/withhold.ts';
import { readPoliciesCommand, readTeamCommand, readTeamsCommand } from './policies-command.ts';
import type { PolicyDeps } from './policy-deps.ts';
import { readPolicyOnCard } from './screens/card-lines.ts';
import { deleteCharge } from './store/charges.ts';
import { readPoolLine } from './screens/team-handlers.ts';
import { decisionsOf, findDecision } from './store/policy-decisions.ts';
import { hasActive } from './store/policy-store.ts';
import { withPolicies } from './store/policy-tables.ts';

/** What policies decide about requests, for the feature of limits. */
export function createRequestPolicies(limits: Omit<LimitDeps, 'policies'>): RequestPolicies {
  const deps: PolicyDeps = { ...limits, db: withPolicies(limits.db) };
  return {
    readCommand: (words) => readPoliciesCommand(deps, words),
    readTeamsCommand: (words) => readTeamsCommand(deps, words),
    readTeamCommand: (groupId) => readTeamCommand(deps, groupId),
    prepare: async ({ kind, people: [only, ...others], until }) => {
      // A policy grants amounts; a removal is for people to decide.
      if (kind !== 'ask' || only === undefined || only.removes || others.length > 0) return undefined;
      if (!(await hasActive(deps.db))) return undefined;
      const outside = await readOutsideFacts(deps, only);
      return async (limitTrx, request, now) => {
        const trx = withPolicies(limitTrx);
        const asked = { id: request.id, amount: only.to, until, people: 1, trigger: 'request' as const };
        const live = await decideInTurn(trx, deps, asked, outside);
        await applyDecision(trx, deps, request, live, now);
        return live.decision.kind === 'grant';
      };
    },
    withhold: (request, sendings, cardTarget) => withholdStopped(deps, request, sendings, cardTarget),
    onCard: (request) => readPolicyOnCard(deps, request),
    poolLineOf: (about) => readPoolLine(deps, about),
    isForTeam: async (requestId) => (await findDecision(deps.db, requestId))?.outcome === 'lead',
    teamOf: (request) => readTeamOfRequest(deps, request),
    leadsAll: (person, people) => leadsAll(deps, person, people),
    asLead: (person, requestId) => asLead(deps, person, requestId),
    releaseCharge: (trx, requestId) => deleteCharge(withPolicies(trx), requestId),
    versionsOf: async (requestIds) => {
      const decisions = await decisionsOf(deps.db, requestIds);
      return new Map(
        [...decisions].flatMap(([id, { policyId, policyName, policyVersion }]) =>
          policyId === null ? [] : [[id, { policyId, policyName, policyVersion }] as const],
        ),
      );
    },
  };
}
