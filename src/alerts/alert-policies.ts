import { sql } from 'kysely';
import type { Identifiers } from '../base/privacy/pseudonyms.ts';
import { bySlackId, isAmong, type PoliciesOf } from '../store/table-policy.ts';
import { marksRetention, removedRetention } from './budgets/core/budget-retention.ts';
import type { BudgetTables } from './budgets/core/budget-store.ts';
import type { LimitPeriodTables } from './heads-ups/limit-period.ts';
import { watchRetention, type WatchTables } from './unusual-days/unusual-day-store.ts';

const isOwnHeadsUp = ({ slackId }: Identifiers) => sql<boolean>`kind = 'heads_up' and ${isAmong('owner', slackId)}`;
const ofOwnHeadsUp = {
  references: ['budgets'],
  deleted: (identifiers: Identifiers) =>
    sql<boolean>`budget_id in (select id from budgets where ${isOwnHeadsUp(identifiers)})`,
};

export const alertPolicies: PoliciesOf<BudgetTables & LimitPeriodTables & WatchTables> = {
  budget_marks: {
    ...ofOwnHeadsUp,
    what: 'budget warnings',
    reasonToKeep: 'no warning comes twice',
    retention: [marksRetention],
  },
  budget_members: { ...ofOwnHeadsUp, what: 'budget members', reasonToKeep: 'sums of a group stay what they were' },
  budgets: {
    what: 'budgets and credit warnings',
    deleted: isOwnHeadsUp,
    reasonToKeep: 'others get their warnings',
    retention: [removedRetention],
  },
  limit_period: { what: 'who set the period of limits', reasonToKeep: 'the period is used' },
  usage_watch_members: {
    what: 'members of watched groups',
    reasonToKeep: 'a reported day is corrected for the same people',
  },
  usage_watch_days: {
    what: 'unusual days',
    references: ['usage_watch_members'],
    deleted: bySlackId('channel'),
    reasonToKeep: 'no day is reported twice',
    retention: [watchRetention],
  },
};
