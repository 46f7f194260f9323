import type { Sending } from '../../limits/core/request-policies.ts';
import { HOUR_MS } from '../../../core/base/time/durations.ts';
import { auditSending, renewLease, stopSending } from '../../limits/apply/leases.ts';
import { announceRequest, editCards, type CardTarget } from '../../limits/core/notify.ts';
import { newestEntries } from '../../limits/core/ledger.ts';
import type { PolicyDatabase, PolicyTransaction } from '../store/policy-tables.ts';
import type { LimitRequest } from '../../limits/core/limit-tables.ts';
import type { PolicyDeps } from '../policy-deps.ts';
import { cardCopies, limitCard } from '../../limits/core/limit-messages.ts';
import { readShownLimits } from '../../../core/platform/capabilities/shown-limit-store.ts';
import { readOnlyHere } from '../store/only-here.ts';
import { deleteCharge } from '../store/charges.ts';
import { findDecision } from '../store/policy-decisions.ts';

/**
 * Runs under the lease, right before the request leaves. Withholds a request whose policy was stopped since, and the
 * end of a raise that is no longer the newest limit; a person then decides. @returns whether it was withheld
 */
export async function withholdStopped(
  deps: PolicyDeps,
  request: LimitRequest,
  sendings: readonly Sending[],
  cardTarget: () => Promise<CardTarget>,
): Promise<boolean> {
  // After a retry or another choice, an admin has decided it.
  if (request.policyId === null || request.round > 0) return false;
  const isReturn = request.kind === 'return';
  const isSendable = isReturn ? await isNewest(deps.db, request, sendings) : await maySend(deps, request);
  if (isSendable) return false;
  const target = await cardTarget();
  const now = deps.clock.now();
  return deps.db.transaction().execute(async (trx) => {
    // Another replica has taken over, and checks it again.
    if (!(await renewLease(trx, request))) return true;
    if (isReturn) await askAboutReturn(trx, request, target, now);
    else if (sendings.some(({ isUnsure }) => isUnsure)) await leaveUnknown(trx, request, now);
    else await handBack(trx, deps, request, target, now);
    return true;
  });
}

async function isNewest(
  db: PolicyDatabase,
  { parentId }: LimitRequest,
  sendings: readonly Sending[],
): Promise<boolean> {
  const newest = await newestEntries(
    db,
    sendings.map(({ email }) => email),
  );
  return sendings.every(({ email, isUnsure }) => isUnsure || newest.get(email)?.requestId === parentId);
}

/** An admin may have paused the policy, stopped all of them, or taken back that limits are set only here. */
async function maySend({ db, config }: PolicyDeps, { id, policyId, policyVersion }: LimitRequest): Promise<boolean> {
  if (!config.limitPolicies) return false;
  // Where the platform shows limits, each sending is checked against them.
  if (!(await readOnlyHere(db)) && !(await readShownLimits(db, []))) return false;
  const decision = await findDecision(db, id);
  const version = await db
    .selectFrom('limitPolicyVersions')
    .select('haltedAt')
    .where('policyId', '=', policyId)
    .where('version', '=', policyVersion)
    .executeTakeFirst();
  if (!decision || !version) return false;
  return version.haltedAt === null || decision.at > version.haltedAt;
}

/** The request waits for a decision, as if no policy had approved it. Its grant still counts. */
async function handBack(
  trx: PolicyTransaction,
  { config }: PolicyDeps,
  request: LimitRequest,
  target: CardTarget,
  now: Date,
): Promise<void> {
  const decision = await findDecision(trx, request.id);
  const handedBack = await stopSending(trx, request, {
    ...NOT_DECIDED,
    until: decision?.requestedUntil ?? null,
    expiresAt: new Date(now.getTime() + config.limitsExpireHours * HOUR_MS).toISOString(),
  });
  if (!handedBack) return;
  await deleteCharge(trx, request.id);
  await trx
    .updateTable('limitRequestPeople')
    .set({ state: 'asked', approvedValue: null, batch: null, returnValue: decision?.requestedReturn ?? null })
    .where('requestId', '=', request.id)
    .execute();
  await auditSending(trx, request.id, 'handed back', 'Its policy was stopped before it was sent', now);
  await announceRequest(trx, { requestId: request.id }, target, now);
}

const NOT_DECIDED = {
  state: 'pending',
  decidedBy: null,
  decidedAt: null,
  attempts: 0,
  policyId: null,
  policyName: null,
  policyVersion: null,
  undoUntil: null,
} as const;

/** It may have been set, so an admin chooses whether to send it again. */
async function leaveUnknown(trx: PolicyTransaction, request: LimitRequest, now: Date): Promise<void> {
  await trx
    .updateTable('limitRequestPeople')
    .set({ state: 'unknown', error: 'Its policy was stopped before the outcome was known.' })
    .where('requestId', '=', request.id)
    .where('state', 'in', ['sending', 'queued'])
    .execute();
  const left = await stopSending(trx, request, { state: 'outcome_unknown', finishedAt: now.toISOString() });
  if (!left) return;
  await auditSending(trx, request.id, 'outcome unknown', 'Its policy was stopped before the outcome was known', now);
  await editCards(trx, left, now);
}

/** An admin sends the end of the raise, or leaves the limit as it is. */
async function askAboutReturn(
  trx: PolicyTransaction,
  request: LimitRequest,
  target: CardTarget,
  now: Date,
): Promise<void> {
  const asked = await stopSending(trx, request, { state: 'unsure' });
  if (!asked) return;
  await trx
    .updateTable('limitRequestPeople')
    .set({ state: 'queued' })
    .where('requestId', '=', request.id)
    .where('state', '=', 'sending')
    .execute();
  await auditSending(trx, request.id, 'withheld', 'Its raise is not the newest limit', now);
  await editCards(trx, asked, now);
  await announceRequest(trx, { requestId: request.id, topic: `unsure-${request.round}` }, target, now);
}

/** Shows the admins each grant that the platform did not confirm: its request has no card yet. */
export async function showUnsetGrants(deps: PolicyDeps, cardTarget: () => Promise<CardTarget>): Promise<void> {
  const { db, clock } = deps;
  const requests = await db
    .selectFrom('limitRequests')
    .select('id')
    .where('policyId', 'is not', null)
    .where('kind', 'in', ['ask', 'policy'])
    .where('state', 'in', ['partly_applied', 'outcome_unknown'])
    .where('nextAttemptAt', 'is', null)
    .execute();
  for (const { id } of requests) {
    const target = await cardTarget();
    await db.transaction().execute(async (trx) => {
      if ((await listAllCards(trx, id)) > 0) return;
      await announceRequest(trx, { requestId: id }, target, clock.now());
    });
  }
}

async function listAllCards(trx: PolicyTransaction, id: string): Promise<number> {
  const [cards, copies] = await Promise.all([limitCard.listAbout(trx, id), cardCopies.listAbout(trx, id)]);
  return cards.length + copies.length;
}
