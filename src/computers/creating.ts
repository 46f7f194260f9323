import { DeadlinePassedError, startDeadline, withDeadline, type Deadline } from '../deadline.ts';
import type { Computer } from '../platform/computers.ts';
import { isPlatformError, type PlatformError } from '../platform/errors.ts';
import { enqueue } from '../outbox/deliveries.ts';
import type { DatabaseTransaction } from '../store/tables.ts';
import type { Watch } from './computer-watch-table.ts';
import { cardKey } from './delivery-keys.ts';
import { decideAbsent, findCreated, sameNamed } from './lookup.ts';
import type { ComputerParts } from './parts.ts';
import { findWatch, isAnotherCreating, moveByDeed, moveWatch, noteWatchDeed, watchedIds } from './watches.ts';
import { readWish, type Wish } from './wish.ts';

/** How long a process may be at a creation without a sign of life. Longer than a call to the platform may take. */
export const LEASE_MS = 60_000;

/** What came of an attempt to carry a wish out. */
export type Creation =
  | { kind: 'created'; computer: Computer }
  /** It is certain that nothing was created. */
  | { kind: 'refused'; error: PlatformError }
  /** The list is read again later, and the person is told then. */
  | { kind: 'unknown' }
  /** Nothing was sent: the name exists, and the person has to say whether they want another. */
  | { kind: 'asked'; same: readonly Computer[] }
  /** Somebody else does it, or has done it. */
  | { kind: 'taken'; watch: Watch | undefined };

/**
 * Carries a wish out: the database lets exactly one process send the one request.
 *
 * @param isConfirmed the person wants another one of a name that exists
 * @throws PlatformError when the list could not be read: then nothing was sent
 */
export async function carryOut(parts: ComputerParts, id: string, isConfirmed: boolean): Promise<Creation> {
  const { db, clock } = parts;
  const from = isConfirmed ? (['asked'] as const) : (['wished'] as const);
  const watch = await findWatch(db, id);
  const wish = readWish(watch?.wish ?? null);
  if (!watch || !wish || !from.some((state) => state === watch.state)) return { kind: 'taken', watch };
  const same = sameNamed(await parts.computers.list(), wish.name);
  if (same.length > 0 && !isConfirmed) {
    const isAsked = await moveWatch(db, { id, from }, { state: 'asked', leaseMs: null }, clock.now());
    return isAsked ? { kind: 'asked', same } : { kind: 'taken', watch: await findWatch(db, id) };
  }
  const now = clock.now();
  // Counted from before the lease is taken, on a clock that goes on while the process is stopped.
  const deadline = startDeadline(LEASE_MS);
  const claim = {
    state: 'creating',
    leaseMs: LEASE_MS,
    sent_at: now.toISOString(),
    known_ids: JSON.stringify(same.map((computer) => computer.id)),
  } as const;
  const deed = { actor: watch.person, deed: 'requested', detail: wish.name } as const;
  if (!(await moveByDeed(db, { id, from }, claim, deed, now))) return { kind: 'taken', watch: await findWatch(db, id) };
  parts.observe('before_create');
  const { leaseMs: _leaseMs, ...claimed } = claim;
  const creation = await send(parts, { ...watch, ...claimed }, wish, deadline);
  parts.observe('create_settled');
  return creation;
}

async function send(parts: ComputerParts, watch: Watch, wish: Wish, deadline: Deadline) {
  try {
    const computer = await withDeadline(deadline, () => parts.computers.create(wish));
    parts.observe('after_create');
    await adopt(parts, watch, computer);
    return { kind: 'created', computer } as const;
  } catch (error) {
    parts.observe('after_create');
    parts.log.warn({ err: error, watch: watch.id }, 'A computer could not be created, or it is not known');
    // Nothing was sent; the list is read when the lease has ended, and the person is told.
    if (error instanceof DeadlinePassedError) return { kind: 'unknown' } as const;
    if (!isPlatformError(error)) throw error;
    if (error.outcomeUnknown) return lookFor(parts, watch);
    const deed = { actor: watch.person, deed: 'not_created', detail: `refused: ${error.code}` } as const;
    await moveByDeed(parts.db, { id: watch.id, from: ['creating'] }, NOT_CREATED, deed, parts.clock.now());
    return { kind: 'refused', error } as const;
  }
}

