import { deleteEntriesOfKind } from '../store/audit.ts';
import { rowRetention, type Retention } from '../store/row-retention.ts';
import type { Database } from '../store/tables.ts';
import { SESSION_KIND } from './seen.ts';

const SESSIONS = { table: 'hookSessions', key: ['id'], column: 'lastAt' };

export function sessionRetention(db: Database): Retention[] {
  return [
    rowRetention(db, 'sessions', SESSIONS),
    { kind: 'sessions', prune: (before) => deleteEntriesOfKind(db, SESSION_KIND, before) },
  ];
}
