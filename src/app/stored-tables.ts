import { askPolicies } from '../ask/ask-tables.ts';
import { alertPolicies } from '../alerts/alert-policies.ts';
import { analyticsPolicies } from '../analytics/reading/analytics-day-policy.ts';
import { computerPolicies } from '../computers/computer-policies.ts';
import { controlsPolicies, quotesSettings } from '../controls/controls-policies.ts';
import { disclosurePolicies } from '../disclosure/disclosure-log.ts';
import { erasurePolicies } from '../erasure/core/erasure-tables.ts';
import { exportPolicies } from '../exports/table.ts';
import { groupPolicies } from '../figures/groups/group-store.ts';
import { creditPricePolicies } from '../figures/money/price-store.ts';
import { limitPeriodPolicies } from '../figures/limit-period.ts';
import { limitPolicies } from '../limits/limit-policies.ts';
import { deliveryPolicies } from '../outbox/delivery-policies.ts';
import { readinessPolicies } from '../readiness/watch/readiness-watch-store.ts';
import { retentionPolicies } from '../retention/table.ts';
import { subscriptionPolicies } from '../schedule/subscription-table.ts';
import { sessionPolicies } from '../sessions/session-policies.ts';
import { pendingInteractionPolicies } from '../slack/inbound/pending/pending-interactions.ts';
import { seenEventPolicies } from '../slack/inbound/seen-events.ts';
import { storePolicies } from '../store/policies/store-policies.ts';
import type { TablePolicies } from '../store/policies/table-policy.ts';
import { chosenTeamPolicies } from '../figures/groups/chosen-teams.ts';
import { watchPolicies } from '../watches/channel-subscription-table.ts';
import { refusalPolicies } from '../watches/refusal-table.ts';

/** The tables of each folder of `src`. No list of features has them, because programs erase people without any feature. */
export const TABLES_BY_OWNER: Readonly<Record<string, TablePolicies>> = {
  analytics: analyticsPolicies,
  outbox: deliveryPolicies(quotesSettings),
  retention: retentionPolicies,
  schedule: subscriptionPolicies,
  watches: { ...watchPolicies, ...refusalPolicies },
  slack: { ...seenEventPolicies, ...pendingInteractionPolicies },
  sessions: sessionPolicies,
  readiness: readinessPolicies,
  computers: computerPolicies,
  alerts: alertPolicies,
  ask: askPolicies,
  disclosure: disclosurePolicies,
  figures: {
    ...groupPolicies,
    ...limitPeriodPolicies,
    ...creditPricePolicies,
    ...chosenTeamPolicies,
  },
  limits: limitPolicies,
  controls: controlsPolicies,
  store: storePolicies,
  erasure: erasurePolicies,
  exports: exportPolicies,
};

export const STORED_TABLES: TablePolicies = Object.assign({}, ...Object.values(TABLES_BY_OWNER));
