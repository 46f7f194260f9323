import { batchesOf } from '../../../core/base/time/turns.ts';
import { EVERYBODY } from '../core/ledger.ts';
import type { LimitDatabase, LimitTransaction } from '../core/limit-tables.ts';

const ROWS_A_QUERY = 500;

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
  await recordDeclarations(trx, { forEverybody, people, removed }, by, now);
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

/** The audit names no person, so the file of the audit reads these rows. Unchanged declarations get none. */
async function recordDeclarations(
  trx: LimitTransaction,
  { forEverybody, people, removed }: Declaration,
  declaredBy: string,
  now: Date,
): Promise<void> {
  const declaredAt = now.toISOString();
  const changes = new Map<string, number | null>([
    ...removed.map((email) => [email, null] as const),
    ...people.map(({ email, amount }) => [email, amount] as const),
    [EVERYBODY, forEverybody ?? null],
  ]);
  for (const piece of batchesOf([...changes], { maxItems: ROWS_A_QUERY })) {
    const emails = piece.map(([email]) => email);
    const before = await trx.selectFrom('declaredLimits').selectAll().where('email', 'in', emails).execute();
    const valueBefore = new Map(before.map(({ email, value }) => [email, value]));
    const rows = piece
      .map(([email, value]) => ({ email, declaredAt, value, valueBefore: valueBefore.get(email) ?? null, declaredBy }))
      .filter((row) => row.value !== row.valueBefore);
    if (rows.length > 0)
      await trx
        .insertInto('limitDeclarations')
        .values(rows)
        .onConflict((conflict) => conflict.columns(['email', 'declaredAt']).doNothing())
        .execute();
  }
}
