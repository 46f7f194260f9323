import type { Database } from '../store/tables.ts';
import { takeOverErasures } from './core/erasures.ts';
import { readList } from './core/list-file.ts';

/**
 * Takes over what the list knows and the store does not.
 *
 * @throws ErasureListError: with a list that nobody can read, people would come back
 */
export async function takeOverListed(db: Database, erasuresFile: string, now: Date): Promise<void> {
  await takeOverErasures(db, readList(erasuresFile), now);
}
