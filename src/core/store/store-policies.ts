import { auditRetention } from './audit.ts';
import type { PoliciesOf } from './table-policy.ts';
import type { Tables } from './tables.ts';

export const storePolicies: PoliciesOf<
  Pick<Tables, 'audit' | 'erasures' | 'storeIdentity' | 'storeHeartbeats' | 'storeSilences'>
> = {
  audit: { what: 'audit log', reasonToKeep: 'decisions can be proved', retention: [auditRetention] },
  erasures: { what: 'earlier erasures', columns: { id: 'fixed', pseudonyms: 'fixed', identifiers: 'fixed' } },
  storeIdentity: { what: 'the name of the store' },
  storeHeartbeats: { what: 'running processes' },
  storeSilences: { what: 'when the store was away' },
};
