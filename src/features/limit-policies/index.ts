import type { Feature } from '../../core/feature.ts';
import type { LimitsParts } from '../limits/index.ts';
import { runPolicies } from './live/run-policies.ts';
import { lineMessages } from './messages/daily-line.ts';
import { noticeMessages } from './messages/write-policy-notices.ts';
import { onlyHereAction, onlyHereStatus } from './screens/only-here-status.ts';
import { policiesHome, readPolicyAttention } from './screens/policies-home.ts';
import { policyActions, policyForms } from './screens/policy-handlers.ts';
import { withPolicies } from './store/policy-tables.ts';

/** Right after the requests of limits. */
const HOME_ORDER = 6;

export function createLimitPoliciesFeature({ deps: limits, sending }: LimitsParts): Feature {
  const deps = { ...limits, db: withPolicies(limits.db) };
  return {
    name: 'limit-policies',
    actions: [...policyActions(deps), onlyHereAction(deps)],
    forms: policyForms(deps),
    jobs: [
      {
        name: 'run-limit-policies',
        cron: '* * * * *',
        purpose: 'sets first limits by policies, and posts their daily line',
        run: runPolicies(deps, sending),
      },
    ],
    homeSections: [{ order: HOME_ORDER, role: 'admin', read: () => policiesHome(deps) }],
    attention: [{ role: 'admin', read: () => readPolicyAttention(deps) }],
    adminStatus: () => onlyHereStatus(deps),
    messages: [...lineMessages(deps), ...noticeMessages(deps)],
  };
}
