import type { Computer } from '../../core/platform/endpoints/computers.ts';
import type { Database } from '../../core/store/tables.ts';
import type { AuditEntry } from '../../core/store/audit.ts';
import { parseSession } from './session-command.ts';

export interface SeenSession {
  id: string;
  /** The newest known time. */
  at: Date;
  /** The computer whose dependencies the session installs. */
  computer: string | undefined;
  viewedAt: Date | undefined;
}

export const MAX_SEEN = 20;
const MAX_VIEWS = 200;

export const VIEWED = 'looked at';
export const SAVED = 'saved';
/** Recorded after a reading, if the platform does not know the session. */
export const NOT_FOUND = 'not found';

export const SESSION_KIND = 'session';
const SUBJECT = `${SESSION_KIND}:`;
export const sessionSubject = (id: string) => `${SUBJECT}${id}`;

export type SessionView = Pick<AuditEntry, 'about' | 'at' | 'action'>;

export async function readViews(db: Database, slackId: string): Promise<SessionView[]> {
  return db
    .selectFrom('audit')
    .select(['about', 'at', 'action'])
    .where('about', 'like', `${SUBJECT}%`)
    .where('actor', '=', slackId)
    .orderBy('at', 'desc')
    .orderBy('position', 'desc')
    .limit(MAX_VIEWS)
    .execute();
}

/** Returns each session once, newest first; unknown ids are left out. */
export function seenSessions(computers: readonly Computer[], views: readonly SessionView[]): SeenSession[] {
  const seen = new Map<string, SeenSession>();
  for (const one of [...installsOf(computers), ...viewedSessions(views)]) {
    const existing = seen.get(one.id);
    seen.set(one.id, existing ? merge(existing, one) : one);
  }
  return [...seen.values()].toSorted((a, b) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? -1 : 1));
}

const merge = (a: SeenSession, b: SeenSession): SeenSession => ({
  id: a.id,
  at: a.at > b.at ? a.at : b.at,
  computer: a.computer ?? b.computer,
  viewedAt: a.viewedAt ?? b.viewedAt,
});

function installsOf(computers: readonly Computer[]): SeenSession[] {
  return computers.flatMap(({ name, createdAt, provisioningSteps }) =>
    provisioningSteps.flatMap(({ installSessionId: id, startedAt }) => {
      const at = [startedAt, createdAt]
        .map((value) => new Date(value ?? Number.NaN))
        .find((date) => !Number.isNaN(date.getTime()));
      // The platform may use an id that no command accepts.
      const isAskable = id !== null && id !== undefined && parseSession([id]).kind === 'run';
      return isAskable ? [{ id, at: at ?? new Date(0), computer: name, viewedAt: undefined }] : [];
    }),
  );
}

function viewedSessions(views: readonly SessionView[]): SeenSession[] {
  return [...Map.groupBy(views, ({ about }) => about)].flatMap(([about, own]) => {
    const successful = own.filter(({ action }) => action !== NOT_FOUND);
    const misses = own.length - successful.length;
    const [newest] = successful;
    if (!newest || successful.length <= misses) return [];
    const at = new Date(newest.at);
    return [{ id: about.slice(SUBJECT.length), at, computer: undefined, viewedAt: at }];
  });
}
