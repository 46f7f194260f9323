import type { PoliciesOf } from '../store/table-policy.ts';

/** The state last announced to the admins, by topic, so that each change is announced once. */
interface RefusalNoticeTable {
  topic: 'platform_key' | 'user_groups' | 'controls_history' | 'figures' | 'readiness' | 'shown_limits';
  state: 'refused' | 'accepted';
  since: string;
}

/** All processes write it. All times are ISO 8601 in UTC with milliseconds. */
export interface SourceReadingTable {
  source: 'figures' | 'readiness';
  /** What was read, such as `tokens`: one may fail while the others are read. */
  part: string;
  readAt: string | null;
  /** Null while it is read. */
  failingSince: string | null;
  failedAt: string | null;
  /** A sentence. */
  lastError: string | null;
}

export type RefusalTables = {
  statusNotices: RefusalNoticeTable;
  sourceReadings: SourceReadingTable;
};

export const refusalPolicies: PoliciesOf<RefusalTables> = {
  statusNotices: { what: 'notices to admins' },
  sourceReadings: { what: 'when the platform was last read' },
};
