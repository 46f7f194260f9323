import { DeadlinePassedError, startDeadline, withDeadline, type Deadline } from '../../../core/base/time/deadline.ts';
import type { Computer } from '../../../core/platform/endpoints/computers.ts';
import { isPlatformError, type PlatformError } from '../../../core/platform/errors.ts';
import type { DatabaseTransaction } from '../../../core/store/tables.ts';
import type { ComputerOrder } from '../core/computer-tables.ts';
import { computerCard, firstCard, orderNotice } from '../core/computer-messages.ts';
import { MANAGED } from './computer-form.ts';
import { decideAbsent, findCreated, managedProvider, sameNamed } from '../core/lookup.ts';
import type { ComputerDeps } from '../core/computers-deps.ts';
import {
  auditOrder,
  LEASE_MS,
  findOrder,
  followedIds,
  isAnotherCreating,
  moveAudited,
  moveOrder,
  bodyColumn,
  idsColumn,
  type StoredBody,
} from '../core/orders.ts';

export type Creation =
  | { kind: 'created'; computer: Computer }
  /** Certainly nothing was created. */
  | { kind: 'refused'; error: PlatformError }
  /** The result is not known now. The requester gets a message about it. */
  | { kind: 'unknown' }
  /** Nothing was sent: the name exists, and the requester must confirm a second computer with it. */
  | { kind: 'asked'; same: readonly Computer[] }
  /** Another process carries out the order, or has carried it out. */
  | { kind: 'taken'; order: ComputerOrder | undefined };

/**
 * The database lets only one process send the request.
 * @param isConfirmed whether the requester wants another computer with an existing name
 * @throws PlatformError if the list could not be read; nothing was sent then
 */
export async function carryOut(deps: ComputerDeps, id: string, isConfirmed: boolean): Promise<Creation> {
  const { db, clock } = deps;
  const from = isConfirmed ? (['asked'] as const) : (['requested'] as const);
  const order = await findOrder(db, id);
  const body = bodyColumn.readIfKnown(order?.body ?? null);
  if (!order || !body || !from.some((state) => state === order.state)) return { kind: 'taken', order };
  const all = await deps.platform.computers.list();
  const same = sameNamed(all, body.name);
  if (same.length > 0 && !isConfirmed) {
    const isAsked = await moveOrder(db, { id, from }, { state: 'asked', leaseMs: null }, clock.now());
    return isAsked ? { kind: 'asked', same } : { kind: 'taken', order: await findOrder(db, id) };
  }
  const now = clock.now();
  // The deadline starts before the lease. Its clock also runs while the process is suspended.
  const deadline = startDeadline(LEASE_MS);
  const claim = {
    state: 'creating',
    leaseMs: LEASE_MS,
    sentAt: now.toISOString(),
    knownIds: idsColumn.write(same.map(({ id }) => id)),
  } as const;
  const action = { actor: order.person, action: 'requested', detail: body.name } as const;
  if (!(await moveAudited(db, { id, from }, claim, action, now)))
    return { kind: 'taken', order: await findOrder(db, id) };
  await deps.checkpoint('computers:before_create');
  const { leaseMs: _leaseMs, ...claimed } = claim;
  const creation = await send(deps, { ...order, ...claimed }, withProviderOf(all, body), deadline);
  await deps.checkpoint('computers:create_settled');
  return creation;
}

/** The form says “hosted” for the platform's own machines, which a platform may list under another name. */
const withProviderOf = (all: readonly Computer[], body: StoredBody): StoredBody =>
  body.provider === MANAGED ? { ...body, provider: managedProvider(all) } : body;

async function send(deps: ComputerDeps, order: ComputerOrder, body: StoredBody, deadline: Deadline) {
  try {
    const computer = await withDeadline(deadline, () => deps.platform.computers.create(body));
    await deps.checkpoint('computers:after_create');
    await bind(deps, order, computer);
    return { kind: 'created', computer } as const;
  } catch (error) {
    await deps.checkpoint('computers:after_create');
    deps.log.warn({ err: error, order: order.id }, 'Creating a computer failed, or its result is unknown');
    // Nothing was sent. After the lease, the list is read and the requester gets a message.
    if (error instanceof DeadlinePassedError) return { kind: 'unknown' } as const;
    if (!isPlatformError(error)) throw error;
    if (error.outcomeUnknown) return resolveResult(deps, order);
    const action = { actor: order.person, action: 'not_created', detail: `refused: ${error.code}` } as const;
    await moveAudited(deps.db, { id: order.id, from: ['creating'] }, NOT_CREATED, action, deps.clock.now());
    return { kind: 'refused', error } as const;
  }
}

