import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import type { Day } from '../../../base/time/calendar.ts';
import { retryPaused } from '../../../outbox/attempts/paused.ts';
import type { PauseChange } from '../../../watches/pausing.ts';
import { jsonColumn } from '../../../store/json-column.ts';
import type { Database, DatabaseTransaction, Tables } from '../../../store/tables.ts';
import { periodRuleSchema, priceSchema, subjectSchema, thresholdsSchema, type Budget } from './budget.ts';
import type { Basis, RecordedThreshold } from './decide.ts';

interface BudgetTable extends Pick<Budget, 'id' | 'kind' | 'credits' | 'channel'> {
  followsLimit: number;
  name: string | null;
  period: string;
  subject: string;
  thresholds: string;
  price: string | null;
  namesPeople: number;
  owner: string | null;
  state: 'active' | 'paused' | 'removed';
  setUpOn: string;
  /** 0 until the thresholds that are reached at the start are recorded: they cause no message. */
  isArmed: number;
  /** Increases with each change. */
  version: number;
  createdAt: string;
  changedAt: string;
  changedBy: string | null;
}

/** The people whose credits were counted: the members of a team change. */
interface MembersTable {
  budgetId: string;
  /** 0, 1, 2 …; the highest is in effect. */
  revision: number;
  emails: string;
  at: string;
}

/** See `RecordedThreshold`. The primary key allows one message for each threshold, period and amount. */
interface MarkTable extends Omit<RecordedThreshold, 'basis'> {
  budgetId: string;
  periodFirst: string;
  basis: Basis | 'summary';
  /** The revision of the members; -1 if there are none. */
  members: number;
  spent: number;
  deliveryKey: string | null;
  at: string;
}

export type BudgetTables = { budgets: BudgetTable; budgetMembers: MembersTable; budgetMarks: MarkTable };

export const tablesIn = (db: Kysely<Tables>) => db.withTables<BudgetTables>();

export type MarkRow = Selectable<MarkTable>;
export type ThresholdRow = MarkRow & RecordedThreshold;

type BudgetRow = Selectable<BudgetTable>;
export type StoredBudget = Budget &
  Pick<BudgetRow, 'state' | 'setUpOn' | 'version' | 'changedAt' | 'changedBy'> & { isBaselineTaken: boolean };

/** A paused one is evaluated once, to record the thresholds that are reached at its start. */
export const isEvaluated = ({ state, isBaselineTaken }: Pick<StoredBudget, 'state' | 'isBaselineTaken'>): boolean =>
  state === 'active' || (state === 'paused' && !isBaselineTaken);

export const periodColumn = jsonColumn(periodRuleSchema);
const subjectColumn = jsonColumn(subjectSchema);
const thresholdsColumn = jsonColumn(thresholdsSchema);
const priceColumn = jsonColumn(priceSchema);

const toBudget = (row: BudgetRow): StoredBudget => ({
  ...row,
  followsLimit: row.followsLimit === 1,
  name: row.name ?? undefined,
  period: periodColumn.read(row.period),
  subject: subjectColumn.read(row.subject),
  thresholds: thresholdsColumn.read(row.thresholds),
  price: row.price === null ? undefined : priceColumn.read(row.price),
  namesPeople: row.namesPeople === 1,
  owner: row.owner ?? undefined,
  isBaselineTaken: row.isArmed === 1,
});

/** The terms that a change may set: all except the subject, the period and the recipient. */
export type BudgetTerms = Pick<Budget, 'name' | 'credits' | 'thresholds' | 'price' | 'namesPeople'>;

const termColumns = ({ name, credits, thresholds, price, namesPeople }: BudgetTerms) => ({
  name: name ?? null,
  credits,
  thresholds: thresholdsColumn.write(thresholds),
  price: price ? priceColumn.write(price) : null,
  namesPeople: namesPeople ? 1 : 0,
});

const rhythmColumns = ({ period, followsLimit }: Pick<Budget, 'period' | 'followsLimit'>) => ({
  period: periodColumn.write(period),
  followsLimit: followsLimit ? 1 : 0,
});

