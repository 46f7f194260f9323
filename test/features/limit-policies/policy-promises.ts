import { expect } from 'vitest';
import { dayOf } from '../../../src/core/base/time/calendar.ts';
import { DAY_MS } from '../../../src/core/base/time/durations.ts';
import type { PolicyDatabase } from '../../../src/features/limit-policies/store/policy-tables.ts';
import { UNFINISHED } from '../../../src/features/limits/core/states.ts';
import {
  isActingRules,
  rulesSchema,
  type ActingRules,
} from '../../../src/features/limit-policies/rules/policy-rules.ts';
import { emailOf, type PolicyWorld } from '../../support/limits/policy-scene.ts';

/** What admins did, as the test saw it. The keys of versions are `id@version`. */
export interface PolicyHistory {
  now: () => Date;
  drafts: Map<string, { by: string; at: Date; isTested: boolean }>;
  activations: Map<string, { by: string; at: Date; mayActAlone: boolean }>;
  /** When a policy was last paused by an admin or removed. */
  halts: Map<string, Date>;
  isDeclared: boolean;
  sent: { requestId: string; email: string; limit: number }[];
}

/** What was known before a step. */
export interface Snapshot {
  decisions: ReadonlySet<string>;
  open: ReadonlySet<string>;
  unknown: ReadonlySet<string>;
  limits: ReadonlyMap<string, number>;
  admins: ReadonlySet<string>;
  figuresAgeDays: number;
  areOn: boolean;
  isDeclared: boolean;
  gapUntil: Date | undefined;
  confirmed: ReadonlyMap<string, string | null>;
  dryRuns: ReadonlyMap<string, string | null>;
}

export async function snapshotOf(
  db: PolicyDatabase,
  { figuresAgeDays, areOn, gap, admins }: PolicyWorld,
  { isDeclared }: PolicyHistory,
): Promise<Snapshot> {
  const decisions = await db.selectFrom('limitPolicyDecisions').select('requestId').execute();
  const open = await db
    .selectFrom('limitRequestPeople as person')
    .innerJoin('limitRequests as request', 'request.id', 'person.requestId')
    .select('person.email')
    .where('request.state', 'in', UNFINISHED)
    .where('person.state', 'in', ['asked', 'queued', 'sending', 'unknown'])
    .execute();
  const unknown = await db
    .selectFrom('limitRequestPeople')
    .select('email')
    .where('state', 'in', ['sending', 'unknown'])
    .execute();
  const entries = await db
    .selectFrom('limitLedger')
    .select(['email', 'value'])
    .orderBy('setAt')
    .orderBy('approvedAt')
    .execute();
  const policies = await db.selectFrom('limitPolicies').select(['id', 'confirmedAt', 'dryRunUntil']).execute();
  return {
    decisions: new Set(decisions.map(({ requestId }) => requestId)),
    open: new Set(open.map(({ email }) => email)),
    unknown: new Set(unknown.map(({ email }) => email)),
    limits: new Map(entries.map(({ email, value }) => [email, value])),
    admins: new Set(admins.map((id) => emailOf(id))),
    figuresAgeDays,
    areOn,
    isDeclared,
    gapUntil: gap?.until,
    confirmed: new Map(policies.map(({ id, confirmedAt }) => [id, confirmedAt])),
    dryRuns: new Map(policies.map(({ id, dryRunUntil }) => [id, dryRunUntil])),
  };
}

/** Runs when the platform gets a PUT: a limit that no person decided must be allowed at this very moment. */
export async function checkSent(
  db: PolicyDatabase,
  history: PolicyHistory,
  limits: readonly { email: string; limit: number }[],
): Promise<void> {
  for (const { email, limit } of limits) {
    const sending = await db
      .selectFrom('limitRequestPeople as person')
      .innerJoin('limitRequests as request', 'request.id', 'person.requestId')
      .select(['request.id', 'request.kind', 'request.policyId', 'request.policyVersion', 'request.round'])
      .select(['request.parentId', 'request.decidedBy', 'person.approvedValue'])
      .where('person.email', '=', email)
      .where('person.state', '=', 'sending')
      .executeTakeFirstOrThrow();
    history.sent.push({ requestId: sending.id, email, limit });
    const isAutomatic = sending.round === 0 && (sending.policyId !== null || sending.decidedBy === 'quartermaster');
    if (!isAutomatic) continue;
    expect(limit, 'only the approved value is sent').toBe(sending.approvedValue);
    if (sending.kind === 'return') await checkReturn(db, email, sending);
    else await checkGrantIsSent(db, history, sending);
  }
}

/** Runs after an admin activated a version. */
export function checkActivation({ drafts, activations }: PolicyHistory, key: string): void {
  const draft = drafts.get(key);
  const activation = activations.get(key);
  expect(draft?.isTested, 'only a back-tested version is activated').toBe(true);
  if (activation?.by !== draft?.by) return;
  const waited = (activation?.at.getTime() ?? 0) - (draft?.at.getTime() ?? 0);
  expect(activation?.mayActAlone && waited >= DAY_MS, 'a second admin activates').toBe(true);
}

