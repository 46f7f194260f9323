import { batched } from '../../../base/batched.ts';
import { bringForward, enqueue } from '../../../outbox/deliveries.ts';
import type { HookDeps } from '../core/deps.ts';
import { mergeNames, type HookEvent } from '../core/event.ts';
import { CARD_KIND, cardKey, sessionKey } from '../core/keys.ts';
import { after, dueAt, isNews, type Course } from '../core/state.ts';
import type { HookSession, HookTransaction } from '../core/tables.ts';

/** What arrives while others are stored is stored together: one commit for all of them, and nobody waits for more to come. */
const STORING = { maxItems: 50, calmMs: 0, maxWaitMs: 0 };

export interface Arrival {
  owner: string;
  event: HookEvent;
  /** ISO 8601. */
  at: string;
}

/** Stores an event, and in the same transaction what its person is told of it. */
export function createRecorder({ db, clock }: Pick<HookDeps, 'db' | 'clock'>): (arrival: Arrival) => Promise<boolean> {
  return batched(async (arrivals: readonly Arrival[]) => {
    await db.transaction().execute((trx) => recordAll(trx, arrivals, clock.now()));
    return arrivals.map(() => true);
  }, STORING);
}

async function recordAll(trx: HookTransaction, arrivals: readonly Arrival[], now: Date): Promise<void> {
  const bySession = Map.groupBy(arrivals, ({ owner, event }) => sessionKey(owner, event.sessionId));
  // Two replicas that take the same sessions in one order never wait for each other.
  const sessions = [...bySession].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const rows = await count(trx, sessions);
  const found = new Map(rows.map((row) => [row.id, row]));
  for (const [id, own] of sessions) {
    const before = found.get(id);
    if (before) await follow(trx, before, own, now);
  }
}

type OwnArrivals = readonly [id: string, arrivals: readonly Arrival[]];

/** Counts the events, which holds the rows for this transaction; what they mean follows. */
async function count(trx: HookTransaction, sessions: readonly OwnArrivals[]): Promise<HookSession[]> {
  return trx
    .insertInto('hook_sessions')
    .values(sessions.map(([id, arrivals]) => newRow(id, arrivals)))
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((set) => ({
        tool_calls: set('hook_sessions.tool_calls', '+', set.ref('excluded.tool_calls')),
        subagents: set('hook_sessions.subagents', '+', set.ref('excluded.subagents')),
        other_events: set('hook_sessions.other_events', '+', set.ref('excluded.other_events')),
        folder: set.fn.coalesce('excluded.folder', 'hook_sessions.folder'),
        last_at: set.ref('excluded.last_at'),
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
    session_id: first?.event.sessionId.replaceAll('\u0000', ' ').toWellFormed() ?? '',
    folder: arrivals.findLast(({ event }) => event.folder !== null)?.event.folder ?? null,
    state: 'working' as const,
    since: first?.at ?? '',
    tool_calls: countOf('tool'),
    subagents: countOf('subagent'),
    other_events: countOf('other'),
    first_at: first?.at ?? '',
    last_at: last?.at ?? '',
  };
}

async function follow(trx: HookTransaction, row: HookSession, arrivals: readonly Arrival[], now: Date): Promise<void> {
  const before = courseOf(row);
  const course = arrivals.reduce((at, arrival) => after(at, arrival.event, arrival.at), before);
  const names = mergeNames(
    row.unknown_names,
    arrivals.flatMap(({ event }) => event.unknownNames),
  );
  const isChanged = JSON.stringify(course) !== JSON.stringify(before);
  if (!isChanged && names === row.unknown_names) return;
  await trx
    .updateTable('hook_sessions')
    .set({ ...course, unknown_names: names })
    .where('id', '=', row.id)
    .execute();
  if (isNews(before, course, row.announced > 0)) await announce(trx, { ...row, ...course }, now);
}

const courseOf = ({ state, since, message, reason, finished_at }: HookSession): Course => ({
  state,
  since,
  message,
  reason,
  finished_at,
});

/**
 * Has the card of a session say what is so. A delivery that nobody has sent yet says it instead of another one, so a session
 * that changes all the time has one that waits and not a hundred.
 */
export async function announce(trx: HookTransaction, session: HookSession, now: Date): Promise<void> {
  const { id, owner, announced } = session;
  const due = dueAt(session);
  if (announced > 0 && (await bringForward(trx, cardKey(id, announced), now))) return;
  const number = announced + 1;
  await trx.updateTable('hook_sessions').set({ announced: number }).where('id', '=', id).execute();
  const delivery = { key: cardKey(id, number), kind: CARD_KIND, channel: owner, payload: { id, number } };
  await enqueue(trx, { ...delivery, dueAt: due < now ? now : due }, now);
}
