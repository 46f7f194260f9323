import { sql } from 'kysely';
import type { Identifiers } from '../../core/base/privacy/pseudonyms.ts';
import { bySlackId, isAmong, type PoliciesOf } from '../../core/store/table-policy.ts';
import { marksRetention, removedRetention } from './budgets/core/budget-retention.ts';
import type { BudgetTables } from './budgets/core/budget-store.ts';
import { retiringPolicies } from './retiring-models/retiring-store.ts';
import { watchRetention, type WatchTables } from './unusual-days/unusual-day-store.ts';

const isOwnHeadsUp = ({ slackId }: Identifiers) => sql<boolean>`kind = 'heads_up' and ${isAmong('owner', slackId)}`;
const ofOwnHeadsUp = {
  references: ['budgets'],
  deleted: (identifiers: Identifiers) =>
    sql<boolean>`budget_id in (select id from budgets where ${isOwnHeadsUp(identifiers)})`,
};

export const alertPolicies: PoliciesOf<BudgetTables & WatchTables> & typeof retiringPolicies = {
  ...retiringPolicies,
  budgetMarks: {
    ...ofOwnHeadsUp,
    what: 'budget warnings',
    reasonToKeep: 'no warning comes twice',
    retention: [marksRetention],
  },
  budgetMembers: { ...ofOwnHeadsUp, what: 'budget members', reasonToKeep: 'sums of a group stay what they were' },
  budgets: {
    what: 'budgets and credit warnings',
    deleted: isOwnHeadsUp,
    reasonToKeep: 'others get their warnings',
    retention: [removedRetention],
  },
  usageWatchMembers: {
    what: 'members of watched groups',
    reasonToKeep: 'a reported day is corrected for the same people',
  },
  usageWatchDays: {
    what: 'unusual days',
    references: ['usageWatchMembers'],
    deleted: bySlackId('channel'),
    reasonToKeep: 'no day is reported twice',
    retention: [watchRetention],
  },
};
