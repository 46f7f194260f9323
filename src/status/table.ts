import type { PoliciesOf } from '../store/table-policy.ts';

/** The state last announced to the admins, by topic, so that each change is announced once. */
interface StatusNoticeTable {
  topic: 'platform_key';
  state: 'refused' | 'accepted';
  since: string;
}

export type StatusTables = {
  status_notices: StatusNoticeTable;
};

export const statusPolicies: PoliciesOf<StatusTables> = { status_notices: { what: 'notices to admins' } };
