import { sql, type SqlBool } from 'kysely';
import { OPEN_DELIVERIES } from '../../outbox/deliveries.ts';
import type { Preparation } from '../../outbox/attempt.ts';
import type { Delivery } from '../../outbox/delivery-table.ts';
import type { Database } from '../../store/tables.ts';
import { readStoreNow } from '../../store/lease.ts';
import type { ControlsDeps } from '../core/deps.ts';

const SHORTEST_WAIT_MS = 1_000;

/**
 * Keeps the order where the outbox alone would not: what Slack asked to wait with, or whose answer was lost, is passed by
 * what is due meanwhile.
 *
 * @param prefix of the keys that follow one another, which sort as text
 * @returns what to wait for, or nothing when it is this one's turn
 */
export async function waitForEarlier(
  { db, clock }: Pick<ControlsDeps, 'db' | 'clock'>,
  delivery: Delivery,
  prefix: string,
): Promise<Preparation | undefined> {
  const earlier = await earlierStatement(db, delivery, prefix).executeTakeFirst();
  if (!earlier) return undefined;
  const untilNextMs = Date.parse(earlier.next_attempt_at) + 1 - (await readStoreNow(db)).getTime();
  const until = new Date(clock.now().getTime() + Math.max(SHORTEST_WAIT_MS, untilNextMs));
  return { kind: 'wait', until, reason: 'An earlier one has to come first.' };
}

/** The first of those that come before a delivery and are not at an end. */
export function earlierStatement(
  db: Database,
  { channel, kind, key, created_at: createdAt }: Pick<Delivery, 'channel' | 'kind' | 'key' | 'created_at'>,
  prefix: string,
) {
  return (
    db
      .selectFrom('deliveries')
      .select('next_attempt_at')
      .where('channel', '=', channel)
      .where('kind', '=', kind)
      .where(OPEN_DELIVERIES)
      .where('created_at', '<=', createdAt)
      .where((where) => where.or([where('created_at', '<', createdAt), where('key', '<', key)]))
      // Not by order: how text is ordered is up to the database.
      .where(sql<SqlBool>`substr(key, 1, ${prefix.length}) = ${prefix}`)
      .orderBy('created_at')
      .orderBy('key')
      .limit(1)
  );
}
