import { auditRetention } from './audit.ts';
import type { PoliciesOf } from './table-policy.ts';
import type { Tables } from './tables.ts';

export const storePolicies: PoliciesOf<
  Pick<Tables, 'audit' | 'erasures' | 'store_identity' | 'store_heartbeats' | 'store_silences'>
> = {
  audit: { what: 'audit log', reasonToKeep: 'decisions can be proved', retention: [auditRetention] },
  // The erasure itself uses the identifiers.
  erasures: { what: 'earlier erasures', columns: { id: 'fixed', pseudonyms: 'fixed', identifiers: 'fixed' } },
  store_identity: { what: 'the name of the store' },
  store_heartbeats: { what: 'running processes' },
  store_silences: { what: 'when the store was away' },
};
