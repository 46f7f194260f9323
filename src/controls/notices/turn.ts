import type { Preparation } from '../../outbox/attempt.ts';
import type { Delivery } from '../../outbox/delivery-table.ts';
import type { ControlsParts } from '../parts.ts';

const SHORTEST_WAIT_MS = 1_000;
const OPEN = ['waiting', 'claimed', 'posting', 'unknown'] as const;

/**
 * Keeps the order where the outbox alone would not: what Slack asked to wait with, or whose answer was lost, is overtaken by
 * what is due meanwhile.
 *
 * @param prefix of the keys that follow one another, which sort as text
 * @returns what to wait for, or nothing when it is this one's turn
 */
export async function waitForEarlier(
  { db, clock }: Pick<ControlsParts, 'db' | 'clock'>,
  delivery: Delivery,
  prefix: string,
): Promise<Preparation | undefined> {
  const earlier = await db
    .selectFrom('deliveries')
    .select(['key', 'next_attempt_at', 'created_at'])
    .where('channel', '=', delivery.channel)
    .where('kind', '=', delivery.kind)
    .where('state', 'in', OPEN)
    .where('key', '!=', delivery.key)
    .where('created_at', '<=', delivery.created_at)
    .execute();
  const first = earlier
    .filter(({ key, created_at: at }) => key.startsWith(prefix) && (at < delivery.created_at || key < delivery.key))
    .toSorted((one, other) => (one.next_attempt_at < other.next_attempt_at ? -1 : 1))
    .at(-1);
  if (!first) return undefined;
  const soonest = clock.now().getTime() + SHORTEST_WAIT_MS;
  const until = new Date(Math.max(soonest, Date.parse(first.next_attempt_at) + 1));
  return { kind: 'wait', until, reason: 'An earlier one has to come first.' };
}
