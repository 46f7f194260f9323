import { type PolicyDatabase, type PolicyTransaction, limitsIn } from '../store/policy-tables.ts';
import { DAY_MS } from '../../../core/base/time/durations.ts';
import { takeShortId } from '../../../core/base/text/short-id.ts';
import { audit } from '../../../core/store/audit.ts';
import { readLimitPeriod } from '../../../core/figures/limit-period.ts';
import { readApproverRules } from '../../limits/approvers/approver-rules.ts';
import { readStoreNow } from '../../../core/store/lease.ts';
import type { PolicyDeps } from '../policy-deps.ts';
import { isActor, type Actor } from '../../limits/core/access.ts';
import { completeActor } from '../../limits/rights/four-eyes.ts';
import { dryRunDaysOf } from '../back-test/back-test.ts';
import { backTestColumn, runBackTest } from '../back-test/read-past.ts';
import { policyTransitionOf, type PolicyEvent, type PolicyRefusal } from '../rules/policy-states.ts';
import { policyNotice, tellLowered } from '../messages/policy-notices.ts';
import { isLeadOf } from '../rules/decide-team.ts';
import { compareBounds, type TeamBounds } from '../rules/lower-team.ts';
import { isTeamRules, type TeamRules } from '../rules/policy-rules.ts';
import {
  findPolicy,
  insertPolicy,
  keepBackTest,
  listActive,
  replaceRules,
  tightenRules,
  type Draft,
  type StoredPolicy,
} from '../store/policy-store.ts';
import { storeActivation, storeReleasedState, storeRemoval, storeResumption } from '../store/policy-transitions.ts';
import { storeRelease } from '../store/agreements.ts';
import { takeTurn } from '../store/turn.ts';
import { pauseAll, policySubject } from '../live/pause.ts';

const ID_LENGTH = 4;

export type PolicyChange =
  | { kind: 'changed'; policy: StoredPolicy }
  | { kind: 'refused'; reason: PolicyRefusal; policy: StoredPolicy }
  /** Somebody else changed it at the same time. */
  | { kind: 'raced'; policy: StoredPolicy }
  | { kind: 'unknown' };

export async function createPolicy(deps: PolicyDeps, draft: Draft, by: string): Promise<StoredPolicy> {
  const { db, random } = deps;
  const id = await db.transaction().execute(async (trx) => {
    const now = await readStoreNow(trx);
    const newId = await takeShortId(random, ID_LENGTH, async (one) =>
      (await insertPolicy(trx, one, draft, by, now)) ? one : undefined,
    );
    await auditChange(trx, { id: newId, version: 1 }, draft, 'created', by, now);
    return newId;
  });
  const policy = await findPolicy(db, id);
  if (!policy) throw new Error('A policy that was just created is missing');
  return policy;
}

/** Makes it a draft with a new version. Requests that met the earlier one keep it. */
export const editPolicy = (deps: PolicyDeps, id: string, version: number, draft: Draft, by: string) =>
  change(deps, id, version, { kind: 'edit' }, async (trx, policy, now) => {
    if (!(await replaceRules(trx, policy, draft, by, now))) return false;
    await auditChange(trx, { id, version: version + 1 }, draft, 'edited', by, now);
    return true;
  });

/** The admin who is the only one may act alone, after a day and a confirmation. */
export async function activatePolicy(
  deps: PolicyDeps,
  id: string,
  version: number,
  by: Actor,
  isConfirmed: boolean,
): Promise<PolicyChange> {
  const actor = await completeActor(deps, by);
  const policy = await findPolicy(deps.db, id);
  if (!policy) return { kind: 'unknown' };
  const drafter = await deps.people.describe(policy.draftedBy);
  const period = await readLimitPeriod(deps);
  const event: PolicyEvent = {
    kind: 'activate',
    isOwnDraft: isActor({ slackId: policy.draftedBy, email: drafter?.email }, actor),
    mayActAlone: actor.decidesAlone === true,
    isConfirmed,
  };
  return change(deps, id, version, event, async (trx, draft, now, isAlone) => {
    const backTest = backTestColumn.readIfKnown(draft.backTest);
    if (!backTest) return false;
    const inForceFrom = new Date(now.getTime() + dryRunDaysOf(draft.rules, backTest) * DAY_MS);
    const secondAbove = (await readApproverRules(limitsIn(trx)))?.secondAbove;
    const agreement = { inForceFrom, period, secondAbove };
    if (!(await storeActivation(trx, draft, { by: by.slackId, isAlone, ...agreement }, now))) return false;
    const action = isAlone ? 'activated alone' : 'activated';
    await auditChange(trx, draft, draft, action, by.slackId, now);
    const key = `limit-policy:activated:${id}:${version}`;
    await policyNotice.notify(trx, null, { key, payload: { event: 'activated', id, version } }, now);
    return true;
  });
}

