import { batchesOf } from '../../base/batches.ts';
import { dayOf } from '../../base/time/calendar.ts';
import type { KnownLimit } from '../../feature.ts';
import { newestEntries } from '../core/ledger.ts';
import type { DeclaredLimit, LimitDatabase, LimitTransaction } from '../core/limit-tables.ts';

/** The key of the limit that counts for everybody without another one. */
const EVERYBODY = '*';

const ROWS_A_QUERY = 500;

/** Returns the newest value that was set here; without one, the declared value of the person or of everybody. */
export async function knownLimitOf(db: LimitDatabase, email: string): Promise<KnownLimit | undefined> {
  const entry = (await newestEntries(db, [email])).get(email);
  if (entry) return { value: entry.value, setOn: dayOf(new Date(entry.setAt)), isDeclared: false };
  const declared = await declaredLimitOf(db, email);
  return declared && { value: declared.value, setOn: dayOf(new Date(declared.declaredAt)), isDeclared: true };
}

export async function declaredLimitOf(db: LimitDatabase, email: string): Promise<DeclaredLimit | undefined> {
  const rows = await db.selectFrom('declaredLimits').selectAll().where('email', 'in', [email, EVERYBODY]).execute();
  return rows.find((row) => row.email === email) ?? rows[0];
}

export interface DeclaredSummary {
  forEverybody: number | undefined;
  people: number;
}

export async function declaredSummary(db: LimitDatabase): Promise<DeclaredSummary> {
  const everybody = await db
    .selectFrom('declaredLimits')
    .select('value')
    .where('email', '=', EVERYBODY)
    .executeTakeFirst();
  const { people } = await db
    .selectFrom('declaredLimits')
    .select((select) => select.fn.countAll<number | string>().as('people'))
    .where('email', '!=', EVERYBODY)
    .executeTakeFirstOrThrow();
  return { forEverybody: everybody?.value, people: Number(people) };
}

export interface Declaration {
  /** Undefined: none. */
  forEverybody: number | undefined;
  /** By e-mail in lower case. People who are not listed keep their declared limit. */
  people: readonly { email: string; amount: number }[];
  removed: readonly string[];
}

export async function storeDeclaration(
  trx: LimitTransaction,
  { forEverybody, people, removed }: Declaration,
  by: string,
  now: Date,
): Promise<void> {
  const values = [...people, ...(forEverybody === undefined ? [] : [{ email: EVERYBODY, amount: forEverybody }])];
  for (const piece of batchesOf(values, { maxItems: ROWS_A_QUERY }))
    await trx
      .insertInto('declaredLimits')
      .values(
        piece.map(({ email, amount }) => ({ email, value: amount, declaredBy: by, declaredAt: now.toISOString() })),
      )
      .onConflict((conflict) =>
        conflict.column('email').doUpdateSet((row) => ({
          value: row.ref('excluded.value'),
          declaredBy: row.ref('excluded.declaredBy'),
          declaredAt: row.ref('excluded.declaredAt'),
        })),
      )
      .execute();
  const gone = [...removed, ...(forEverybody === undefined ? [EVERYBODY] : [])];
  for (const piece of batchesOf(gone, { maxItems: ROWS_A_QUERY }))
    await trx.deleteFrom('declaredLimits').where('email', 'in', piece).execute();
}
