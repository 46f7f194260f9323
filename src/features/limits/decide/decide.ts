import type { RoleDenial } from '../../../core/slack/blocks/messages.ts';
import type { Markup } from '../../../core/base/text/markup.ts';
import type { FreshPerson } from '../../../core/slack/people/people.ts';
import { BOT_ACTOR, audit } from '../../../core/store/audit.ts';
import { storeNow } from '../../../core/store/lease.ts';
import { editCards, notifyState } from '../core/notify.ts';
import { auditSubject } from '../core/ids.ts';
import type { LimitPerson, LimitRequest, LimitTransaction } from '../core/limit-tables.ts';
import { clearFirstApproval, explainOwn, queuePeople } from './approve.ts';
import { firstApprovalBy, readApproval } from '../approvers/second-approval.ts';
import { auditActionOf, detailOf, type Decision } from './decision.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { insertUndo } from './undo.ts';
import { readUndoFacts } from '../core/undo-facts.ts';
import { factsOf, findRequest, ownRowsOf, peopleOf } from '../core/requests.ts';
import { involvementOf, roleDenial, type Actor } from '../core/access.ts';
import type { DecideAsLead, MaybeLead } from '../core/lead.ts';
import { completeActor, completeDecider } from '../rights/four-eyes.ts';
import { extentOf } from '../core/visible.ts';
import {
  isDecidedAlone,
  transitionOf,
  WAITING,
  type EarlierLimits,
  type RequestEvent,
  type RequestState,
  type TransitionRefusal,
} from '../core/states.ts';

export type MoveResult =
  | { kind: 'moved'; request: LimitRequest }
  /** `because`: more than the reason says. */
  | { kind: 'refused'; reason: TransitionRefusal; request: LimitRequest; because?: Markup }
  /** The role alone forbids it, for any request. */
  | { kind: 'forbidden'; denial: RoleDenial }
  /** The request does not exist or is not visible to the person. */
  | { kind: 'unknown' };

/** If several people try at once, the database lets one through; the others see why theirs came too late. */
export async function moveRequest(
  deps: LimitDeps,
  id: string,
  asker: FreshPerson,
  decision: Decision,
): Promise<MoveResult> {
  // The role comes first, so that a person without it does not learn whether the request exists.
  const isDecision = decision.kind === 'approve' || decision.kind === 'deny';
  const person: FreshPerson & Actor & MaybeLead = isDecision
    ? await completeDecider(deps, asker, id)
    : await completeActor(deps, asker);
  const denial = decision.kind === 'withdraw' ? undefined : roleDenial(person);
  if (denial) return { kind: 'forbidden', denial };
  for (let attempt = 1; ; attempt += 1) {
    const request = await findRequest(deps.db, id);
    if (!request) return { kind: 'unknown' };
    if (!extentOf(request, (await ownRowsOf(deps.db, id, person)).length, person)) return { kind: 'unknown' };
    const now = deps.clock.now();
    await deps.checkpoint('limits:before_decision');
    const result = await deps.db
      .transaction()
      .execute((trx) => decideInTransaction(deps, trx, { read: request, person, requested: decision }, now));
    if (result.kind === 'moved') await deps.checkpoint('limits:after_decision');
    if (result.kind !== 'superseded') return result;
    // A hand-over in the meantime does not prevent the decision; another decision gives the reason of a refusal.
    if (attempt === MAX_ATTEMPTS) return { kind: 'refused', reason: 'not_pending', request };
  }
}

const MAX_ATTEMPTS = 5;

type Attempt = MoveResult | { kind: 'superseded' };

interface Attempted {
  read: LimitRequest;
  person: FreshPerson & Actor & MaybeLead;
  requested: Decision;
}

/** The limit of the only person, and the lowest limit afterwards that was typed. */
async function approvedOf(
  trx: LimitTransaction,
  { id }: LimitRequest,
  { lowered, returns, highestReturn }: Extract<Decision, { kind: 'approve' }>,
): Promise<Parameters<DecideAsLead>[1]> {
  const [person] = await peopleOf(trx, id, 1);
  if (!person) return undefined;
  const afterwards = [returns.get(person.email), highestReturn].flatMap((amount) => amount ?? []);
  return {
    amount: Math.min(lowered.get(person.email) ?? Infinity, person.approvedValue ?? person.toValue),
    lowestReturn: afterwards.length === 0 ? undefined : Math.min(...afterwards),
  };
}