/** A lead keeps or lowers what bounds the leads, at once: it only allows less. `by`: their Slack id. */
export async function lowerTeam(
  deps: PolicyDeps,
  id: string,
  version: number,
  by: string,
  bounds: TeamBounds,
): Promise<PolicyChange> {
  const found = await findPolicy(deps.db, id);
  if (!found || !isTeamRules(found.rules)) return { kind: 'unknown' };
  const { rules: before } = found;
  if (found.version === version + 1 && wasLoweredTo(before, by, bounds)) return { kind: 'changed', policy: found };
  // The leads of another version say nothing about this one.
  if (found.version !== version) return { kind: 'raced', policy: found };
  const isLead = isLeadOf(before, by, await deps.people.teamsNow());
  const lowering = { isLead, change: compareBounds(before, bounds) };
  await deps.checkpoint('limits:before_lowering');
  const result = await change(deps, id, version, { kind: 'lower', lowering }, async (trx, policy, now) => {
    const rules = { ...before, ...bounds, lowered: { by, at: now.toISOString() } };
    if (!(await tightenRules(trx, policy, rules))) return false;
    await auditChange(trx, { id, version: version + 1 }, { name: policy.name, rules }, 'lowered', by, now);
    const { pool, cap } = before;
    await tellLowered(
      trx,
      rules,
      { event: 'lowered', id, by, version: version + 1, before: { pool, cap }, after: bounds },
      now,
    );
    await deps.checkpoint('limits:in_lowering');
    return true;
  });
  await deps.checkpoint('limits:after_lowering');
  return result;
}

/** The form is sent again after a crash that came between the change and its answer. */
const wasLoweredTo = ({ pool, cap, lowered }: TeamRules, by: string, bounds: TeamBounds): boolean =>
  lowered?.by === by && pool === bounds.pool && cap === bounds.cap;

export const pausePolicy = (deps: PolicyDeps, id: string, version: number, by: string) =>
  change(deps, id, version, { kind: 'pause' }, async (trx, policy, now) => {
    return (await pauseAll(trx, [policy], { by, reason: 'admin' }, now)) > 0;
  });

export const resumePolicy = (deps: PolicyDeps, id: string, version: number, by: string) =>
  change(deps, id, version, { kind: 'resume' }, async (trx, policy, now) => {
    if (!(await storeResumption(trx, policy, now))) return false;
    await auditChange(trx, policy, policy, 'resumed', by, now);
    return true;
  });

export const removePolicy = (deps: PolicyDeps, id: string, version: number, by: string) =>
  change(deps, id, version, { kind: 'remove' }, async (trx, policy, now) => {
    if (!(await storeRemoval(trx, id, by, now))) return false;
    await auditChange(trx, policy, policy, 'removed', by, now);
    const key = `limit-policy:removed:${id}`;
    if (policy.state !== 'draft' || policy.held)
      await policyNotice.notify(trx, null, { key, payload: { event: 'removed', id } }, now);
    return true;
  });

