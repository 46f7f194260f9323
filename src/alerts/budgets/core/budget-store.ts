import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import type { Day } from '../../../base/time/calendar.ts';
import type { Database, DatabaseTransaction, Tables } from '../../../store/tables.ts';
import { periodRuleSchema, priceSchema, subjectSchema, thresholdsSchema, type Budget } from './budget.ts';
import type { Basis, RecordedThreshold } from './decide.ts';

interface BudgetTable {
  id: string;
  kind: Budget['kind'];
  follows_limit: number;
  name: string | null;
  credits: number;
  period: string;
  subject: string;
  thresholds: string;
  price: string | null;
  names_people: number;
  channel: string;
  owner: string | null;
  state: 'active' | 'removed';
  set_up_on: string;
  /** 0 until the thresholds that are reached at the start are recorded: they cause no message. */
  is_armed: number;
  version: number;
  created_at: string;
  changed_at: string;
  changed_by: string | null;
}

/** The people whose credits were counted: the members of a team change. */
interface MembersTable {
  budget_id: string;
  /** 0, 1, 2 …; the highest is in effect. */
  revision: number;
  emails: string;
  at: string;
}

/** See `RecordedThreshold`. The primary key allows one message for each threshold, period and amount. */
interface MarkTable {
  budget_id: string;
  period_first: string;
  basis: Basis | 'summary';
  percent: number;
  credits: number;
  round: number;
  state: RecordedThreshold['state'];
  through: string;
  today: string;
  /** The revision of the members; -1 if there are none. */
  members: number;
  spent: number;
  delivery_key: string | null;
  at: string;
}

export type BudgetTables = { budgets: BudgetTable; budget_members: MembersTable; budget_marks: MarkTable };

export const tablesIn = (db: Kysely<Tables>) => db.withTables<BudgetTables>();

export type MarkRow = Selectable<MarkTable>;

export interface StoredBudget extends Budget {
  state: BudgetTable['state'];
  setUpOn: Day;
  isBaselineTaken: boolean;
  /** Increases with each change. */
  version: number;
  changedAt: string;
  changedBy: string | undefined;
}

function toBudget(row: Selectable<BudgetTable>): StoredBudget {
  return {
    id: row.id,
    kind: row.kind,
    followsLimit: row.follows_limit === 1,
    name: row.name ?? undefined,
    credits: row.credits,
    period: periodRuleSchema.parse(JSON.parse(row.period)),
    subject: subjectSchema.parse(JSON.parse(row.subject)),
    thresholds: thresholdsSchema.parse(JSON.parse(row.thresholds)),
    price: row.price === null ? undefined : priceSchema.parse(JSON.parse(row.price)),
    namesPeople: row.names_people === 1,
    channel: row.channel,
    owner: row.owner ?? undefined,
    state: row.state,
    setUpOn: row.set_up_on,
    isBaselineTaken: row.is_armed === 1,
    version: row.version,
    changedAt: row.changed_at,
    changedBy: row.changed_by ?? undefined,
  };
}

/** The terms that a change may set: all except the subject, the period and the recipient. */
export type BudgetTerms = Pick<Budget, 'name' | 'credits' | 'thresholds' | 'price' | 'namesPeople'>;

const termColumns = ({ name, credits, thresholds, price, namesPeople }: BudgetTerms) => ({
  name: name ?? null,
  credits,
  thresholds: JSON.stringify(thresholds),
  price: price ? JSON.stringify(price) : null,
  names_people: namesPeople ? 1 : 0,
});