/** An admin takes over what the platform refused, so the pool of a team does not pay for it. */
async function releaseFailed({ policies }: Pick<LimitDeps, 'policies'>, trx: LimitTransaction, id: string) {
  const people = await peopleOf(trx, id);
  if (people.every(({ state }) => state === 'refused' || state === 'failed')) await policies.releaseCharge(trx, id);
}

/** Checks involvement inside the transaction, so that it cannot change before the update. */
async function decideInTransaction(
  deps: Pick<LimitDeps, 'policies'>,
  trx: LimitTransaction,
  { read, person, requested }: Attempted,
  now: Date,
): Promise<Attempt> {
  const asLead = await person.decideAsLead?.(
    trx,
    requested.kind === 'approve' ? await approvedOf(trx, read, requested) : undefined,
  );
  const own = await ownRowsOf(trx, read.id, person);
  const decision = withoutOwn(requested, own);
  const undo = decision.kind === 'undo' ? await readUndoFacts(trx, read) : undefined;
  // Facts that another undo has changed come with its name.
  const request = (undo && (await findRequest(trx, read.id))) ?? read;
  const event = eventOf(decision, person, request, {
    own,
    earlierLimits: undo?.earlierLimits ?? 'none',
    approval: decision.kind === 'approve' ? await readApproval(trx, request, decision, person) : undefined,
  });
  const transition = transitionOf(factsOf(request), event, now);
  if (transition.kind === 'refused') return { ...transition, request };
  if (asLead?.kind === 'refused') {
    // The reason may be what another decision has done in the meantime.
    const isSuperseded = (await findRequest(trx, read.id))?.version !== read.version;
    return isSuperseded
      ? { kind: 'superseded' }
      : { kind: 'refused', reason: 'beyond_team', request, because: asLead.because };
  }
  const updated = await updateState(trx, request, transition.state, { decision, event, by: person }, now);
  if (!updated) return { kind: 'superseded' };
  const after = (await asLead?.approve?.(updated)) ?? updated;
  if (decision.kind === 'retry' || decision.kind === 'leave') await releaseFailed(deps, trx, after.id);
  await applyEffects(trx, after, decision, person, now);
  if (undo?.earlierLimits === 'known') await insertUndo(trx, after, undo, person.slackId, now);
  if (decision.kind === 'approve') await explainOwn(trx, request.id, own);
  return { kind: 'moved', request: after };
}

/** Leaves out the admin’s own limit if others are in the request, whatever the form said. Pure. */
function withoutOwn(decision: Decision, own: readonly LimitPerson[]): Decision {
  if (decision.kind !== 'approve' || own.length === 0) return decision;
  return { ...decision, leftOut: new Set([...decision.leftOut, ...own.map(({ email }) => email)]) };
}

interface EventContext {
  own: readonly LimitPerson[];
  earlierLimits: EarlierLimits;
  approval: Awaited<ReturnType<typeof readApproval>> | undefined;
}

function eventOf(
  decision: Decision,
  by: FreshPerson,
  request: LimitRequest,
  { own, earlierLimits, approval }: EventContext,
): RequestEvent {
  const involvement = involvementOf(request, own.length, by);
  switch (decision.kind) {
    case 'approve':
      return {
        kind: 'approve',
        by,
        involvement,
        approvesAnyone: decision.leftOut.size < request.people,
        isConfirmed: decision.isConfirmed,
        ...approval,
      };
    case 'deny':
      return { kind: 'deny', by, involvement };
    case 'withdraw':
      return { kind: 'withdraw', by };
    case 'retry':
    case 'send':
    case 'leave':
      return { kind: decision.kind, by, involvement };
    case 'undo':
      return { kind: 'undo', by, isForThem: own.some((person) => person.state === 'set'), earlierLimits };
    default:
      return decision satisfies never;
  }
}

