import { createHash, createHmac, randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { readSmallFile } from '../../../core/base/settings/small-file.ts';
import type { Database } from '../../../core/store/tables.ts';
import { ErasureListError, writeDurably } from './list-file.ts';
import { tablesIn } from './erasure-tables.ts';

const KEY_BYTES = 32;

interface ProofKey {
  /** Identifies the key and reveals nothing about it. */
  id: string;
  hash(email: string): string;
}

/**
 * Reads the key, and creates it the first time. No backup of the store contains it, so a thief of a backup cannot try e-mails.
 *
 * @throws ErasureListError with one sentence for the operator
 */
function readKey(path: string): ProofKey {
  try {
    createKey(path);
    const key = readSmallFile(path).trim();
    if (key.length < KEY_BYTES) throw new Error('The key is too short');
    return {
      id: createHash('sha256').update(`quartermaster erasure key ${key}`).digest('hex').slice(0, 12),
      hash: (email) => createHmac('sha256', key).update(`erased ${email.trim().toLowerCase()}`).digest('hex'),
    };
  } catch (error) {
    throw new ErasureListError(
      `${path}, the key of erasures, cannot be read or made: let the program’s user read and write it, or set ERASURE_PROOFS_FILE.`,
      { cause: error },
    );
  }
}

function createKey(path: string): void {
  try {
    writeDurably(path, 'wx', (file) => writeSync(file, `${randomBytes(KEY_BYTES).toString('hex')}\n`));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** Stores the person behind an erasure's pseudonyms as a hash: owners of the key can only confirm a guess. */
export async function keepProof(
  db: Database,
  keyFile: string,
  { id, emails }: { id: string; emails: readonly string[] },
  now: Date,
): Promise<void> {
  if (emails.length === 0) return;
  const key = readKey(keyFile);
  const at = now.toISOString();
  const rows = emails.map((email) => ({ erasure: id, hash: key.hash(email), keyId: key.id, at }));
  await tablesIn(db)
    .insertInto('erasureProofs')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** @returns the erasures of a person by one of their e-mails, and whether another key made some of the proofs */
export async function findProofs(
  db: Database,
  keyFile: string,
  email: string,
): Promise<{ erasures: string[]; isOtherKey: boolean }> {
  const key = readKey(keyFile);
  const rows = await tablesIn(db).selectFrom('erasureProofs').selectAll().orderBy('at').execute();
  const hash = key.hash(email);
  return {
    erasures: [...new Set(rows.filter((row) => row.hash === hash).map(({ erasure }) => erasure))],
    isOtherKey: rows.some((row) => row.keyId !== key.id),
  };
}
