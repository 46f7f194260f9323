import { z } from 'zod';
import { hashIdentifier, type Pseudonyms } from '../base/privacy/pseudonyms.ts';
import { createReplace } from '../base/privacy/replace-identifiers.ts';
import type { Database } from './tables.ts';
import { jsonColumn } from './json-column.ts';

/** `asked`: running. `checking`: done, but running reads may store more. `done`: identifiers are forgotten. */
export interface ErasureTable {
  /** Part of the pseudonyms. */
  id: string;
  state: 'asked' | 'checking' | 'done';
  /** JSON: pseudonyms by the hashes of the identifiers that they replace. */
  pseudonyms: string;
  /** JSON of the identifiers themselves; null once it is done. */
  identifiers: string | null;
  /** A Slack id, or `operator`. */
  askedBy: string;
  askedAt: string;
  /** The earliest time of the next step. */
  nextAt: string;
  finishedAt: string | null;
}

declare module './tables.ts' {
  interface Tables {
    erasures: ErasureTable;
  }
}

type Replace = (text: string) => string;

export interface ErasedPeople extends Pseudonyms {
  /** @returns the number of erasures */
  refresh(): Promise<number>;
  /** Covers erasures that are not over yet, because an answer that was begun before may still name the person. */
  recent(): Replace | undefined;
}

export const pseudonymsSchema = z.record(z.string().length(64), z.string().max(200));

const identifiersSchema = z.object({
  email: z.array(z.string()).readonly(),
  slackId: z.array(z.string()).readonly(),
  userId: z.array(z.string()).readonly(),
  name: z.array(z.string()).readonly(),
});

export const pseudonymsColumn = jsonColumn(pseudonymsSchema);
export const identifiersColumn = jsonColumn(identifiersSchema);

const MAX_REMEMBERED = 20_000;

export function createErasedPeople(db: Database): ErasedPeople {
  let byHash = new Map<string, string>();
  let readIds = '';
  let recent: Replace[] = [];
  /** The same rows are looked up thousands of times. */
  const remembered = new Map<string, string | undefined>();
  return {
    isEmpty: () => byHash.size === 0,
    find: (identifier) => {
      if (byHash.size === 0) return undefined;
      const cacheKey = `${identifier.kind} ${identifier.value}`;
      if (remembered.has(cacheKey)) return remembered.get(cacheKey);
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      const pseudonym = byHash.get(hashIdentifier(identifier));
      remembered.set(cacheKey, pseudonym);
      return pseudonym;
    },
    refresh: async () => {
      const rows = await db.selectFrom('erasures').select(['id', 'pseudonyms', 'identifiers']).orderBy('id').execute();
      const ids = rows.map(({ id }) => id).join(' ');
      recent = rows.flatMap(({ id, identifiers }) =>
        identifiers === null ? [] : [createReplace(id, identifiersColumn.read(identifiers))],
      );
      if (ids === readIds) return rows.length;
      readIds = ids;
      byHash = new Map(rows.flatMap(({ pseudonyms }) => Object.entries(pseudonymsColumn.read(pseudonyms))));
      remembered.clear();
      return rows.length;
    },
    recent: () =>
      recent.length === 0 ? undefined : (text) => recent.reduce((replaced, replace) => replace(replaced), text),
  };
}
