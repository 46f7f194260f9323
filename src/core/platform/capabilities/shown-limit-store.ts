import { batchesOf, eachInTurns } from '../../base/time/turns.ts';
import { readDataGap } from '../../store/data-gap.ts';
import type { PoliciesOf } from '../../store/table-policy.ts';
import { isAmong } from '../../store/table-policy.ts';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../store/tables.ts';
import type { LimitsInForce } from '../endpoints/shown-limits.ts';
import { showsLimits, type Capability } from './capability.ts';
import { readCapability } from './capability-store.ts';
import { shownOfText, textOfShown, type ShownLimit } from './shown-limit.ts';

interface PlatformLimitTable {
  /** Lower case; `*` for everybody without a limit of their own. */
  email: string;
  /** What the platform showed last. */
  shown: string;
  /** What it showed before that; null if it was never read before. */
  shownBefore: string | null;
  /** The reading that showed it first. */
  changedAt: string;
  /** 0: admins may have to be told. */
  isTold: number;
}

export type ShownLimitTables = { platformLimits: PlatformLimitTable };

export const shownLimitPolicies: PoliciesOf<ShownLimitTables> = {
  platformLimits: {
    what: 'limits that the platform showed last',
    deleted: ({ email }) => isAmong('email', email),
    reasonToKeep: 'the limits of others are used',
    people: { where: (email) => sql<boolean>`email = ${email}`, read: ({ email }) => [{ email }] },
  },
};

/** The key of the limit for everybody without a limit of their own. */
export const EVERYBODY = '*';
/** Shown before, and no longer. */
export const ABSENT = 'absent';
const ROWS_A_QUERY = 500;
const ROWS_A_TURN = 5_000;

const tablesIn = (db: Database) => db.withTables<ShownLimitTables>();

/**
 * Stores what changed since the last reading.
 *
 * @param at when the reading began
 * @param isBaseline nobody is told what changed before it
 */
export async function storeShownLimits(
  trx: DatabaseTransaction,
  { everybody, own }: LimitsInForce,
  { at, isBaseline }: { at: Date; isBaseline: boolean },
): Promise<void> {
  const tables = tablesIn(trx);
  if (isBaseline) await tables.updateTable('platformLimits').set({ isTold: 1 }).where('isTold', '=', 0).execute();
  const stored = new Map<string, string>();
  for await (const { email, shown } of eachInTurns(
    await tables.selectFrom('platformLimits').select(['email', 'shown']).execute(),
    ROWS_A_TURN,
  ))
    stored.set(email, shown);
  const isFirst = !stored.has(EVERYBODY);
  const changed: PlatformLimitTable[] = [];
  const note = (email: string, shown: string) => {
    const before = stored.get(email);
    if (before === shown) return;
    const row = { email, shown, shownBefore: isFirst ? null : (before ?? ABSENT), changedAt: at.toISOString() };
    changed.push({ ...row, isTold: isFirst || isBaseline ? 1 : 0 });
  };
  note(EVERYBODY, textOfShown(everybody === null ? { kind: 'unlimited' } : { kind: 'everybody', value: everybody }));
  for await (const [email, value] of eachInTurns(own, ROWS_A_TURN))
    note(email, textOfShown(value === undefined ? { kind: 'unclear' } : { kind: 'own', value }));
  for await (const [email] of eachInTurns(stored, ROWS_A_TURN))
    if (email !== EVERYBODY && !own.has(email)) note(email, ABSENT);
  for (const rows of batchesOf(changed, { maxItems: ROWS_A_QUERY }))
    await tables
      .insertInto('platformLimits')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('email').doUpdateSet((row) => ({
          shown: row.ref('excluded.shown'),
          shownBefore: row.ref('excluded.shownBefore'),
          changedAt: row.ref('excluded.changedAt'),
          isTold: row.ref('excluded.isTold'),
        })),
      )
      .execute();
}

export type ChangedLimit = Pick<PlatformLimitTable, 'email' | 'shown' | 'changedAt'> & { shownBefore: string };

const MAX_UNTOLD = 500;

/** Returns the limits that the platform shows differently than before, if nobody was told. */
export async function listUntold(db: Database): Promise<ChangedLimit[]> {
  const rows = await tablesIn(db)
    .selectFrom('platformLimits')
    .selectAll()
    .where('isTold', '=', 0)
    .orderBy('changedAt')
    .orderBy('email')
    .limit(MAX_UNTOLD)
    .execute();
  return rows.map(({ email, shown, shownBefore, changedAt }) => ({
    email,
    shown,
    shownBefore: shownBefore ?? ABSENT,
    changedAt,
  }));
}

/**
 * Whether a backup was restored after the last reading. Its limits are older than what was set here and told since, so
 * that the next reading is compared with nothing.
 */
export async function isShownBeforeRestore(db: Database, limits: Capability | undefined): Promise<boolean> {
  const gap = await readDataGap(db);
  return gap?.reason === 'went_back' && limits?.readAt !== undefined && limits.readAt < gap.until;
}

/** @returns those that no other process marked, and that did not change again */
export async function markTold(trx: DatabaseTransaction, changes: readonly ChangedLimit[]): Promise<ChangedLimit[]> {
  const taken: ChangedLimit[] = [];
  for (const change of changes) {
    const { email, changedAt } = change;
    const { numUpdatedRows } = await tablesIn(trx)
      .updateTable('platformLimits')
      .set({ isTold: 1 })
      .where((where) => where.and({ email, changedAt, isTold: 0 }))
      .executeTakeFirst();
    if (numUpdatedRows > 0n) taken.push(change);
  }
  return taken;
}

/** If the platform shows them again, the next reading is the first. */
export async function forgetShownLimits(trx: DatabaseTransaction): Promise<void> {
  await tablesIn(trx).deleteFrom('platformLimits').execute();
}

/** The limits of the last reading. */
export interface LastShownLimits {
  /** When that reading began. */
  at: Date;
  /** Whether the platform still shows them. */
  isCurrent: boolean;
  /** For people without a limit of their own. */
  forEverybody: ShownLimit;
  of: (email: string) => ShownLimit;
}

/** @returns undefined if the platform does not show limits */
export async function readShownLimits(db: Database, emails: readonly string[]): Promise<LastShownLimits | undefined> {
  const capability = await readCapability(db, 'limits');
  if (!capability || !showsLimits(capability)) return undefined;
  const { state, readAt: at } = capability;
  if (at === undefined) return undefined;
  const rows = new Map<string, string>();
  for (const piece of batchesOf([EVERYBODY, ...emails], { maxItems: ROWS_A_QUERY }))
    for (const { email, shown } of await tablesIn(db)
      .selectFrom('platformLimits')
      .select(['email', 'shown'])
      .where('email', 'in', piece)
      .execute())
      rows.set(email, shown);
  const everybody = rows.get(EVERYBODY);
  if (everybody === undefined) return undefined;
  const forEverybody = shownOfText(everybody);
  return {
    at,
    isCurrent: state === 'reads',
    forEverybody,
    of: (email) => {
      const own = rows.get(email);
      return own === undefined || own === ABSENT ? forEverybody : shownOfText(own);
    },
  };
}