/** Frees the people and caps that a policy holds since one admin paused, edited or deleted it. */
export async function releasePolicy(
  deps: PolicyDeps,
  id: string,
  version: number,
  by: Actor,
  isConfirmed: boolean,
): Promise<PolicyChange> {
  const actor = await completeActor(deps, by);
  const policy = await findPolicy(deps.db, id);
  if (!policy) return { kind: 'unknown' };
  const event: PolicyEvent = {
    kind: 'release',
    isOwnHold: await isHeldBy(deps, policy, actor),
    mayActAlone: actor.decidesAlone === true,
    isConfirmed,
  };
  const holder = policy.hold?.by;
  return change(deps, id, version, event, async (trx, held, now, isAlone) => {
    // Another admin has stopped it again since, so it may be this admin.
    if (held.hold?.by !== holder || !(await storeRelease(trx, id, by.slackId, now))) return false;
    await storeReleasedState(trx, id);
    await auditChange(trx, held, held, isAlone ? 'released alone' : 'released', by.slackId, now);
    return true;
  });
}

export async function isHeldBy(
  { people }: Pick<PolicyDeps, 'people'>,
  { hold }: Pick<StoredPolicy, 'hold'>,
  actor: Actor,
): Promise<boolean> {
  if (!hold || hold.by === null) return false;
  const holder = await people.describe(hold.by);
  return isActor({ slackId: hold.by, email: holder?.email }, actor);
}

/** Pauses every active policy at once. @returns how many were active */
export async function stopAllPolicies({ db }: Pick<PolicyDeps, 'db'>, by: string): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await takeTurn(trx);
    const now = await readStoreNow(trx);
    return pauseAll(trx, await listActive(trx), { by, reason: 'stopped' }, now);
  });
}

/** Stores the back-test of the newest version, and asks the admins to activate it. */
export async function testPolicy(deps: PolicyDeps, id: string): Promise<PolicyChange | { kind: 'unreadable' }> {
  const policy = await findPolicy(deps.db, id);
  if (!policy || policy.state === 'removed') return { kind: 'unknown' };
  const result = await runBackTest(deps, policy);
  if (result.kind === 'unreadable') return result;
  const isKept = await deps.db.transaction().execute(async (trx) => {
    const now = await readStoreNow(trx);
    if (!(await keepBackTest(trx, policy, backTestColumn.write(result.backTest), now))) return false;
    if (policy.state !== 'draft') return true;
    const key = `limit-policy:tested:${id}:${policy.version}`;
    await policyNotice.notify(trx, null, { key, payload: { event: 'tested', id, version: policy.version } }, now);
    return true;
  });
  const after = (await findPolicy(deps.db, id)) ?? policy;
  return isKept ? { kind: 'changed', policy: after } : { kind: 'raced', policy: after };
}

/** Decides by the pure rules, then by a conditional update, in turn with the decisions of policies. */
async function change(
  { db }: { db: PolicyDatabase },
  id: string,
  version: number,
  event: PolicyEvent,
  store: (trx: PolicyTransaction, policy: StoredPolicy, now: Date, isAlone: boolean) => Promise<boolean>,
): Promise<PolicyChange> {
  const result = await db.transaction().execute(async (trx): Promise<PolicyChange | 'stored'> => {
    await takeTurn(trx);
    const now = await readStoreNow(trx);
    const policy = await findPolicy(trx, id);
    if (!policy) return { kind: 'unknown' };
    if (policy.version !== version) return { kind: 'raced', policy };
    const { state, draftedAt, backTestedAt, hold } = policy;
    const facts = { state, draftedAt, hasBackTest: backTestedAt !== undefined, hold };
    const transition = policyTransitionOf(facts, event, now);
    if (transition.kind === 'refused') return { ...transition, policy };
    return (await store(trx, policy, now, transition.isAlone)) ? 'stored' : { kind: 'raced', policy };
  });
  if (result !== 'stored') return result;
  const policy = await findPolicy(db, id);
  return policy ? { kind: 'changed', policy } : { kind: 'unknown' };
}

async function auditChange(
  trx: PolicyTransaction,
  { id, version }: Pick<StoredPolicy, 'id' | 'version'>,
  { name, rules }: Draft,
  action: string,
  by: string,
  now: Date,
): Promise<void> {
  const detail = `Policy “${name}”, version ${version}: ${JSON.stringify(rules)}`;
  await audit(trx, { about: policySubject(id), actor: by, action, detail }, now);
}
