import { batched } from '../../../../core/base/batched.ts';
import { makeDueNow } from '../../../../core/outbox/deliveries.ts';
import type { HookDeps } from '../core/hooks-deps.ts';
import { mergeNames, type HookEvent } from '../core/event.ts';
import { cardKey, hookCard } from '../core/session-messages.ts';
import { progressAfterEvent, dueAt, isNews, type SessionProgress } from '../core/state.ts';
import type { HookSession, HookTransaction } from '../core/session-tables.ts';
import { createHash } from 'node:crypto';

/** Events that arrive during a commit go into the next one. A commit never waits for more events. */
const STORING = { maxItems: 50, quietMs: 0, maxWaitMs: 0 };

export interface Arrival {
  owner: string;
  event: HookEvent;
  /** ISO 8601. */
  at: string;
}

/** Stores an event, and in the same transaction enqueues the message about it. */
export function createRecorder({ db, clock }: Pick<HookDeps, 'db' | 'clock'>): (arrival: Arrival) => Promise<boolean> {
  return batched(async (arrivals: readonly Arrival[]) => {
    await db.transaction().execute((trx) => recordAll(trx, arrivals, clock.now()));
    return arrivals.map(() => true);
  }, STORING);
}

/** Uses the same number of statements for 50 events as for one, because each is a round trip to the database. */
async function recordAll(trx: HookTransaction, arrivals: readonly Arrival[], now: Date): Promise<void> {
  const bySession = Map.groupBy(arrivals, ({ owner, event }) => sessionKey(owner, event.sessionId));
  // Replicas that lock the sessions in the same order cannot deadlock.
  const sessions = [...bySession].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const rows = await countAndLock(trx, sessions);
  const changes = rows.flatMap((before) => {
    const after = applyEvents(before, bySession.get(before.id) ?? []);
    return after ? [{ before, after }] : [];
  });
  const news = changes.filter(({ before, after }) => isNews(before, after, before.announced > 0));
  const numbers = await announceAll(
    trx,
    news.map(({ after }) => after),
    now,
  );
  await writeSessions(
    trx,
    changes.map(({ after }) => ({ ...after, announced: numbers.get(after.id) ?? after.announced })),
  );
}

type OwnArrivals = readonly [id: string, arrivals: readonly Arrival[]];

/** Adds the numbers of events. This update locks the rows until the transaction ends. */
async function countAndLock(trx: HookTransaction, sessions: readonly OwnArrivals[]): Promise<HookSession[]> {
  return trx
    .insertInto('hookSessions')
    .values(sessions.map(([id, arrivals]) => newRow(id, arrivals)))
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((set) => ({
        toolCalls: set('hookSessions.toolCalls', '+', set.ref('excluded.toolCalls')),
        subagents: set('hookSessions.subagents', '+', set.ref('excluded.subagents')),
        otherEvents: set('hookSessions.otherEvents', '+', set.ref('excluded.otherEvents')),
        folder: set.fn.coalesce('excluded.folder', 'hookSessions.folder'),
        lastAt: set.ref('excluded.lastAt'),
      })),
    )
    .returningAll()
    .execute();
}

function newRow(id: string, arrivals: readonly Arrival[]) {
  const [first] = arrivals;
  const last = arrivals.at(-1);
  const countOf = (kind: HookEvent['kind']) => arrivals.filter(({ event }) => event.kind === kind).length;
  return {
    id,
    owner: first?.owner ?? '',
    sessionId: first?.event.sessionId.replaceAll('\u0000', ' ').toWellFormed() ?? '',
    folder: arrivals.findLast(({ event }) => event.folder !== null)?.event.folder ?? null,
    state: 'working' as const,
    since: first?.at ?? '',
    toolCalls: countOf('tool'),
    subagents: countOf('subagent'),
    otherEvents: countOf('other'),
    firstAt: first?.at ?? '',
    lastAt: last?.at ?? '',
  };
}

/** Applies the events to a session, apart from the counts; undefined if nothing changes. Pure. */
function applyEvents(row: HookSession, arrivals: readonly Arrival[]): HookSession | undefined {
  const before = progressOf(row);
  const progress = arrivals.reduce((at, arrival) => progressAfterEvent(at, arrival.event, arrival.at), before);
  const names = mergeNames(
    row.unknownNames,
    arrivals.flatMap(({ event }) => event.unknownNames),
  );
  const isSame = names === row.unknownNames && JSON.stringify(progress) === JSON.stringify(before);
  return isSame ? undefined : { ...row, ...progress, unknownNames: names };
}

const progressOf = ({ state, since, message, reason, finishedAt }: HookSession): SessionProgress => ({
  state,
  since,
  message,
  reason,
  finishedAt,
});

/** `countAndLock` has already locked these rows. */
async function writeSessions(trx: HookTransaction, sessions: readonly HookSession[]): Promise<void> {
  if (sessions.length === 0) return;
  await trx
    .insertInto('hookSessions')
    .values(sessions)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((set) => ({
        state: set.ref('excluded.state'),
        since: set.ref('excluded.since'),
        message: set.ref('excluded.message'),
        reason: set.ref('excluded.reason'),
        finishedAt: set.ref('excluded.finishedAt'),
        unknownNames: set.ref('excluded.unknownNames'),
        announced: set.ref('excluded.announced'),
      })),
    )
    .execute();
}

const lastKey = ({ id, announced }: HookSession) => cardKey(id, announced);

export async function announce(trx: HookTransaction, session: HookSession, now: Date): Promise<void> {
  const number = (await announceAll(trx, [session], now)).get(session.id) ?? session.announced;
  await trx.updateTable('hookSessions').set({ announced: number }).where('id', '=', session.id).execute();
}

/**
 * Reuses a waiting delivery, so that a busy session has at most one. Returns the new number of each session with a new
 * delivery.
 */
async function announceAll(
  trx: HookTransaction,
  sessions: readonly HookSession[],
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const announcedSessions = sessions.filter(({ announced }) => announced > 0);
  const reusedKeys = await makeDueNow(
    trx,
    announcedSessions.map((session) => lastKey(session)),
    now,
  );
  const others = sessions.filter((session) => !reusedKeys.has(lastKey(session)));
  const cards = others.map((session) => {
    const { id, owner, announced } = session;
    const due = dueAt(session);
    const payload = { id, number: announced + 1 };
    return { key: cardKey(id, announced + 1), to: owner, payload, about: id, dueAt: due < now ? now : due };
  });
  await hookCard.enqueueAll(trx, cards, now);
  return new Map(others.map(({ id, announced }) => [id, announced + 1]));
}

/** Hashes owner and session, so that another person’s client cannot reach this session. */
export function sessionKey(owner: string, sessionId: string): string {
  return createHash('sha256')
    .update(JSON.stringify([owner, sessionId.toWellFormed()]))
    .digest('hex');
}
