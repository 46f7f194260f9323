import { sql, type Kysely, type TableMetadata } from 'kysely';

/**
 * Inserts a row into every empty table, whatever its columns: the same word in every text, so that rows refer to each
 * other, the same number everywhere, and the same bytes.
 */
export async function fillEveryTable<T>(db: Kysely<T>): Promise<void> {
  let empty = await emptyTables(db);
  while (empty.length > 0) {
    // A table that refers to another is filled after that one.
    for (const table of empty) await insertRow(db, table).catch(() => undefined);
    const left = await emptyTables(db);
    if (left.length === empty.length) throw new Error(`Cannot be filled: ${left.map(({ name }) => name).join(', ')}`);
    empty = left;
  }
}

async function emptyTables<T>(db: Kysely<T>): Promise<TableMetadata[]> {
  const found: TableMetadata[] = [];
  for (const table of await db.introspection.getTables()) {
    const { rows } = await sql`select 1 from ${sql.table(table.name)} limit 1`.execute(db);
    if (rows.length === 0) found.push(table);
  }
  return found;
}

async function insertRow<T>(db: Kysely<T>, { name, columns }: TableMetadata): Promise<void> {
  const values = columns.map(({ dataType }) => {
    if (/int|real|double|numeric|float/i.test(dataType)) return 1;
    return /blob|bytea/i.test(dataType) ? Buffer.of(0, 128, 255) : 'one';
  });
  const names = sql.join(columns.map((column) => sql.ref(column.name)));
  await sql`insert into ${sql.table(name)} (${names}) values (${sql.join(values)})`.execute(db);
}

/** Every table with its columns, in no order that matters. */
export async function describeSchema<T>(db: Kysely<T>): Promise<Record<string, string[]>> {
  const tables = await db.introspection.getTables();
  return Object.fromEntries(
    tables
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, columns }) => [
        name,
        columns.map((column) => `${column.name} ${column.dataType}${column.isNullable ? '' : ' not null'}`).toSorted(),
      ]),
  );
}
