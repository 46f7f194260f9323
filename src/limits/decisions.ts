import { sql } from 'kysely';
import type { FreshPerson } from '../slack/people.ts';
import { BOT_ACTOR, noteDeed } from '../store/audit.ts';
import { editCards, tellState } from './announcing.ts';
import { formatAmount } from './amounts.ts';
import { auditSubject } from './ids.ts';
import type { LimitRequest, LimitTransaction } from './limit-tables.ts';
import { MOST_PEOPLE_PER_BATCH } from './outcomes.ts';
import type { LimitParts } from './parts.ts';
import { findRequest } from './requests.ts';
import { stepOf, type RequestEvent, type RequestState, type StepRefusal } from './states.ts';

/** What came of a wish to move a request on. */
export type MoveResult =
  | { kind: 'moved'; request: LimitRequest }
  | { kind: 'refused'; reason: StepRefusal; request: LimitRequest }
  | { kind: 'unknown' };

/** What a reviewer changed of what was asked. */
export interface ReviewedPeople {
  /** By e-mail: less than was asked. */
  lowered: ReadonlyMap<string, number>;
  /** E-mails. */
  leftOut: ReadonlySet<string>;
}

export type Decision =
  | ({ kind: 'approve'; comment: string } & ReviewedPeople)
  | { kind: 'deny'; comment: string }
  | { kind: 'withdraw' }
  | { kind: 'retry' };

/** What the pure decision needs of a request. */
export function factsOf(request: LimitRequest) {
  return {
    state: request.state,
    requester: request.requester,
    expiresAt: new Date(request.expires_at),
    until: request.kind === 'return' || request.until === null ? undefined : new Date(request.until),
  };
}

/**
 * Decides, withdraws or retries a request for a person. The database lets one of those through who try at the same time; the
 * others are told what stands against it now.
 */
export async function moveRequest(
  parts: LimitParts,
  id: string,
  person: FreshPerson,
  decision: Decision,
): Promise<MoveResult> {
  const request = await findRequest(parts.db, id);
  if (!request) return { kind: 'unknown' };
  const event = eventOf(decision, person, request);
  const now = parts.clock.now();
  const step = stepOf(factsOf(request), event, now);
  if (step.kind === 'refused') return { ...step, request };
  parts.observe?.('before_decision');
  const moved = await parts.db.transaction().execute(async (trx) => {
    const after = await moveOn(trx, request, step.state, decision, person.slackId, now);
    if (after) await follow(trx, after, decision, person, now);
    return after;
  });
  if (moved) {
    parts.observe?.('after_decision');
    parts.wakeOutbox();
    return { kind: 'moved', request: moved };
  }
  const current = (await findRequest(parts.db, id)) ?? request;
  const again = stepOf(factsOf(current), event, parts.clock.now());
  return { kind: 'refused', reason: again.kind === 'refused' ? again.reason : 'not_pending', request: current };
}

function eventOf(decision: Decision, by: FreshPerson, request: LimitRequest): RequestEvent {
  if (decision.kind !== 'approve') return { kind: decision.kind, by };
  return { kind: 'approve', by, leavesSomebody: decision.leftOut.size < request.people };
}

/** The conditional update that lets one of several through. */
async function moveOn(
  trx: LimitTransaction,
  request: LimitRequest,
  state: RequestState,
  decision: Decision,
  by: string,
  now: Date,
): Promise<LimitRequest | undefined> {
  const at = now.toISOString();
  const isRetry = decision.kind === 'retry';
  const sendsNow = isRetry || decision.kind === 'approve';
  return trx
    .updateTable('limit_requests')
    .set((set) => ({
      state,
      version: set('version', '+', 1),
      ...(isRetry
        ? { round: set('round', '+', 1), attempts: 0 }
        : { decided_by: by, decided_at: at, comment: 'comment' in decision ? decision.comment || null : null }),
      ...(sendsNow ? { next_attempt_at: at } : { finished_at: at }),
    }))
    .where('id', '=', request.id)
    .where('state', '=', request.state)
    .where('version', '=', request.version)
    .$if(!isRetry, (query) => query.where('expires_at', '>', at))
    .returningAll()
    .executeTakeFirst();
}

