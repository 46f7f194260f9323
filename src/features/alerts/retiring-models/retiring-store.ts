import type { Generated, Kysely, Selectable } from 'kysely';
import type { Day } from '../../../core/base/time/calendar.ts';
import { audit } from '../../../core/store/audit.ts';
import { bySlackId, type PoliciesOf } from '../../../core/store/table-policy.ts';
import type { Database, DatabaseTransaction, Tables } from '../../../core/store/tables.ts';
import type { Step } from './steps.ts';

interface RetiringModelTable {
  /** The name in lower case. */
  model: string;
  /** As the figures write it. */
  name: string;
  retiresOn: Day;
  successor: string | null;
  /** The last step that was announced: days before that day. */
  toldStep: Generated<number | null>;
  setBy: string;
  setAt: string;
}
export type RetiringModel = Selectable<RetiringModelTable>;

interface StopTable {
  slackId: string;
  at: string;
}

type RetiringTables = { retiringModels: RetiringModelTable; retiringModelStops: StopTable };

export const retiringPolicies: PoliciesOf<RetiringTables> = {
  retiringModels: { what: 'models that retire', reasonToKeep: 'people who use one are told' },
  retiringModelStops: { what: 'who wants no message about models', deleted: bySlackId('slackId') },
};

const tables = (db: Kysely<Tables>) => db.withTables<RetiringTables>();

export const keyOfModel = (name: string): string => name.trim().toLowerCase();

export async function listRetiring(db: Database): Promise<RetiringModel[]> {
  return tables(db).selectFrom('retiringModels').selectAll().orderBy('retiresOn').orderBy('model').execute();
}

export async function findRetiring(db: Database, model: string): Promise<RetiringModel | undefined> {
  return tables(db).selectFrom('retiringModels').selectAll().where('model', '=', model).executeTakeFirst();
}

const aboutOf = (model: string) => `retiring-model:${model}`;

/** Another day starts the messages anew. */
export async function putRetiring(
  trx: DatabaseTransaction,
  { name, retiresOn, successor }: Pick<RetiringModel, 'name' | 'retiresOn' | 'successor'>,
  by: string,
  now: Date,
): Promise<void> {
  const model = keyOfModel(name);
  const row = { name, retiresOn, successor, setBy: by, setAt: now.toISOString() };
  await tables(trx)
    .insertInto('retiringModels')
    .values({ model, ...row, toldStep: null })
    .onConflict((conflict) =>
      conflict.column('model').doUpdateSet((set) => ({
        ...row,
        toldStep: set
          .case()
          .when('retiringModels.retiresOn', '=', retiresOn)
          .then(set.ref('retiringModels.toldStep'))
          .else(null)
          .end(),
      })),
    )
    .execute();
  const detail = `${retiresOn}${successor === null ? '' : `, successor ${successor}`}`;
  await audit(trx, { about: aboutOf(model), actor: by, action: 'set the day on which a model retires', detail }, now);
}

/** @returns `false` if it was removed before */
export async function removeRetiring(trx: DatabaseTransaction, model: string, by: string, now: Date): Promise<boolean> {
  const deleted = await tables(trx).deleteFrom('retiringModels').where('model', '=', model).executeTakeFirst();
  if (deleted.numDeletedRows === 0n) return false;
  await audit(trx, { about: aboutOf(model), actor: by, action: 'removed a model that retires' }, now);
  return true;
}

/** @returns `false` if another process announced it, or if the model was changed since it was read */
export async function recordStep(trx: DatabaseTransaction, row: RetiringModel, step: Step): Promise<boolean> {
  const { model, retiresOn, toldStep } = row;
  const updated = await tables(trx)
    .updateTable('retiringModels')
    .set({ toldStep: step })
    .where((where) => where.and({ model, retiresOn }))
    .where('toldStep', toldStep === null ? 'is' : '=', toldStep)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

export async function listStops(db: Database): Promise<ReadonlySet<string>> {
  const rows = await tables(db).selectFrom('retiringModelStops').select('slackId').execute();
  return new Set(rows.map(({ slackId }) => slackId));
}

/** @returns `false` if they had stopped before */
export async function stopFor(trx: DatabaseTransaction, slackId: string, now: Date): Promise<boolean> {
  const inserted = await tables(trx)
    .insertInto('retiringModelStops')
    .values({ slackId, at: now.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

export async function resumeFor(db: Database, slackId: string): Promise<void> {
  await tables(db).deleteFrom('retiringModelStops').where('slackId', '=', slackId).execute();
}
