import { deleteEntriesOfKind } from '../store/audit.ts';
import { rowRetention, type Retention } from '../store/row-retention.ts';
import { SESSION_KIND } from './seen.ts';

const SESSIONS = { table: 'hook_sessions', key: ['id'], column: 'last_at' };

export const sessionRetention: readonly Retention[] = [
  rowRetention('sessions', SESSIONS),
  { kind: 'sessions', prune: (db, before) => deleteEntriesOfKind(db, SESSION_KIND, before) },
];
