import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { RETENTION_KINDS, type RetentionKind } from '../core/base/settings/retention-settings.ts';
import type { Database } from '../core/store/tables.ts';
import { POLICY_STATES } from '../features/limit-policies/rules/policy-states.ts';
import { countPolicies } from '../features/limit-policies/store/policy-decisions.ts';
import { dayOf, plusDays } from '../core/base/time/calendar.ts';
import { createStoredPlace } from '../core/platform/capabilities/capability-store.ts';
import { type PlatformErrorCode, isPlatformError } from '../core/platform/errors.ts';
import type { Job } from '../core/schedule/job.ts';
import { type PlatformClient, createPlatformClient } from '../core/platform/client.ts';
import type { AppSettings } from './settings.ts';
import type { Network } from '../core/http/network.ts';
import type { Pseudonyms } from '../core/base/privacy/pseudonyms.ts';
import { platformSentence } from '../core/slack/blocks/faults.ts';
import type { KeyEvidence } from '../core/services.ts';

const DURATION_BUCKETS_SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30];

export interface Metrics {
  interaction(this: void, event: { kind: string; name: string; outcome: string; durationMs: number }): void;
  delivery(state: string): void;
  platformRequest(event: { path: string; outcome: string; durationMs: number }): void;
  removed(kind: RetentionKind, rows: number): void;
  /** Shows how many interactions wait and run, from now on. */
  showInteractions(counts: () => { waiting: number; running: number }): void;
  render(): Promise<string>;
  contentType: string;
}

/** Samples of the event loop’s lag: by default, their timer takes most of the processor time of an idle process. */
const LAG_SAMPLE_MS = 100;

let processRegistry: Registry | undefined;

/** Collected once in a process: the timer and the observer behind them have no end, and would hold each bot that stopped. */
function metricsOfProcess(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry, eventLoopMonitoringPrecision: LAG_SAMPLE_MS });
  }
  return processRegistry;
}

/** No label ever holds a name, a text or an id of a person. */
export function createMetrics(db: Database): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const ofProcess = metricsOfProcess();
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
  const policies = registerPolicyGauges(db, registers);
  return {
    interaction: ({ kind, name, outcome, durationMs }) =>
      interactions.labels({ kind, name, outcome }).observe(durationMs / 1000),
    delivery: (state) => deliveries.labels({ state }).inc(),
    platformRequest: ({ path, outcome, durationMs }) =>
      platformRequests.labels({ path, outcome }).observe(durationMs / 1000),
    removed: (kind, rows) => removed.labels({ kind }).inc(rows),
    showInteractions: (counts) => registerInteractionGauge(counts, registers),
    render: async () => {
      // One reading for three gauges, which would each read by themselves.
      await policies.update();
      return Registry.merge([ofProcess, registry]).metrics();
    },
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

/** Without names: how much limit policies and leads granted in the last day, and how many policies there are by state. */
function registerPolicyGauges(db: Database, registers: Registry[]): { update: () => Promise<void> } {
  const grants = new Gauge({
    name: 'quartermaster_limit_policy_grants',
    help: 'Credit limits that policies granted in the last 24 hours, whatever the outcome',
    registers,
  });
  const grantsOfLeads = new Gauge({
    name: 'quartermaster_limit_lead_grants',
    help: 'Credit limits that leads of teams granted in the last 24 hours, whatever the outcome',
    registers,
  });
  const policies = new Gauge({
    name: 'quartermaster_limit_policies',
    help: 'Limit policies by state',
    labelNames: ['state'],
    registers,
  });
  return {
    update: async () => {
      const counts = await countPolicies(db);
      grants.set(counts.grants);
      grantsOfLeads.set(counts.grantsOfLeads);
      for (const state of POLICY_STATES) policies.labels({ state }).set(counts.states.get(state) ?? 0);
    },
  };
}

/** Faults of a request rather than of the platform. */
const OWN_FAULTS: ReadonlySet<PlatformErrorCode> = new Set([
  'not_found',
  'moved_away',
  'invalid_request',
  'conflict',
  'invalid_argument',
  'cancelled',
]);

const noFault = () => undefined;

export interface ObservedPlatform {
  platform: PlatformClient;
  keyEvidence: () => KeyEvidence;
  /** @returns what is wrong with the platform, in a sentence; nothing when it answers */
  ask: () => Promise<string | undefined>;
  /** Sends the platform a request if its last answer was a fault, so that its recovery is noticed. */
  recoveryJob: Job;
}

/**
 * Each request counts in the metrics, the log, the evidence about the key, and the state of the platform.
 *
 * @param onRecovered called when a request succeeds after one that failed, and once more within the minute after that
 */
export function createObservedPlatform(
  {
    config,
    secrets,
    clock,
    log,
    network,
    db,
  }: Pick<AppSettings, 'config' | 'secrets' | 'clock' | 'log'> & {
    network: Network;
    db: Database;
  },
  metrics: Metrics,
  pseudonyms: Pseudonyms,
  onRecovered: () => void,
): ObservedPlatform {
  let isFailing = false;
  let hasJustRecovered = false;
  const recover = () => {
    hasJustRecovered = true;
    onRecovered();
  };
  const judge = (code: PlatformErrorCode | undefined) => {
    if (code !== undefined) {
      isFailing ||= !OWN_FAULTS.has(code);
      return;
    }
    if (isFailing) recover();
    isFailing = false;
  };
  let evidence: KeyEvidence = { refusedSince: undefined, acceptedAt: undefined };
  const recordStatus = (status: number | undefined) => {
    if (status === 401) evidence = { ...evidence, refusedSince: evidence.refusedSince ?? clock.now() };
    else if (status !== undefined && status < 400) evidence = { refusedSince: undefined, acceptedAt: clock.now() };
  };
  const platform = createPlatformClient({
    baseUrl: config.platformBaseUrl,
    appUrl: config.platformAppUrl,
    apiKey: secrets.platformApiKey,
    clock,
    network,
    pseudonyms,
    readinessPlace: createStoredPlace(db),
    observe: (event) => {
      const outcome = String(event.status ?? event.code ?? 'unknown');
      metrics.platformRequest({ path: event.path, outcome, durationMs: event.durationMs });
      log.debug({ ...event }, 'A request to the platform');
      if (event.isTrial && event.code !== undefined) return;
      recordStatus(event.status);
      judge(event.code);
    },
  });
  const ask = () => {
    const day = plusDays(dayOf(clock.now()), -2);
    const response = platform.analytics.activity({ startDate: day, endDate: day });
    return response.then(noFault, (error: unknown) => (isPlatformError(error) ? platformSentence(error) : 'failed'));
  };
  const askWhileItFails = async () => {
    if (!isFailing) {
      // Work that was using the platform at its recovery may have failed since.
      if (hasJustRecovered) onRecovered();
      hasJustRecovered = false;
      return;
    }
    // Its outcome is judged like that of any request.
    await ask();
  };
  return {
    platform,
    keyEvidence: () => evidence,
    ask,
    recoveryJob: {
      name: 'ask-failing-platform',
      cron: '* * * * *',
      purpose: 'asks a platform that fails, to notice when it recovers',
      run: askWhileItFails,
    },
  };
}
