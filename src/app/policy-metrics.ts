import { Gauge, type Registry } from 'prom-client';
import { POLICY_STATES } from '../limits/policies/core/states.ts';
import { countPolicies } from '../limits/policies/store/policy-counts.ts';
import type { Database } from '../store/tables.ts';

/** Without names: how much limit policies granted in the last day, and how many there are by state. */
export function registerPolicyGauges(db: Database, registers: Registry[]): void {
  const grants = new Gauge({
    name: 'quartermaster_limit_policy_grants',
    help: 'Credit limits that policies granted in the last 24 hours, whatever the outcome',
    registers,
    async collect() {
      this.set((await countPolicies(db)).grants);
    },
  });
  const policies = new Gauge({
    name: 'quartermaster_limit_policies',
    help: 'Limit policies by state',
    labelNames: ['state'],
    registers,
    async collect() {
      const { states } = await countPolicies(db);
      for (const state of POLICY_STATES) this.labels({ state }).set(states.get(state) ?? 0);
    },
  });
  grants.set(0);
  for (const state of POLICY_STATES) policies.labels({ state }).set(0);
}