/** @returns `false` if the id is taken */
export async function insertBudget(trx: DatabaseTransaction, budget: Budget, now: Date): Promise<boolean> {
  const at = now.toISOString();
  const inserted = await tablesIn(trx)
    .insertInto('budgets')
    .values({
      id: budget.id,
      kind: budget.kind,
      follows_limit: budget.followsLimit ? 1 : 0,
      ...termColumns(budget),
      period: JSON.stringify(budget.period),
      subject: JSON.stringify(budget.subject),
      channel: budget.channel,
      owner: budget.owner ?? null,
      state: 'active',
      set_up_on: at.slice(0, 10),
      is_armed: 0,
      version: 0,
      created_at: at,
      changed_at: at,
      changed_by: budget.owner ?? null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/**
 * Changes a budget. The thresholds that the new terms reach already are recorded again and cause no message.
 *
 * @returns `false` if the budget was changed since it was read
 */
export async function changeTerms(
  trx: DatabaseTransaction,
  { id, version }: Pick<StoredBudget, 'id' | 'version'>,
  terms: BudgetTerms,
  by: string | null,
  now: Date,
): Promise<boolean> {
  const updated = await tablesIn(trx)
    .updateTable('budgets')
    .set({
      ...termColumns(terms),
      is_armed: 0,
      version: version + 1,
      changed_at: now.toISOString(),
      changed_by: by,
    })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('state', '=', 'active')
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

/** Reactivates a budget with a fixed id, for this period and recipient. */
export async function reviveBudget(
  trx: DatabaseTransaction,
  id: string,
  { period, channel, followsLimit }: Budget,
  now: Date,
): Promise<void> {
  await tablesIn(trx)
    .updateTable('budgets')
    .set({
      state: 'active',
      period: JSON.stringify(period),
      channel,
      follows_limit: followsLimit ? 1 : 0,
      changed_at: now.toISOString(),
    })
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
    .set({ state: 'removed', changed_at: now.toISOString(), changed_by: by })
    .where('id', '=', id)
    .where('state', '=', 'active')
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

/** Returns all active budgets of a kind, oldest first. */
export async function listBudgets(db: Database, kind: Budget['kind'] = 'budget'): Promise<StoredBudget[]> {
  const rows = await tablesIn(db)
    .selectFrom('budgets')
    .selectAll()
    .where('state', '=', 'active')
    .where('kind', '=', kind)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(toBudget);
}

/** @param kind which kind the user may see: a heads-up is visible to its owner alone */
export async function findBudget(
  db: Database | DatabaseTransaction,
  id: string,
  kind: Budget['kind'] = 'budget',
): Promise<StoredBudget | undefined> {
  const row = await tablesIn(db)
    .selectFrom('budgets')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row && toBudget(row);
}

const emailsSchema = z.array(z.string());

export interface Members {
  revision: number;
  emails: readonly string[];
  at: string;
}

/** Returns all revisions of a budget’s members, oldest first; empty for budgets of the organization or of a model. */
export async function listMembers(db: Database | DatabaseTransaction, budgetId: string): Promise<Members[]> {
  const rows = await tablesIn(db)
    .selectFrom('budget_members')
    .selectAll()
    .where('budget_id', '=', budgetId)
    .orderBy('revision')
    .execute();
  return rows.map(({ revision, emails, at }) => ({ revision, emails: emailsSchema.parse(JSON.parse(emails)), at }));
}

/** @returns `false` if another process was faster */
export async function insertMembers(
  trx: DatabaseTransaction,
  budgetId: string,
  { revision, emails }: Pick<Members, 'revision' | 'emails'>,
  now: Date,
): Promise<boolean> {
  const inserted = await tablesIn(trx)
    .insertInto('budget_members')
    .values({ budget_id: budgetId, revision, emails: JSON.stringify(emails), at: now.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** Returns the marks of these budgets whose periods begin on or after a day. */
export async function listMarks(db: Database, ids: readonly string[], since: Day): Promise<Map<string, MarkRow[]>> {
  if (ids.length === 0) return new Map();
  const rows = await tablesIn(db)
    .selectFrom('budget_marks')
    .selectAll()
    .where('budget_id', 'in', ids)
    .where('period_first', '>=', since)
    .orderBy('at')
    .execute();
  return Map.groupBy(rows, (row) => row.budget_id);
}

export function toRecordedThreshold(row: MarkRow): RecordedThreshold | undefined {
  const { basis, percent, credits, round, state, through, today } = row;
  return basis === 'summary' ? undefined : { basis, percent, credits, round, state, asOf: { through, today } };
}
