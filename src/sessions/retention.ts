import { forgetEntriesAbout } from '../store/audit.ts';
import { untilNothingIsLeft, type Retention } from '../store/retention.ts';
import type { Database } from '../store/tables.ts';
import { forgetHookSessions } from './hooks/core/sessions.ts';
import { withHooks } from './hooks/core/tables.ts';
import { SESSION_KIND } from './seen.ts';

/** Deletes what agents told of sessions, and who looked at which. */
export function sessionRetention(db: Database): Retention[] {
  return [
    { kind: 'sessions', prune: (before) => untilNothingIsLeft(() => forgetHookSessions(withHooks(db), before)) },
    { kind: 'sessions', prune: (before) => forgetEntriesAbout(db, SESSION_KIND, before) },
  ];
}