/** @returns `false` if the id is taken */
export async function insertBudget(trx: DatabaseTransaction, budget: Budget, now: Date): Promise<boolean> {
  const at = now.toISOString();
  const { id, kind, channel, owner = null } = budget;
  const terms = { ...termColumns(budget), ...rhythmColumns(budget), subject: subjectColumn.write(budget.subject) };
  const times = { setUpOn: at.slice(0, 10), createdAt: at, changedAt: at };
  const inserted = await tablesIn(trx)
    .insertInto('budgets')
    .values({ id, kind, channel, owner, changedBy: owner, ...terms, ...times, state: 'active', isArmed: 0, version: 0 })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** Thresholds that are already reached cause no message. @returns `false` if the budget changed since it was read */
export async function changeTerms(
  trx: DatabaseTransaction,
  { id, version }: Pick<StoredBudget, 'id' | 'version'>,
  terms: BudgetTerms,
  by: string | null,
  now: Date,
): Promise<boolean> {
  const updated = await tablesIn(trx)
    .updateTable('budgets')
    .set({ ...termColumns(terms), isArmed: 0, version: version + 1, changedAt: now.toISOString(), changedBy: by })
    .where((where) => where.and({ id, version }))
    .where('state', '!=', 'removed')
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

/** Reactivates a budget with a fixed id, for this period and recipient. A paused one stays paused. */
export async function reviveBudget(
  trx: DatabaseTransaction,
  id: string,
  budget: Pick<Budget, 'period' | 'channel' | 'followsLimit'>,
  now: Date,
): Promise<void> {
  await tablesIn(trx)
    .updateTable('budgets')
    .set((set) => ({
      ...rhythmColumns(budget),
      channel: budget.channel,
      state: set
        .case()
        .when('state', '=', 'paused')
        .then('paused' as const)
        .else('active' as const)
        .end(),
      changedAt: now.toISOString(),
    }))
    .where('id', '=', id)
    .execute();
}

/** Sets up a budget with a fixed id, or reactivates it with these terms; its reported thresholds are kept. */
export async function putBudget(trx: DatabaseTransaction, budget: Budget, by: string | null, now: Date): Promise<void> {
  if (await insertBudget(trx, budget, now)) return;
  await reviveBudget(trx, budget.id, budget, now);
  const storedBudget = await findBudget(trx, budget.id, budget.kind);
  if (storedBudget) await changeTerms(trx, storedBudget, budget, by, now);
}

/** @returns `false` if it was already removed */
export async function removeBudget(
  trx: DatabaseTransaction,
  id: string,
  by: string | null,
  now: Date,
): Promise<boolean> {
  const updated = await tablesIn(trx)
    .updateTable('budgets')
    .set({ state: 'removed', changedAt: now.toISOString(), changedBy: by })
    .where('id', '=', id)
    .where('state', '!=', 'removed')
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

/** @returns `false` if another person was faster */
export async function changePause(
  trx: DatabaseTransaction,
  { id }: Pick<StoredBudget, 'id'>,
  { change, by }: { change: PauseChange; by: string },
  now: Date,
): Promise<boolean> {
  const [from, state] = change === 'pause' ? (['active', 'paused'] as const) : (['paused', 'active'] as const);
  const updated = await tablesIn(trx)
    .updateTable('budgets')
    .set({ state, changedAt: now.toISOString(), changedBy: by })
    .where((where) => where.and({ id, state: from }))
    .executeTakeFirst();
  if (updated.numUpdatedRows === 0n) return false;
  if (change === 'resume') await retryPaused(trx, now);
  return true;
}

/** Lists paused ones too. */
export async function listBudgets(db: Database, kind: Budget['kind'] = 'budget'): Promise<StoredBudget[]> {
  const rows = await tablesIn(db)
    .selectFrom('budgets')
    .selectAll()
    .where('kind', '=', kind)
    .where('state', '!=', 'removed')
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map(toBudget);
}

/** Finds one even if it was removed: its messages are still followed. */
export async function findStoredBudget(
  db: Database | DatabaseTransaction,
  id: string,
  kind: Budget['kind'] = 'budget',
): Promise<StoredBudget | undefined> {
  const row = await tablesIn(db)
    .selectFrom('budgets')
    .selectAll()
    .where((where) => where.and({ id, kind }))
    .executeTakeFirst();
  return row && toBudget(row);
}

/**
 * Finds one that is active or paused.
 * @param kind which kind the user may see: a heads-up is visible to its owner alone
 */
export async function findBudget(...query: Parameters<typeof findStoredBudget>): Promise<StoredBudget | undefined> {
  const budget = await findStoredBudget(...query);
  return budget?.state === 'removed' ? undefined : budget;
}

export const isPaused = async (db: Database, id: string, kind: Budget['kind']): Promise<boolean> =>
  (await findBudget(db, id, kind))?.state === 'paused';

const emailsColumn = jsonColumn(z.array(z.string()));

export type Members = Omit<MembersTable, 'budgetId' | 'emails'> & { emails: readonly string[] };

/** Returns all revisions of a budget’s members, oldest first; empty for budgets of the organization or of a model. */
export async function listMembers(db: Database | DatabaseTransaction, budgetId: string): Promise<Members[]> {
  const rows = await tablesIn(db)
    .selectFrom('budgetMembers')
    .selectAll()
    .where('budgetId', '=', budgetId)
    .orderBy('revision')
    .execute();
  return rows.map(({ revision, emails, at }) => ({ revision, emails: emailsColumn.read(emails), at }));
}

/** @returns `false` if another process was faster */
export async function insertMembers(
  trx: DatabaseTransaction,
  budgetId: string,
  { revision, emails }: Pick<Members, 'revision' | 'emails'>,
  now: Date,
): Promise<boolean> {
  const inserted = await tablesIn(trx)
    .insertInto('budgetMembers')
    .values({ budgetId, revision, emails: emailsColumn.write(emails), at: now.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** Returns the marks of these budgets whose periods begin on or after a day. */
export async function listMarks(db: Database, ids: readonly string[], since: Day): Promise<Map<string, MarkRow[]>> {
  if (ids.length === 0) return new Map();
  const rows = await tablesIn(db)
    .selectFrom('budgetMarks')
    .selectAll()
    .where('budgetId', 'in', ids)
    .where('periodFirst', '>=', since)
    .orderBy('at')
    .execute();
  return Map.groupBy(rows, (row) => row.budgetId);
}

export const isThreshold = (row: MarkRow): row is ThresholdRow => row.basis !== 'summary';
