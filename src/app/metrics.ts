import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { RETENTION_KINDS, type RetentionKind } from '../core/base/settings/retention-settings.ts';
import type { Database } from '../core/store/tables.ts';
import { POLICY_STATES } from '../features/limit-policies/rules/policy-states.ts';
import { countPolicies } from '../features/limit-policies/store/policy-decisions.ts';

const DURATION_BUCKETS_SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30];

export interface Metrics {
  interaction(event: { kind: string; name: string; outcome: string; durationMs: number }): void;
  delivery(state: string): void;
  platformRequest(event: { path: string; outcome: string; durationMs: number }): void;
  removed(kind: RetentionKind, rows: number): void;
  /** Shows how many interactions wait and run, from now on. */
  showInteractions(counts: () => { waiting: number; running: number }): void;
  render(): Promise<string>;
  contentType: string;
}

/** No label ever holds a name, a text or an id of a person. */
export function createMetrics(db: Database): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const interactions = new Histogram({
    name: 'quartermaster_interaction_duration_seconds',
    help: 'Commands and clicks, from their acknowledgement to the answer',
    labelNames: ['kind', 'name', 'outcome'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers,
  });
  const deliveries = new Counter({
    name: 'quartermaster_delivery_attempts_total',
    help: 'Attempts at deliveries by how they ended',
    labelNames: ['state'],
    registers,
  });
  const platformRequests = new Histogram({
    name: 'quartermaster_platform_request_duration_seconds',
    help: 'Requests to the platform, each attempt by itself',
    labelNames: ['path', 'outcome'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers,
  });
  const removed = new Counter({
    name: 'quartermaster_retention_rows_total',
    help: 'Rows that were deleted because they were kept long enough, by kind of RETENTION_DAYS',
    labelNames: ['kind'],
    registers,
  });
  for (const kind of RETENTION_KINDS) removed.labels({ kind }).inc(0);
  registerOutboxGauge(db, registers);
  registerPolicyGauges(db, registers);
  return {
    interaction: ({ kind, name, outcome, durationMs }) =>
      interactions.labels({ kind, name, outcome }).observe(durationMs / 1000),
    delivery: (state) => deliveries.labels({ state }).inc(),
    platformRequest: ({ path, outcome, durationMs }) =>
      platformRequests.labels({ path, outcome }).observe(durationMs / 1000),
    removed: (kind, rows) => removed.labels({ kind }).inc(rows),
    showInteractions: (counts) => registerInteractionGauge(counts, registers),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function registerOutboxGauge(db: Database, registers: Registry[]): void {
  new Gauge({
    name: 'quartermaster_deliveries',
    help: 'Deliveries in the store by state',
    labelNames: ['state'],
    registers,
    async collect() {
      const rows = await db
        .selectFrom('deliveries')
        .select((select) => ['state', select.fn.countAll().as('count')])
        .groupBy('state')
        .execute();
      this.reset();
      for (const row of rows) this.labels({ state: row.state }).set(Number(row.count));
    },
  }).labels({ state: 'sent' });
}

function registerInteractionGauge(counts: () => { waiting: number; running: number }, registers: Registry[]): void {
  new Gauge({
    name: 'quartermaster_interactions',
    help: 'What was acknowledged: how much waits, and how much is worked on',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(counts())) this.labels({ state }).set(count);
    },
  }).labels({ state: 'waiting' });
}

/** Without names: how much limit policies granted in the last day, and how many there are by state. */
function registerPolicyGauges(db: Database, registers: Registry[]): void {
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
