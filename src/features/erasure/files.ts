import { closeSync, copyFileSync, createReadStream, openSync, readSync, realpathSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { sql, Kysely } from 'kysely';
import { NodeSqliteDialect } from '../../core/store/engines/sqlite-driver.ts';
import type { TablePolicies } from '../../core/store/table-policy.ts';
import { COLUMN_NAMES, type Database } from '../../core/store/tables.ts';
import { writeWhole } from '../../core/store/whole-file.ts';
import type { Identifiers } from '../../core/base/privacy/pseudonyms.ts';
import { createReplace } from '../../core/base/privacy/replace-identifiers.ts';
import { eraseRows } from './core/rows.ts';

/** A person, and the erasure whose pseudonyms they get. */
interface ErasedPerson {
  id: string;
  identifiers: Identifiers;
}

const SQLITE_MAGIC = 'SQLite format 3\0';

/**
 * Puts pseudonyms into a log, a list or a backup that the operator names. The file is replaced as a whole or not at all.
 *
 * @returns whether it contained anything about the person
 */
export async function eraseFile(
  path: string,
  tables: TablePolicies,
  person: ErasedPerson,
  now: Date,
): Promise<boolean> {
  // A symbolic link stays one: its target is replaced.
  const file = realpathSync(path);
  if (!isSqlite(file)) return eraseText(file, createReplace(person.id, person.identifiers));
  return writeWhole(file, async (unfinished) => {
    copyFileSync(file, unfinished);
    return eraseStore(unfinished, tables, person, now);
  });
}

function isSqlite(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(SQLITE_MAGIC.length);
    readSync(file, start, 0, start.length, 0);
    return start.toString('latin1') === SQLITE_MAGIC;
  } finally {
    closeSync(file);
  }
}

async function eraseStore(
  path: string,
  tables: TablePolicies,
  { id, identifiers }: ErasedPerson,
  now: Date,
): Promise<boolean> {
  const db: Database = new Kysely({ dialect: new NodeSqliteDialect(path), plugins: [COLUMN_NAMES] });
  try {
    const changed = await eraseRows({ db, tables }, id, identifiers, now);
    // An erasure that was under way finds the person through the hashes.
    await db.updateTable('erasures').set({ identifiers: null }).execute();
    // `vacuum` removes deleted content that an earlier version left in the file; and a backup is one file without a log.
    await sql`vacuum`.execute(db);
    await sql`pragma journal_mode = delete`.execute(db);
    return changed.length > 0;
  } finally {
    await db.destroy();
  }
}

async function eraseText(path: string, replace: (text: string) => string): Promise<boolean> {
  if (!(await holdsAny(path, replace))) return false;
  await writeWhole(path, async (unfinished) => {
    const target = openSync(unfinished, 'w');
    try {
      for await (const line of linesOf(path)) writeSync(target, `${replace(line)}\n`);
    } finally {
      closeSync(target);
    }
  });
  return true;
}

const linesOf = (path: string) => createInterface({ input: createReadStream(path), crlfDelay: Infinity });

async function holdsAny(path: string, replace: (text: string) => string): Promise<boolean> {
  for await (const line of linesOf(path)) if (replace(line) !== line) return true;
  return false;
}
