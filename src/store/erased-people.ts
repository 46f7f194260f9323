import { z } from 'zod';
import { hashIdentifier, type Pseudonyms } from '../base/privacy/pseudonyms.ts';
import type { Database } from './tables.ts';

/**
 * One erasure per row. `asked`: running. `checking`: done, but checked again after all reads that were running have
 * been stored. `done`: finished; the identifiers are no longer known.
 */
export interface ErasureTable {
  /** Part of the pseudonyms. */
  id: string;
  state: 'asked' | 'checking' | 'done';
  /** JSON: pseudonyms by the hashes of the identifiers that they replace. */
  pseudonyms: string;
  /** JSON of the identifiers themselves; null once it is done. */
  identifiers: string | null;
  /** A Slack id, or `operator`. */
  asked_by: string;
  asked_at: string;
  /** The earliest time of the next step. */
  next_at: string;
  finished_at: string | null;
}

declare module './tables.ts' {
  interface Tables {
    erasures: ErasureTable;
  }
}

/** The erased people, as of the last refresh. */
export interface ErasedPeople extends Pseudonyms {
  /** @returns the number of erasures */
  refresh(): Promise<number>;
}

/** Pseudonyms by the hash of the identifier. */
export const pseudonymsSchema = z.record(z.string().length(64), z.string().max(200));

const MAX_REMEMBERED = 20_000;

/** @example const erased = createErasedPeople(db); await erased.refresh(); */
export function createErasedPeople(db: Database): ErasedPeople {
  let byHash = new Map<string, string>();
  let readIds = '';
  /** The same rows are looked up thousands of times. */
  const remembered = new Map<string, string | undefined>();
  return {
    isEmpty: () => byHash.size === 0,
    find: (identifier) => {
      if (byHash.size === 0) return undefined;
      const known = `${identifier.kind} ${identifier.value}`;
      if (remembered.has(known)) return remembered.get(known);
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      const pseudonym = byHash.get(hashIdentifier(identifier));
      remembered.set(known, pseudonym);
      return pseudonym;
    },
    refresh: async () => {
      const rows = await db.selectFrom('erasures').select(['id', 'pseudonyms']).orderBy('id').execute();
      const ids = rows.map(({ id }) => id).join(' ');
      if (ids === readIds) return rows.length;
      readIds = ids;
      byHash = new Map(
        rows.flatMap(({ pseudonyms }) => Object.entries(pseudonymsSchema.parse(JSON.parse(pseudonyms)))),
      );
      remembered.clear();
      return rows.length;
    },
  };
}