/** What follows from a decision, in its transaction. */
async function follow(
  trx: LimitTransaction,
  request: LimitRequest,
  decision: Decision,
  person: FreshPerson,
  now: Date,
): Promise<void> {
  const about = { about: auditSubject(request.id), actor: person.slackId };
  await noteDeed(trx, { ...about, deed: DEEDS[decision.kind], detail: detailOf(decision) }, now);
  await editCards(trx, request, now);
  switch (decision.kind) {
    case 'approve':
      return queuePeople(trx, request.id, decision);
    case 'deny':
      return tellState(trx, request, 'denied', [request.requester], now);
    case 'withdraw':
      // Whoever withdraws their own request knows it.
      if (person.slackId === request.requester) return;
      return tellState(trx, request, 'withdrawn', [request.requester], now);
    case 'retry':
      return queueWhatFailed(trx, request.id);
    default:
      return decision satisfies never;
  }
}

const DEEDS = { approve: 'approved', deny: 'denied', withdraw: 'withdrawn', retry: 'retried' } as const;

const LONGEST_DETAIL = 2_000;

function detailOf(decision: Decision): string | null {
  if (decision.kind !== 'approve' && decision.kind !== 'deny') return null;
  const { comment } = decision;
  const changes =
    decision.kind === 'deny'
      ? []
      : [
          ...[...decision.lowered].map(([email, value]) => `${email} lowered to ${formatAmount(value)}`),
          ...[...decision.leftOut].map((email) => `${email} left out`),
        ];
  return (
    [comment, ...changes]
      .filter((line) => line !== '')
      .join('; ')
      .slice(0, LONGEST_DETAIL) || null
  );
}

/** What was approved stands from here on: the batches are sent from these rows and nothing else. */
async function queuePeople(trx: LimitTransaction, id: string, { lowered, leftOut }: ReviewedPeople): Promise<void> {
  await trx
    .updateTable('limit_request_people')
    .set((set) => ({
      state: 'queued',
      approved_value: set.ref('to_value'),
      batch: sql<number>`position / ${sql.lit(MOST_PEOPLE_PER_BATCH)}`,
    }))
    .where('request_id', '=', id)
    .execute();
  for (const [email, value] of lowered) {
    await trx
      .updateTable('limit_request_people')
      .set({ approved_value: value })
      .where('request_id', '=', id)
      .where('email', '=', email)
      .where('to_value', '>=', value)
      .execute();
  }
  for (const email of leftOut) {
    await trx
      .updateTable('limit_request_people')
      .set({ state: 'left_out', approved_value: null, batch: null })
      .where('request_id', '=', id)
      .where('email', '=', email)
      .execute();
  }
}

/** Those of whom it is not known stay so until the platform says something; they are sent again like the others. */
async function queueWhatFailed(trx: LimitTransaction, id: string): Promise<void> {
  await trx
    .updateTable('limit_request_people')
    .set({ state: 'queued', error: null })
    .where('request_id', '=', id)
    .where('state', 'in', ['refused', 'failed'])
    .execute();
}

/** Ends a request whose time to be decided is over. */
export async function expireRequest(parts: LimitParts, request: LimitRequest): Promise<boolean> {
  const now = parts.clock.now();
  if (stepOf(factsOf(request), { kind: 'expire' }, now).kind === 'refused') return false;
  return parts.db.transaction().execute(async (trx) => {
    const expired = await trx
      .updateTable('limit_requests')
      .set((set) => ({ state: 'expired', version: set('version', '+', 1), finished_at: now.toISOString() }))
      .where('id', '=', request.id)
      .where('state', '=', 'pending')
      .where('expires_at', '<=', now.toISOString())
      .returningAll()
      .executeTakeFirst();
    if (!expired) return false;
    const entry = { about: auditSubject(request.id), actor: BOT_ACTOR, deed: 'expired', detail: null };
    await noteDeed(trx, entry, now);
    await editCards(trx, expired, now);
    await tellState(trx, expired, 'expired', [expired.requester], now);
    return true;
  });
}