export const NOT_CREATED = { state: 'not_created', leaseMs: null } as const;

export async function resolveResult(deps: ComputerDeps, order: ComputerOrder): Promise<Creation> {
  const { db, clock } = deps;
  const move = { id: order.id, from: ['creating', 'unknown'] } as const;
  if (await isAnotherCreating(db, order)) return { kind: 'unknown' };
  // Taken before the reading: while the process sleeps after it, a computer may appear that the list does not contain.
  const readAt = clock.now();
  let all: Computer[];
  try {
    all = await deps.platform.computers.list();
  } catch (error) {
    deps.log.warn({ err: error, order: order.id }, 'Reading the computers to find out whether one was created failed');
    await moveOrder(db, move, UNKNOWN, clock.now());
    return { kind: 'unknown' };
  }
  const candidates = findCreated(all, order);
  const ids = candidates.map(({ id }) => id);
  const takenIds = await followedIds(db, ids);
  const free = candidates.find(({ id }) => !takenIds.has(id));
  if (free) return (await bind(deps, order, free)) ? { kind: 'created', computer: free } : { kind: 'unknown' };
  return recordAbsence(deps, order, readAt);
}

const UNKNOWN = { state: 'unknown', leaseMs: 0 } as const;

async function recordAbsence(deps: ComputerDeps, order: ComputerOrder, readAt: Date): Promise<Creation> {
  const now = deps.clock.now();
  const move = { id: order.id, from: ['creating', 'unknown'] } as const;
  const decision = decideAbsent(order, readAt);
  if (decision === 'not_created') {
    await deps.db.transaction().execute(async (trx) => {
      if (!(await moveOrder(trx, move, NOT_CREATED, now))) return;
      const detail = 'its answer was lost, and two readings of the list did not contain it';
      await auditOrder(trx, order.id, { actor: order.person, action: 'not_created', detail }, now);
      await enqueueNotice(trx, order, 'not_created', now);
    });
    return { kind: 'unknown' };
  }
  const since = decision === 'first_time' ? { absentSince: now.toISOString() } : {};
  await moveOrder(deps.db, move, { ...UNKNOWN, ...since }, now);
  return { kind: 'unknown' };
}

/** Binds a computer to an order and follows it with a card. A late answer replaces an earlier notice that nothing was created. */
async function bind(deps: ComputerDeps, order: ComputerOrder, computer: Computer): Promise<boolean> {
  const now = deps.clock.now();
  const following = {
    state: 'following',
    computerId: computer.id,
    leaseMs: null,
    followedSince: order.sentAt ?? now.toISOString(),
  } as const;
  return deps.db.transaction().execute(async (trx) => {
    const move = { id: order.id, from: ['creating', 'unknown', 'not_created'] } as const;
    if (!(await moveOrder(trx, move, following, now))) return false;
    const detail = `${computer.name} ${computer.id}`;
    await auditOrder(trx, order.id, { actor: order.person, action: 'created', detail }, now);
    await enqueueCard(trx, order, now);
    return true;
  });
}

/** After a restore the message may be in Slack already. The search for it starts at the time of the request. */
const sentOrCreatedAt = ({ sentAt, createdAt }: ComputerOrder) => new Date(sentAt ?? createdAt);

export async function enqueueCard(trx: DatabaseTransaction, order: ComputerOrder, now: Date): Promise<void> {
  await computerCard.enqueue(trx, { ...firstCard(order), dueAt: sentOrCreatedAt(order) }, now);
}

export type Notice = 'not_created' | 'refused' | 'asked' | 'late';

export async function enqueueNotice(trx: DatabaseTransaction, order: ComputerOrder, notice: Notice, now: Date) {
  const { id, person: to } = order;
  const payload = { orderId: id, notice };
  const key = `computer:${id}:notice:${notice}`;
  await orderNotice.enqueue(trx, { key, to, payload, about: id, dueAt: sentOrCreatedAt(order) }, now);
}
