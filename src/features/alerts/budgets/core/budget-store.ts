import { sql, type Kysely, type Selectable } from 'kysely';
import { retryPaused } from '../../../../core/outbox/attempts/paused.ts';
import type { PauseChange } from '../../../../core/watches/pausing.ts';
import { jsonColumn } from '../../../../core/store/json-column.ts';
import { prepareQuery } from '../../../../core/store/prepared-query.ts';
import type { Database, DatabaseTransaction, Tables } from '../../../../core/store/tables.ts';
import {
  type Alert,
  type Budget,
  type HeadsUp,
  calendarRuleSchema,
  ownerOf,
  periodRuleSchema,
  priceSchema,
  subjectSchema,
  thresholdsSchema,
} from './budget.ts';
import type { Basis, RecordedThreshold } from './decide.ts';

interface BudgetTable extends Pick<Budget, 'id' | 'credits' | 'channel'> {
  kind: Alert['kind'];
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
type Stored<Item> = Item &
  Pick<BudgetRow, 'state' | 'setUpOn' | 'version' | 'changedAt' | 'changedBy'> & { isBaselineTaken: boolean };
export type StoredBudget = Stored<Budget>;
export type StoredHeadsUp = Stored<HeadsUp>;
export type StoredAlert = StoredBudget | StoredHeadsUp;

/** A paused one is evaluated once, to record the thresholds that are reached at its start. */
export const isEvaluated = ({ state, isBaselineTaken }: Pick<StoredAlert, 'state' | 'isBaselineTaken'>): boolean =>
  state === 'active' || (state === 'paused' && !isBaselineTaken);

export const periodColumn = jsonColumn(periodRuleSchema);
const calendarColumn = jsonColumn(calendarRuleSchema);
const subjectColumn = jsonColumn(subjectSchema);
const thresholdsColumn = jsonColumn(thresholdsSchema);
const priceColumn = jsonColumn(priceSchema);

function toShared({ id, credits, channel, state, setUpOn, version, changedAt, changedBy, ...row }: BudgetRow) {
  const [subject, thresholds] = [subjectColumn.read(row.subject), thresholdsColumn.read(row.thresholds)];
  const terms = { id, credits, channel, subject, thresholds };
  return { ...terms, state, setUpOn, version, changedAt, changedBy, isBaselineTaken: row.isArmed === 1 };
}

const toBudget = (row: BudgetRow): StoredBudget => ({
  ...toShared(row),
  kind: 'budget',
  name: row.name ?? undefined,
  period: periodColumn.read(row.period),
  price: row.price === null ? undefined : priceColumn.read(row.price),
  namesPeople: row.namesPeople === 1,
  owner: row.owner ?? undefined,
});

const toHeadsUp = (row: BudgetRow): StoredHeadsUp => ({
  ...toShared(row),
  kind: 'heads_up',
  name: row.name ?? '',
  period: calendarColumn.read(row.period),
  followsLimit: row.followsLimit === 1,
});

/** The terms that a change may set: all except the subject, the period and the recipient. */
export type BudgetTerms = Pick<Budget, 'name' | 'credits' | 'thresholds' | 'price' | 'namesPeople'>;
type AlertTerms = Pick<BudgetTerms, 'name' | 'credits' | 'thresholds'> & Partial<BudgetTerms>;

const termColumns = ({ name, credits, thresholds, price, namesPeople }: AlertTerms) => ({
  name: name ?? null,
  credits,
  thresholds: thresholdsColumn.write(thresholds),
  price: price ? priceColumn.write(price) : null,
  namesPeople: namesPeople ? 1 : 0,
});

const rhythmColumns = (alert: Alert) => ({
  period: periodColumn.write(alert.period),
  followsLimit: alert.kind === 'heads_up' && alert.followsLimit ? 1 : 0,
  channel: alert.channel,
});

/** @returns `false` if the id is taken */
export async function insertBudget(trx: DatabaseTransaction, alert: Alert, now: Date): Promise<boolean> {
  const at = now.toISOString();
  const { id, kind } = alert;
  const owner = ownerOf(alert) ?? null;
  const terms = { ...termColumns(alert), ...rhythmColumns(alert), subject: subjectColumn.write(alert.subject) };
  const times = { setUpOn: at.slice(0, 10), createdAt: at, changedAt: at };
  const inserted = await tablesIn(trx)
    .insertInto('budgets')
    .values({ id, kind, owner, changedBy: owner, ...terms, ...times, state: 'active', isArmed: 0, version: 0 })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** Thresholds that are already reached cause no message. @returns `false` if the budget changed since it was read */
export async function changeTerms(
  trx: DatabaseTransaction,
  { id, version }: Pick<StoredAlert, 'id' | 'version'>,
  terms: AlertTerms,
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
export async function reviveAlert(trx: DatabaseTransaction, alert: Alert, now: Date): Promise<void> {
  await tablesIn(trx)
    .updateTable('budgets')
    .set({
      ...rhythmColumns(alert),
      state: sql<'active' | 'paused'>`case state when 'paused' then 'paused' else 'active' end`,
      changedAt: now.toISOString(),
    })
    .where('id', '=', alert.id)
    .execute();
}

/** Sets up a budget with a fixed id, or reactivates it with these terms; its reported thresholds are kept. */
export async function putBudget(trx: DatabaseTransaction, alert: Alert, by: string | null, now: Date): Promise<void> {
  if (await insertBudget(trx, alert, now)) return;
  await reviveAlert(trx, alert, now);
  const stored = await findAlert(trx, alert.id);
  if (stored) await changeTerms(trx, stored, alert, by, now);
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
  { id }: Pick<StoredAlert, 'id'>,
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
const listOf =
  <Item>(kind: Alert['kind'], read: (row: BudgetRow) => Item) =>
  async (db: Database): Promise<Item[]> => {
    const query = tablesIn(db)
      .selectFrom('budgets')
      .selectAll()
      .where('kind', '=', kind)
      .where('state', '!=', 'removed');
    return (await query.orderBy('createdAt').orderBy('id').execute()).map(read);
  };
export const listBudgets = listOf('budget', toBudget);
export const listHeadsUps = listOf('heads_up', toHeadsUp);

const readAlert = prepareQuery(['id'], (db, parameter) =>
  tablesIn(db).selectFrom('budgets').selectAll().where('id', '=', parameter<string>('id')),
);

/** Finds one even if it was removed: its messages are still followed. */
export async function findStoredAlert(
  db: Database | DatabaseTransaction,
  id: string,
): Promise<StoredAlert | undefined> {
  const [row] = await readAlert(db, { id });
  return row && (row.kind === 'budget' ? toBudget(row) : toHeadsUp(row));
}

/** Finds one that is active or paused. A user may see a heads-up only if it is their own. */
export async function findAlert(...query: Parameters<typeof findStoredAlert>): Promise<StoredAlert | undefined> {
  const alert = await findStoredAlert(...query);
  return alert?.state === 'removed' ? undefined : alert;
}

export async function findBudget(...query: Parameters<typeof findStoredAlert>): Promise<StoredBudget | undefined> {
  const alert = await findAlert(...query);
  return alert?.kind === 'budget' ? alert : undefined;
}

export const headsUpId = ({ slackId }: { slackId: string }) => `me-${slackId}`;

export async function findHeadsUp(db: Database, person: { slackId: string }): Promise<StoredHeadsUp | undefined> {
  const alert = await findAlert(db, headsUpId(person));
  return alert?.kind === 'heads_up' ? alert : undefined;
}

export const isPaused = async (db: Database, id: string) => (await findAlert(db, id))?.state === 'paused';
