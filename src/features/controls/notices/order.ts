import { OPEN_DELIVERIES } from '../../../core/outbox/deliveries.ts';
import type { Preparation } from '../../../core/outbox/attempts/delivery-outcomes.ts';
import type { Delivery } from '../../../core/outbox/delivery-table.ts';
import type { Database } from '../../../core/store/tables.ts';
import { readStoreNow } from '../../../core/store/lease.ts';
import type { ControlsDeps } from '../core/controls-deps.ts';

type Position = Pick<Delivery, 'channel' | 'kind' | 'key' | 'createdAt'>;

const SHORTEST_WAIT_MS = 1_000;

/**
 * While Slack delays a message, or its answer is lost, the outbox alone would post later messages first.
 * @param about the thing whose messages follow one another; undefined: all of the kind in the channel
 * @returns the wait for an earlier message, or undefined if it is this one’s turn
 */
export async function waitForEarlier(
  { db, clock }: Pick<ControlsDeps, 'db' | 'clock'>,
  delivery: Position,
  about?: string,
): Promise<Extract<Preparation, { kind: 'wait' }> | undefined> {
  const earlier = await earlierStatement(db, delivery, about).executeTakeFirst();
  if (!earlier) return undefined;
  const untilNextMs = Date.parse(earlier.nextAttemptAt) + 1 - (await readStoreNow(db)).getTime();
  const until = new Date(clock.now().getTime() + Math.max(SHORTEST_WAIT_MS, untilNextMs));
  return { kind: 'wait', until, reason: 'An earlier one has to come first.' };
}

export function earlierStatement(db: Database, { channel, kind, key, createdAt }: Position, about: string | undefined) {
  return db
    .selectFrom('deliveries')
    .select('nextAttemptAt')
    .where((where) => where.and({ channel, kind }))
    .where(OPEN_DELIVERIES)
    .where('createdAt', '<=', createdAt)
    .where((where) => where.or([where('createdAt', '<', createdAt), where('key', '<', key)]))
    .$if(about !== undefined, (query) => query.where('about', '=', about ?? ''))
    .orderBy('createdAt')
    .orderBy('key')
    .limit(1);
}
