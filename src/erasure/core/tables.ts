import type { Kysely, Selectable } from 'kysely';
import type { Tables } from '../../store/tables.ts';

/** An erasure that waits for a second admin; the row goes when it is decided. */
interface ErasureRequestTable {
  /** The erasure has the same id. */
  id: string;
  /** In lower case. */
  email: string;
  /** Slack id. */
  asked_by: string;
  asked_at: string;
}
export type ErasureRequest = Selectable<ErasureRequestTable>;

/** Proves to those who have the key and an e-mail whose decisions the pseudonyms of an erasure stand for. */
interface ErasureProofTable {
  erasure: string;
  /** Of one e-mail, with the key. */
  hash: string;
  /** Which key that was. */
  key_id: string;
  at: string;
}

// An alias, not an interface: only aliases fit where Kysely wants tables by their names.
export type ErasureTables = { erasure_requests: ErasureRequestTable; erasure_proofs: ErasureProofTable };

export const tablesIn = (db: Kysely<Tables>) => db.withTables<ErasureTables>();
