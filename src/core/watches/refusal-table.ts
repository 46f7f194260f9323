import type { PoliciesOf } from '../store/table-policy.ts';

/** The state last announced to the admins, by topic, so that each change is announced once. */
interface RefusalNoticeTable {
  topic: 'platform_key' | 'user_groups' | 'controls_history';
  state: 'refused' | 'accepted';
  since: string;
}

export type RefusalTables = {
  statusNotices: RefusalNoticeTable;
};

export const refusalPolicies: PoliciesOf<RefusalTables> = { statusNotices: { what: 'notices to admins' } };
