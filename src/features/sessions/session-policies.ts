import { deleteEntriesOfKind } from '../../core/store/audit.ts';
import { rowRetention } from '../../core/store/row-retention.ts';
import { bySlackId, type PoliciesOf } from '../../core/store/table-policy.ts';
import type { HookTables } from './hooks/core/session-tables.ts';
import { SESSION_KIND } from './seen.ts';

const SESSIONS = { table: 'hookSessions', key: ['id'], column: 'last_at' };

export const sessionPolicies: PoliciesOf<HookTables> = {
  hookTokens: { what: 'agent tokens', deleted: bySlackId('owner') },
  hookSessions: {
    what: 'agent sessions',
    deleted: bySlackId('owner'),
    retention: [
      rowRetention('sessions', SESSIONS),
      { kind: 'sessions', prune: (db, before) => deleteEntriesOfKind(db, SESSION_KIND, before) },
    ],
  },
  hookInboxes: { what: 'agent notices', deleted: bySlackId('owner') },
};