export const NOT_CREATED = { state: 'not_created', leaseMs: null } as const;

/** Reads the list for what may have come of a request whose answer was lost. */
export async function lookFor(parts: ComputerParts, watch: Watch): Promise<Creation> {
  const { db, clock } = parts;
  const again = { id: watch.id, from: ['creating', 'unknown'] } as const;
  if (await isAnotherCreating(db, watch)) return { kind: 'unknown' };
  let all: Computer[];
  try {
    all = await parts.computers.list();
  } catch (error) {
    parts.log.warn({ err: error, watch: watch.id }, 'The list could not be read for a new computer');
    await moveWatch(db, again, UNKNOWN, clock.now());
    return { kind: 'unknown' };
  }
  const candidates = findCreated(all, watch);
  const taken = await watchedIds(
    db,
    candidates.map(({ id }) => id),
  );
  const free = candidates.find(({ id }) => !taken.has(id));
  if (free) return (await adopt(parts, watch, free)) ? { kind: 'created', computer: free } : { kind: 'unknown' };
  return noteAbsent(parts, watch);
}

const UNKNOWN = { state: 'unknown', leaseMs: 0 } as const;

async function noteAbsent(parts: ComputerParts, watch: Watch): Promise<Creation> {
  const now = parts.clock.now();
  const again = { id: watch.id, from: ['creating', 'unknown'] } as const;
  const decision = decideAbsent(watch, now);
  if (decision === 'not_created') {
    await parts.db.transaction().execute(async (trx) => {
      if (!(await moveWatch(trx, again, NOT_CREATED, now))) return;
      const detail = 'its answer was lost, and the list did not hold it twice';
      await noteWatchDeed(trx, watch.id, { actor: watch.person, deed: 'not_created', detail }, now);
      await enqueueNotice(trx, watch, 'not_created', now);
    });
    parts.wakeOutbox();
    return { kind: 'unknown' };
  }
  const since = decision === 'first_time' ? { absent_since: now.toISOString() } : {};
  await moveWatch(parts.db, again, { ...UNKNOWN, ...since }, now);
  return { kind: 'unknown' };
}

/** Takes a computer for what came of a wish: from now on a card follows it. A late answer is right, whatever was said before. */
async function adopt(parts: ComputerParts, watch: Watch, computer: Computer): Promise<boolean> {
  const now = parts.clock.now();
  const watching = {
    state: 'watching',
    computer_id: computer.id,
    leaseMs: null,
    watched_since: watch.sent_at ?? now.toISOString(),
  } as const;
  const isOurs = await parts.db.transaction().execute(async (trx) => {
    const move = { id: watch.id, from: ['creating', 'unknown', 'not_created'] } as const;
    if (!(await moveWatch(trx, move, watching, now))) return false;
    const detail = `${computer.name} ${computer.id}`;
    await noteWatchDeed(trx, watch.id, { actor: watch.person, deed: 'created', detail }, now);
    await enqueueCard(trx, watch, now);
    return true;
  });
  parts.wakeOutbox();
  return isOurs;
}

/** It may have been told since it was asked for: if the store was set back, it is looked for from then on. */
const askedAt = ({ sent_at: sentAt, created_at: createdAt }: Pick<Watch, 'sent_at' | 'created_at'>) =>
  new Date(sentAt ?? createdAt);

type AskedFor = Pick<Watch, 'id' | 'sent_at' | 'created_at'>;

export async function enqueueCard(trx: DatabaseTransaction, watch: AskedFor & Pick<Watch, 'channel'>, now: Date) {
  const payload = { watchId: watch.id };
  const dueAt = askedAt(watch);
  await enqueue(trx, { key: cardKey(watch.id), kind: 'computer-card', channel: watch.channel, payload, dueAt }, now);
}

/** What a person is told by direct message, because they are not in front of the form any more. */
export type Notice = 'not_created' | 'refused' | 'asked' | 'late';

export async function enqueueNotice(
  trx: DatabaseTransaction,
  watch: AskedFor & Pick<Watch, 'person'>,
  notice: Notice,
  now: Date,
) {
  const { id, person: channel } = watch;
  const payload = { watchId: id, notice };
  const key = `computer:${id}:notice:${notice}`;
  await enqueue(trx, { key, kind: 'computer-notice', channel, payload, dueAt: askedAt(watch) }, now);
}
