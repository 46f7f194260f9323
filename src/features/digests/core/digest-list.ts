import { DAY_MS } from '../../../core/base/time/durations.ts';
import type { Delivery } from '../../../core/outbox/delivery-table.ts';
import { findDeliveries, outlineDeliveries, type DeliveryOutline } from '../../../core/outbox/past-deliveries.ts';
import type { Subscription } from '../../../core/schedule/subscription-table.ts';
import { listSubscriptions } from '../../../core/schedule/subscriptions.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import { hasRole } from '../../../core/base/roles.ts';
import type { DigestDeps } from './digests-deps.ts';
import { digestMessage } from './digest-messages.ts';

/** The last result of a monthly digest is up to a month old. */
const LAST_RESULT_MS = 40 * DAY_MS;

export interface DigestRow {
  subscription: Subscription;
  last: DeliveryOutline | undefined;
  waiting?: Delivery | undefined;
}

/** Returns the digests that a person may see, oldest first. */
export async function listDigests(deps: Pick<DigestDeps, 'db' | 'clock'>, person: Person): Promise<DigestRow[]> {
  const since = new Date(deps.clock.now().getTime() - LAST_RESULT_MS);
  const [subscriptions, deliveries] = await Promise.all([
    listSubscriptions(deps.db, 'digest'),
    outlineDeliveries(deps.db, digestMessage.name, since),
  ]);
  const newest = new Map<string, DeliveryOutline>();
  for (const delivery of deliveries) {
    const id = delivery.about ?? '';
    if (!newest.has(id)) newest.set(id, delivery);
  }
  const rows = subscriptions
    .filter((subscription) => mayRead(person, subscription))
    .map((subscription) => ({ subscription, last: newest.get(subscription.id) }));
  const keys = rows.flatMap(({ last }) => (last?.state === 'waiting' ? [last.key] : []));
  const waiting = new Map((await findDeliveries(deps.db, keys)).map((delivery) => [delivery.key, delivery]));
  return rows.map((row) => ({ ...row, waiting: waiting.get(row.last?.key ?? '') }));
}

/** Whether a person may see a digest: direct messages are visible to their recipient, owner and admins only. Pure. */
export function mayRead({ slackId, role }: Person, { channel, owner }: Subscription): boolean {
  if (hasRole(role, 'admin') || owner === slackId || channel === slackId) return true;
  return hasRole(role, 'manager') && !/^[UW]/.test(channel);
}

/** Whether a person may change a digest: its owner and admins may; the digest of the settings has no owner. Pure. */
export function mayChange({ slackId, role }: Person, { owner }: Pick<Subscription, 'owner'>): boolean {
  return hasRole(role, 'admin') || owner === slackId;
}
