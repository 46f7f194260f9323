import type { PoliciesOf } from '../store/table-policy.ts';
import { orderRetention } from './computer-retention.ts';
import type { ComputerOrderTables } from './core/computer-tables.ts';

export const computerPolicies: PoliciesOf<ComputerOrderTables> = {
  computer_orders: {
    what: 'computers they ordered',
    reasonToKeep: 'the computers are there',
    retention: [orderRetention],
  },
};
