import { batchesOf } from '../../base/batches.ts';
import { dayOf, type Day } from '../../base/time/calendar.ts';
import { rowRetention } from '../../store/retention.ts';
import type { Database, DatabaseTransaction } from '../../store/tables.ts';

/** In what somebody’s figures were shown by name. */
export const LOOK_KINDS = [
  'usage',
  'overview',
  'list',
  'file',
  'digest',
  'budget',
  'watch',
  'limit_request',
  'limit_trial',
  'limit_review',
] as const;
export type LookKind = (typeof LOOK_KINDS)[number];

/** Anybody may be in it. */
const EVERYBODY = '';

/** Figures of single people, shown by name to somebody else. */
export interface Look {
  /** The Slack id of the person, or of the channel, that they were shown to. */
  looker: string;
  /** E-mails in lower case. */
  of: 'everybody' | readonly string[];
  what: LookKind;
}

interface FigureLookTable {
  looker: string;
  /** An e-mail in lower case; empty: everybody. */
  subject: string;
  what: string;
  /** UTC. */
  day: string;
}

declare module '../../store/tables.ts' {
  interface Tables {
    figure_looks: FigureLookTable;
  }
}

/**
 * Keeps that figures of single people were shown; once a day for each who looked, at whom and in what. It is kept before they
 * are shown: where it throws, they are not.
 *
 * @param self the looker’s own e-mail: one’s own figures are no look
 */
export async function noteLook(
  db: Database | DatabaseTransaction,
  { looker, of, what }: Look,
  now: Date,
  self?: string,
): Promise<void> {
  const subjects = of === 'everybody' ? [EVERYBODY] : [...new Set(of)].filter((email) => email !== self);
  const day = now.toISOString().slice(0, 10);
  for (const some of batchesOf(subjects, { maxItems: 200 })) {
    const rows = some.map((subject) => ({ looker, subject: subject.toLowerCase(), what, day }));
    await db
      .insertInto('figure_looks')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

export interface SeenLook {
  looker: string;
  isOfEverybody: boolean;
  what: LookKind;
  day: Day;
}

/** More rows than this say nothing more to a person. */
const MAX_READ = 2_000;

/** Who looked at somebody’s figures since a day, the newest first. */
export async function listLooks(db: Database, email: string, since: Day): Promise<SeenLook[]> {
  const rows = await db
    .selectFrom('figure_looks')
    .select(['looker', 'subject', 'what', 'day'])
    .where('subject', 'in', [email.toLowerCase(), EVERYBODY])
    .where('day', '>=', since)
    .orderBy('day', 'desc')
    .orderBy('looker')
    .orderBy('what')
    .limit(MAX_READ)
    .execute();
  return rows.flatMap(({ looker, subject, what, day }) => {
    const known = LOOK_KINDS.find((kind) => kind === what);
    return known ? [{ looker, isOfEverybody: subject === EVERYBODY, what: known, day }] : [];
  });
}

const LOOKS = { table: 'figure_looks', key: ['subject', 'day', 'looker', 'what'], column: 'day' };

export const lookRetention = (db: Database) => rowRetention(db, 'looks', LOOKS, dayOf);
