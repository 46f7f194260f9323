import type { RequestPolicies } from '../limits/core/request-policies.ts';
import type { LimitDeps } from '../limits/core/limits-deps.ts';
import { applyDecision, decideInTurn } from './live/decide-request.ts';
import { readOutsideFacts } from './live/outside-facts.ts';
import { withholdStopped } from './live/withhold.ts';
import { readPoliciesCommand } from './policies-command.ts';
import type { PolicyDeps } from './policy-deps.ts';
import { readPolicyOnCard } from './screens/card-lines.ts';
import { decisionsOf } from './store/policy-decisions.ts';
import { hasActive } from './store/policy-store.ts';
import { withPolicies } from './store/policy-tables.ts';

/** What policies decide about requests, for the feature of limits. */
export function createRequestPolicies(limits: Omit<LimitDeps, 'policies'>): RequestPolicies {
  const deps: PolicyDeps = { ...limits, db: withPolicies(limits.db) };
  return {
    readCommand: (words) => readPoliciesCommand(deps, words),
    prepare: async ({ kind, people: [only, ...others], until }) => {
      if (kind !== 'ask' || only === undefined || others.length > 0 || !(await hasActive(deps.db))) return undefined;
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
    onCard: (request) => readPolicyOnCard(deps.db, request),
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