async function checkReturn(
  db: PolicyDatabase,
  email: string,
  { parentId, id }: { parentId: string | null; id: string },
) {
  const newest = await db
    .selectFrom('limitLedger')
    .select('requestId')
    .where('email', '=', email)
    .orderBy('setAt', 'desc')
    .orderBy('approvedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  expect([parentId, id], 'an end is sent only after the newest raise').toContain(newest?.requestId);
}

async function checkGrantIsSent(
  db: PolicyDatabase,
  history: PolicyHistory,
  sending: { id: string; policyId: string | null; policyVersion: number | null },
): Promise<void> {
  const key = `${sending.policyId}@${sending.policyVersion}`;
  expect(history.activations.has(key), 'only an activated version acts').toBe(true);
  checkActivation(history, key);
  expect(history.isDeclared, 'it acts alone only with the declaration').toBe(true);
  const decision = await db
    .selectFrom('limitPolicyDecisions')
    .selectAll()
    .where('requestId', '=', sending.id)
    .executeTakeFirst();
  expect(decision?.outcome, 'each grant is counted before it is sent').toBe('grant');
  const halted = history.halts.get(sending.policyId ?? '');
  expect(halted !== undefined && halted.toISOString() >= (decision?.at ?? ''), 'a pause wins').toBe(false);
}

/** Checks what the step decided, against what was known before it. */
export async function checkStep(db: PolicyDatabase, _history: PolicyHistory, before: Snapshot): Promise<void> {
  const decisions = await db
    .selectFrom('limitPolicyDecisions')
    .selectAll()
    .where('outcome', '=', 'grant')
    .orderBy('at')
    .execute();
  const fresh = decisions.filter(({ requestId }) => !before.decisions.has(requestId));
  expect(new Set(fresh.map(({ email }) => email)).size, 'one grant a person at a time').toBe(fresh.length);
  for (const grant of fresh) {
    const { email, requestId, policyId, policyVersion, at } = grant;
    const rules = await rulesOf(db, policyId, policyVersion);
    const request = await db
      .selectFrom('limitRequestPeople')
      .selectAll()
      .where('requestId', '=', requestId)
      .executeTakeFirstOrThrow();
    expect(before.areOn, 'LIMIT_POLICIES=off stops all').toBe(true);
    expect(before.isDeclared, 'it acts alone only with the declaration').toBe(true);
    expect(before.open.has(email), 'no other request is open').toBe(false);
    expect(before.unknown.has(email), 'no outcome is unknown').toBe(false);
    expect(before.admins.has(email), 'a person decides about admins').toBe(false);
    expect(before.figuresAgeDays, 'the figures are fresh').toBeLessThanOrEqual(2);
    const confirmed = before.confirmed.get(policyId ?? '') ?? '';
    if (before.gapUntil)
      expect(confirmed > before.gapUntil.toISOString(), 'a restored store grants nothing').toBe(true);
    expect((before.dryRuns.get(policyId ?? '') ?? '9') <= at, 'a dry run grants nothing').toBe(true);
    checkAmount(rules, before.limits.get(email), request.toValue);
    checkCaps(rules, decisions, grant);
  }
}

async function rulesOf(db: PolicyDatabase, id: string | null, version: number | null): Promise<ActingRules> {
  const row = await db
    .selectFrom('limitPolicyVersions')
    .select('rules')
    .where('policyId', '=', id ?? '')
    .where('version', '=', version ?? 0)
    .executeTakeFirstOrThrow();
  const rules = rulesSchema.parse(JSON.parse(row.rules));
  if (!isActingRules(rules)) throw new Error('Only policies act');
  return rules;
}

function checkAmount(rules: ActingRules, limit: number | undefined, amount: number): void {
  if (rules.kind === 'default') {
    expect(limit, 'a first limit is for a person without one').toBeUndefined();
    expect(amount).toBe(rules.limit);
    return;
  }
  expect(limit, 'a raise starts from a limit of ours').toBeDefined();
  expect(amount).toBeGreaterThan(limit ?? 0);
  expect(amount).toBeLessThanOrEqual(rules.cap);
  expect(amount).toBeLessThanOrEqual(((limit ?? 0) * (100 + rules.percent)) / 100 + 1e-6);
}

interface Grant {
  requestId: string;
  email: string;
  at: string;
  credits: number;
}

/** In every window that ends with this grant. */
function checkCaps(rules: ActingRules, all: readonly Grant[], grant: Grant): void {
  const at = Date.parse(grant.at);
  const since = (days: number) => all.filter((one) => one.at <= grant.at && Date.parse(one.at) > at - days * DAY_MS);
  expect(since(1).length, 'grants a day').toBeLessThanOrEqual(rules.grantsADay);
  const month = dayOf(new Date(at)).slice(0, 7);
  const credits = all
    .filter((one) => one.at <= grant.at && one.at.startsWith(month))
    .reduce((sum, one) => sum + one.credits, 0);
  expect(credits, 'credits a period').toBeLessThanOrEqual(rules.creditsAPeriod);
  if (rules.kind === 'default') return;
  const own = since(rules.days).filter(({ email }) => email === grant.email);
  expect(own.length, 'grants a person').toBeLessThanOrEqual(rules.times);
}