/** Makes the conditional update that only one of several attempts passes. */
async function updateState(
  trx: LimitTransaction,
  request: LimitRequest,
  state: RequestState,
  { decision, event, by: person }: { decision: Decision; event: RequestEvent; by: FreshPerson },
  now: Date,
): Promise<LimitRequest | undefined> {
  const at = now.toISOString();
  const by = person.slackId;
  const isUndo = decision.kind === 'undo';
  const isFirstOfTwo = decision.kind === 'approve' && state === 'second_approval';
  const isFirstDecision = decision.kind === 'approve' || decision.kind === 'deny' || decision.kind === 'withdraw';
  const sendsNow = decision.kind === 'retry' || decision.kind === 'send' || decision.kind === 'approve';
  return trx
    .updateTable('limitRequests')
    .set((set) => ({
      state,
      version: set('version', '+', 1),
      ...(isFirstDecision
        ? {
            ...(isFirstOfTwo
              ? firstApprovalBy(person, at)
              : { decidedBy: by, decidedAt: at, decidedAlone: isDecidedAlone(event) ? 1 : null }),
            comment: commentAfter(request, decision),
          }
        : isUndo
          ? { undoneBy: by, undoneAt: at }
          : { round: set('round', '+', 1), attempts: 0 }),
      ...(decision.kind === 'send' || decision.kind === 'leave' ? { chosenBy: by, chosenAt: at } : {}),
      ...(isFirstOfTwo || isUndo ? {} : sendsNow ? { nextAttemptAt: storeNow(trx) } : { finishedAt: at }),
    }))
    .where((where) => where.and({ id: request.id, state: request.state, version: request.version }))
    .$if(isFirstDecision, (query) => query.where('expiresAt', '>', at))
    .returningAll()
    .executeTakeFirst();
}

/** The reply of the first approver stays, unless the second one writes another. */
function commentAfter({ comment }: LimitRequest, decision: Decision): string | null {
  const typed = 'comment' in decision ? decision.comment : '';
  return typed || (decision.kind === 'approve' ? comment : null);
}

async function applyEffects(
  trx: LimitTransaction,
  request: LimitRequest,
  decision: Decision,
  person: FreshPerson,
  now: Date,
): Promise<void> {
  const about = { about: auditSubject(request.id), actor: person.slackId };
  await audit(trx, { ...about, action: auditActionOf(decision, request), detail: detailOf(decision, request) }, now);
  await editCards(trx, request, now);
  switch (decision.kind) {
    case 'approve':
      return queuePeople(trx, request, decision);
    case 'deny':
      await clearFirstApproval(trx, request);
      return notifyState(trx, request, 'denied', [request.requester], now);
    case 'withdraw':
      await clearFirstApproval(trx, request);
      // A requester who withdraws needs no message.
      if (person.slackId === request.requester) return;
      return notifyState(trx, request, 'withdrawn', [request.requester], now);
    case 'retry':
      return queueFailedPeople(trx, request.id);
    case 'send':
    case 'undo':
      return;
    case 'leave':
      await supersedeOpenPeople(trx, request.id);
      return notifyState(trx, request, 'left', [request.requester], now);
    default:
      return decision satisfies never;
  }
}

/** People with an unknown outcome stay `unknown` until the platform answers; they are sent again like the others. */
async function queueFailedPeople(trx: LimitTransaction, id: string): Promise<void> {
  await trx
    .updateTable('limitRequestPeople')
    .set({ state: 'queued', error: null })
    .where('requestId', '=', id)
    .where('state', 'in', ['refused', 'failed'])
    .execute();
}

async function supersedeOpenPeople(trx: LimitTransaction, id: string): Promise<void> {
  await trx
    .updateTable('limitRequestPeople')
    .set({ state: 'superseded', error: 'Left as it is on the platform; it does not go back by itself either.' })
    .where('requestId', '=', id)
    .where('state', 'in', ['queued', 'sending', 'unknown'])
    .execute();
}

export async function expireRequest(deps: LimitDeps, request: LimitRequest): Promise<boolean> {
  const now = deps.clock.now();
  if (transitionOf(factsOf(request), { kind: 'expire' }, now).kind === 'refused') return false;
  return deps.db.transaction().execute(async (trx) => {
    const expired = await trx
      .updateTable('limitRequests')
      .set((set) => ({ state: 'expired', version: set('version', '+', 1), finishedAt: now.toISOString() }))
      .where('id', '=', request.id)
      .where('state', 'in', WAITING)
      .where('expiresAt', '<=', now.toISOString())
      .returningAll()
      .executeTakeFirst();
    if (!expired) return false;
    const entry = { about: auditSubject(request.id), actor: BOT_ACTOR, action: 'expired', detail: null };
    await audit(trx, entry, now);
    await clearFirstApproval(trx, expired);
    await editCards(trx, expired, now);
    await notifyState(trx, expired, 'expired', [expired.requester], now);
    return true;
  });
}
