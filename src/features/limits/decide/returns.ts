import { DAY_MS, HOUR_MS } from '../../../core/base/time/durations.ts';
import { BOT_ACTOR, audit } from '../../../core/store/audit.ts';
import { storeNow } from '../../../core/store/lease.ts';
import type { DataGap } from '../../../core/store/data-gap.ts';
import { announceRequest, announceReturn, type CardTarget } from '../core/notify.ts';
import { auditSubject, returnIdOf } from '../core/ids.ts';
import type { LimitDatabase, LimitPerson, LimitRequest } from '../core/limit-tables.ts';
import { MAX_LIMITS_PER_CALL } from '../../../core/platform/endpoints/limits.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { insertPeople, isRaise, peopleOf, returnsOf, undosOf } from '../core/requests.ts';
import { announceUnsure, unsureColumns, gapBefore } from '../apply/unsure.ts';
import { textOfShown, type ShownLimit } from '../../../core/platform/capabilities/shown-limit.ts';
import { isRemoval } from '../core/person-text.ts';
import { endOfGrant, supersedePeople } from './end-of-grant.ts';

/** Whether the raise may be set on the platform and has a limit to return to. */
const isRaised = (person: LimitPerson) =>
  (person.state === 'set' || person.state === 'unknown' || isEndedUnsure(person)) && person.returnValue !== null;

const isEndedUnsure = ({ state, mayBeSet }: LimitPerson) => state === 'superseded' && mayBeSet === 1;

async function listRaises(db: LimitDatabase, endBefore: Date): Promise<LimitRequest[]> {
  return db
    .selectFrom('limitRequests')
    .selectAll()
    .where('kind', '!=', 'return')
    .where('state', 'in', ['applied', 'partly_applied', 'outcome_unknown', 'left'])
    .where('until', '<=', endBefore.toISOString())
    .where((where) => where.not(where.exists(returnsOf(where))))
    .where((where) => where.not(where.exists(undosOf(where).where('undo.state', '=', 'applied'))))
    .where(isRaise)
    .orderBy('until')
    .execute();
}

/** Returns the due notice about a raise’s end; none for a time before the raise began. Pure. */
export function noticeDue(request: Pick<LimitRequest, 'until' | 'decidedAt'>, now: Date): 'day' | 'hour' | undefined {
  const endMs = new Date(request.until ?? 0).getTime();
  const begunMs = new Date(request.decidedAt ?? 0).getTime();
  const leftMs = endMs - now.getTime();
  if (leftMs <= 0) return undefined;
  if (leftMs <= HOUR_MS) return begunMs <= endMs - HOUR_MS ? 'hour' : undefined;
  return leftMs <= DAY_MS && begunMs <= endMs - DAY_MS ? 'day' : undefined;
}

/** Announces the end of raises a day and an hour before, once each, to the people and the requester. */
export async function announceEnds(deps: LimitDeps): Promise<void> {
  const now = deps.clock.now();
  for (const request of await listRaises(deps.db, new Date(now.getTime() + DAY_MS))) {
    const notice = noticeDue(request, now);
    if (notice === undefined) continue;
    const people = (await peopleOf(deps.db, request.id)).filter(isRaised);
    const who = [request.requester, ...people.flatMap(({ slackId }) => slackId ?? [])];
    await deps.db.transaction().execute((trx) => announceReturn(trx, request.id, notice, who, now));
  }
}

/** Creates the return of each raise that is over: a separate request, already approved with the raise. */
export async function beginReturns(deps: LimitDeps, cardTarget: () => Promise<CardTarget>): Promise<void> {
  const raises = await listRaises(deps.db, deps.clock.now());
  const silence = raises.length > 0 ? await deps.readDataGap() : undefined;
  for (const raise of raises) {
    const people = (await peopleOf(deps.db, raise.id)).filter(isRaised);
    await insertReturn(deps, raise, people, await cardTarget(), silence);
  }
}

async function insertReturn(
  { db, clock }: LimitDeps,
  raise: LimitRequest,
  people: readonly LimitPerson[],
  target: CardTarget,
  silence: DataGap | undefined,
): Promise<void> {
  const id = returnIdOf(raise.id);
  const now = clock.now();
  const endedAt = new Date(raise.until ?? now);
  const gap = gapBefore(endedAt, silence);
  await db.transaction().execute(async (trx) => {
    const at = now.toISOString();
    const isUnsure = gap !== undefined || people.some((person) => isEndedUnsure(person));
    const end = isUnsure ? 'unsure' : raise.policyId === null ? 'approved' : await endOfGrant(trx, raise.id, people);
    const inserted = await trx
      .insertInto('limitRequests')
      .values({
        id,
        kind: 'return',
        state: end,
        requester: raise.requester,
        requesterEmail: raise.requesterEmail,
        reason: `The end of request ${raise.id}`,
        people: people.length,
        createdAt: at,
        expiresAt: at,
        decidedBy: raise.decidedBy,
        decidedAt: raise.decidedAt,
        decidedAlone: raise.decidedAlone,
        firstApprovedBy: raise.firstApprovedBy,
        firstApprovedEmail: raise.firstApprovedEmail,
        firstApprovedAt: raise.firstApprovedAt,
        parentId: raise.id,
        policyId: raise.policyId,
        policyName: raise.policyName,
        policyVersion: raise.policyVersion,
        ...(end === 'left' ? { chosenBy: BOT_ACTOR, chosenAt: at } : {}),
        ...(gap ? unsureColumns(gap) : { nextAttemptAt: end === 'approved' ? storeNow(trx) : null }),
      })
      // Another replica may have created it first.
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst();
    if (!inserted.numInsertedOrUpdatedRows) return;
    await insertPeople(
      trx,
      people.flatMap((person, position) =>
        person.returnValue === null
          ? []
          : [rowOfReturn(id, person, { value: person.returnValue, removes: person.returnsToNone === 1 }, position)],
      ),
    );
    const detail = `${people.length} people, as approved with ${raise.id}`;
    await audit(trx, { about: auditSubject(id), actor: BOT_ACTOR, action: 'going back', detail }, now);
    if (end === 'left') return supersedePeople(trx, id);
    if (end === 'unsure') await announceUnsure(trx, { id, round: 0 }, target, now, endedAt);
    else await announceRequest(trx, { requestId: id }, target, now);
  });
}

const shownAfter = (set: number | null, everybody: ShownLimit | undefined): string | null => {
  if (everybody) return textOfShown(everybody);
  return set === null ? null : textOfShown({ kind: 'own', value: set });
};

/**
 * The row of a follow-up that sets a value back. It was approved with the first request.
 *
 * @param everybody what the platform shows of a person whose own limit was removed
 */
export function rowOfReturn(
  requestId: string,
  person: LimitPerson,
  { value, removes }: { value: number; removes: boolean },
  position: number,
  everybody?: ShownLimit,
): LimitPerson {
  const wasRemoved = isRemoval(person);
  const set = wasRemoved ? null : (person.setValue ?? person.approvedValue);
  return {
    ...person,
    requestId,
    position,
    batch: Math.floor(position / MAX_LIMITS_PER_CALL),
    fromValue: set,
    // It replaces only what was set here.
    shownBefore: shownAfter(set, wasRemoved ? everybody : undefined),
    removes: removes ? 1 : null,
    returnsToNone: null,
    fromDeclared: null,
    toValue: value,
    returnValue: null,
    approvedValue: value,
    setValue: null,
    state: 'queued',
    error: null,
  };
}
