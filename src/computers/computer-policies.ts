import type { PoliciesOf } from '../store/policies/table-policy.ts';
import { orderRetention } from './computer-retention.ts';
import type { ComputerOrderTables } from './core/computer-tables.ts';

export const computerPolicies: PoliciesOf<ComputerOrderTables> = {
  computerOrders: {
    what: 'computers they ordered',
    reasonToKeep: 'the computers are there',
    retention: [orderRetention],
  },
};
