import type { PoliciesOf } from '../store/policies/table-policy.ts';

/** The state last announced to the admins, by topic, so that each change is announced once. */
interface StatusNoticeTable {
  topic: 'platform_key' | 'user_groups';
  state: 'refused' | 'accepted';
  since: string;
}

export type StatusTables = {
  statusNotices: StatusNoticeTable;
};

export const statusPolicies: PoliciesOf<StatusTables> = { statusNotices: { what: 'notices to admins' } };
