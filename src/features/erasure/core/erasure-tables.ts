import type { Kysely, Selectable } from 'kysely';
import { rowRetention } from '../../../core/store/row-retention.ts';
import { isAmong, type PoliciesOf } from '../../../core/store/table-policy.ts';
import type { Tables } from '../../../core/store/tables.ts';

/** An erasure that waits for a second admin. The row is deleted once it is decided. */
interface ErasureRequestTable {
  id: string;
  /** In lower case. */
  email: string;
  /** Slack id. */
  askedBy: string;
  askedAt: string;
}
export type ErasureRequest = Selectable<ErasureRequestTable>;

/** Proves whose decisions the pseudonyms of an erasure represent, to readers who have the key and an e-mail. */
interface ErasureProofTable {
  erasure: string;
  /** The keyed hash of one e-mail. */
  hash: string;
  keyId: string;
  at: string;
}

// A type alias, since Kysely accepts no interface as an index of tables by name.
export type ErasureTables = { erasureRequests: ErasureRequestTable; erasureProofs: ErasureProofTable };

export const tablesIn = (db: Kysely<Tables>) => db.withTables<ErasureTables>();

const PROOFS = { table: 'erasureProofs', key: ['erasure', 'hash'], column: 'at' };

export const erasurePolicies: PoliciesOf<ErasureTables> = {
  erasureRequests: {
    what: 'erasures that wait for a second admin',
    deleted: ({ email }) => isAmong('email', email),
    reasonToKeep: 'they are others’',
  },
  erasureProofs: {
    what: 'proofs of earlier erasures',
    // Kept as long as the audit entries that they explain.
    retention: [rowRetention('audit', PROOFS)],
  },
};
