import type { Feature } from '../../core/feature.ts';
import type { LimitsParts } from '../limits/index.ts';
import { runPolicies } from './live/run-policies.ts';
import { lineMessages } from './messages/daily-line.ts';
import { sumUpPools } from './messages/pool-summaries.ts';
import { noticeMessages } from './messages/write-policy-notices.ts';
import { lowerAction, lowerTeamForm } from './screens/lower-form.ts';
import { onlyHereAction, onlyHereDetails, onlyHereStatus } from './screens/only-here-status.ts';
import { policiesHome, readPolicyAttention } from './screens/policies-home.ts';
import { policyActions, policyForms } from './screens/policy-handlers.ts';
import { readLeadAttention, teamBelongings } from './screens/team-handlers.ts';
import { withPolicies } from './store/policy-tables.ts';

/** Right after the requests of limits. */
const HOME_ORDER = 6;

export function createLimitPoliciesFeature({ deps: limits, sending }: LimitsParts): Feature {
  const deps = { ...limits, db: withPolicies(limits.db) };
  return {
    name: 'limit-policies',
    actions: [...policyActions(deps), lowerAction(deps), onlyHereAction(deps)],
    forms: [...policyForms(deps), lowerTeamForm(deps)],
    jobs: [
      {
        name: 'run-limit-policies',
        cron: '* * * * *',
        purpose: 'sets first limits by policies, and posts their daily line',
        run: runPolicies(deps, sending),
      },
      {
        name: 'sum-up-team-pools',
        cron: '20 * * * *',
        purpose: 'tells leads and admins what became of the pool of a team',
        run: () => sumUpPools(deps),
      },
    ],
    homeSections: [{ order: HOME_ORDER, role: 'admin', read: () => policiesHome(deps) }],
    attention: [
      { role: 'admin', read: () => readPolicyAttention(deps) },
      { role: 'member', read: (person) => readLeadAttention(deps, person) },
    ],
    belongingsOf: teamBelongings(deps),
    adminStatus: () => onlyHereStatus(deps),
    adminDetails: () => onlyHereDetails(deps),
    messages: [...lineMessages(deps), ...noticeMessages(deps)],
  };
}
