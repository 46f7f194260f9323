import { deleteEntriesOfKind } from '../store/audit.ts';
import { rowRetention } from '../store/row-retention.ts';
import { bySlackId, type PoliciesOf } from '../store/table-policy.ts';
import type { HookTables } from './hooks/core/session-tables.ts';
import { SESSION_KIND } from './seen.ts';

const SESSIONS = { table: 'hook_sessions', key: ['id'], column: 'last_at' };

export const sessionPolicies: PoliciesOf<HookTables> = {
  hook_tokens: { what: 'agent tokens', deleted: bySlackId('owner') },
  hook_sessions: {
    what: 'agent sessions',
    deleted: bySlackId('owner'),
    retention: [
      rowRetention('sessions', SESSIONS),
      // The audit of readers.
      { kind: 'sessions', prune: (db, before) => deleteEntriesOfKind(db, SESSION_KIND, before) },
    ],
  },
  hook_inboxes: { what: 'agent notices', deleted: bySlackId('owner') },
};
