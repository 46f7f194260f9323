import { askPolicies } from './ask/ask-tables.ts';
import { alertPolicies } from './alerts/alert-policies.ts';
import { analyticsPolicies } from '../core/analytics/reading/analytics-day-policy.ts';
import { computerPolicies } from './computers/computer-policies.ts';
import { controlsPolicies, quotesSettings } from './controls/controls-policies.ts';
import { disclosurePolicies } from './disclosure/disclosure-log.ts';
import { erasurePolicies } from './erasure/core/erasure-tables.ts';
import { exportPolicies } from './exports/table.ts';
import { groupPolicies } from '../core/figures/groups/group-store.ts';
import { creditPricePolicies } from '../core/figures/money/price-list.ts';
import { limitPeriodPolicies } from '../core/figures/limit-period.ts';
import { limitPolicies } from './limits/limit-policies.ts';
import { shownLimitPolicies } from '../core/platform/capabilities/shown-limit-store.ts';
import { capabilityPolicies } from '../core/platform/capabilities/capability-store.ts';
import { policyTablePolicies } from './limit-policies/store/policy-tables.ts';
import { deliveryPolicies } from '../core/outbox/delivery-policies.ts';
import { readinessPolicies } from './readiness/watch/readiness-watch-store.ts';
import { retentionPolicies } from './retention/table.ts';
import { subscriptionPolicies } from '../core/schedule/subscription-table.ts';
import { sessionPolicies } from './sessions/session-policies.ts';
import { pendingInteractionPolicies } from '../core/slack/inbound/pending-interactions.ts';
import { seenEventPolicies } from '../core/slack/inbound/seen-events.ts';
import { storePolicies } from '../core/store/store-policies.ts';
import type { TablePolicies } from '../core/store/table-policy.ts';
import { chosenTeamPolicies } from '../core/figures/groups/chosen-teams.ts';
import { welcomePolicies } from './welcome/welcome-table.ts';
import { watchPolicies } from '../core/watches/channel-subscription-table.ts';
import { refusalPolicies } from '../core/watches/refusal-table.ts';

/** The tables of each folder of `src`. No list of features has them, because programs erase people without any feature. */
export const TABLES_BY_OWNER: Readonly<Record<string, TablePolicies>> = {
  analytics: analyticsPolicies,
  outbox: deliveryPolicies(quotesSettings),
  platform: { ...capabilityPolicies, ...shownLimitPolicies },
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
  'limit-policies': policyTablePolicies,
  controls: controlsPolicies,
  store: storePolicies,
  erasure: erasurePolicies,
  exports: exportPolicies,
  welcome: welcomePolicies,
};

export const STORED_TABLES: TablePolicies = Object.assign({}, ...Object.values(TABLES_BY_OWNER));
