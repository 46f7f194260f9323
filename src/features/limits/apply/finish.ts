import type { RawBuilder } from 'kysely';
import { storeNow } from '../../../core/store/lease.ts';
import { editCards, notifyState } from '../core/notify.ts';
import { auditSending, NO_LEASE, renewLease } from './leases.ts';
import { isFollowUp, type LimitDatabase, type LimitRequest, type LimitTransaction } from '../core/limit-tables.ts';
import { endingOf, type PersonState } from '../core/person-states.ts';
import { countPeople } from '../core/requests.ts';

export interface Continuation {
  /** The wait before it is sent again; undefined if Quartermaster no longer does so by itself. */
  delayMs: number | undefined;
  /** The error recorded for each person who was never sent, once nothing more is sent. */
  givenUp: string;
}

/** Schedules the rest, or ends the request with notices. Returns `false` if the lease was lost. */
export async function finish(
  db: LimitDatabase,
  request: LimitRequest,
  { delayMs, givenUp }: Continuation,
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (!(await renewLease(trx, request))) return false;
    const waits = delayMs !== undefined && (await countPeople(trx, request.id)).queued !== undefined;
    if (waits) {
      await release(trx, request, { nextAttemptAt: storeNow(trx, delayMs) });
      return true;
    }
    await trx
      .updateTable('limitRequestPeople')
      .set({ state: 'failed', error: givenUp })
      .where((where) => where.and({ requestId: request.id, state: 'queued' }))
      .execute();
    await end(trx, request, delayMs, now);
    return true;
  });
}

async function end(
  trx: LimitTransaction,
  request: LimitRequest,
  delayMs: number | undefined,
  now: Date,
): Promise<void> {
  const counts = await countPeople(trx, request.id);
  const states = Object.keys(counts).filter((state): state is PersonState => state in counts);
  const state = endingOf(states);
  const next = state === 'outcome_unknown' && delayMs !== undefined ? storeNow(trx, delayMs) : null;
  const version = request.version + 1;
  const finishedAt = now.toISOString();
  await release(trx, request, { state, version, finishedAt, nextAttemptAt: next });
  const summary = Object.entries(counts).map(([name, count]) => `${count} ${name.replace('_', ' ')}`);
  await auditSending(trx, request.id, state.replace('_', ' '), summary.join(', '), now);
  await editCards(trx, { id: request.id, version }, now);
  if (request.kind === 'undo') await editCardsOfUndone(trx, request, now);
  const isLast = state === 'outcome_unknown' && next === null;
  await notifyState(trx, request, state, await recipientsOf(trx, request), now, isLast);
}

/** The cards of the undone request show how its undo went. */
async function editCardsOfUndone(trx: LimitTransaction, { parentId }: LimitRequest, now: Date): Promise<void> {
  const undone = await trx
    .updateTable('limitRequests')
    .set((set) => ({ version: set('version', '+', 1) }))
    .where('id', '=', parentId)
    .returning(['id', 'version'])
    .executeTakeFirst();
  if (undone) await editCards(trx, undone, now);
}

async function release(
  trx: LimitTransaction,
  { id }: LimitRequest,
  values: Partial<Pick<LimitRequest, 'state' | 'version' | 'finishedAt'>> & {
    nextAttemptAt: RawBuilder<string> | null;
  },
): Promise<void> {
  await trx
    .updateTable('limitRequests')
    .set({ ...values, ...NO_LEASE })
    .where('id', '=', id)
    .execute();
}

/** People are notified too if they did not ask for it just now, or if no other admin checked it. */
async function recipientsOf(trx: LimitTransaction, request: LimitRequest): Promise<string[]> {
  const isChecked = !request.decidedAlone && request.policyId === null;
  if (!isFollowUp(request) && isChecked) return [request.requester];
  const people = await trx
    .selectFrom('limitRequestPeople')
    .select('slackId')
    .where('requestId', '=', request.id)
    .where('slackId', 'is not', null)
    .execute();
  return [request.requester, ...people.flatMap(({ slackId: id }) => id ?? [])];
}
