import { enqueue, enqueueSkipped, type NewDelivery } from '../../outbox/deliveries.ts';
import type { Clock } from '../../clock.ts';
import type { SubscriptionKind } from '../../schedule/due-subscriptions.ts';
import { scheduleSchema, type Occurrence } from '../../schedule/occurrences.ts';
import type { Subscription } from '../../schedule/subscription-table.ts';
import { dayOf, plusDays, type Period } from '../../calendar.ts';
import { readSettings } from '../core/contents.ts';
import { coveredDays } from '../core/coverage.ts';
import type { DigestPayload } from '../core/payload.ts';

const NO_DAY = 'No further UTC day was over since the digest before, because the clocks were changed.';
const TOO_LATE = 'Quartermaster was not running for over a day.';

/** What happens when a digest is due. */
export function digestSubscription(clock: Clock): SubscriptionKind {
  return {
    onDue: async (trx, subscription, occurrence) => {
      const period = coverageOf(subscription, occurrence);
      const delivery = deliveryOf(subscription, occurrence, period);
      if (period) await enqueue(trx, delivery, clock.now());
      else await enqueueSkipped(trx, delivery, clock.now(), NO_DAY);
    },
    onTooLate: async (trx, subscription, occurrence) => {
      const delivery = deliveryOf(subscription, occurrence, coverageOf(subscription, occurrence));
      await enqueueSkipped(trx, delivery, clock.now(), TOO_LATE);
    },
  };
}

function coverageOf(subscription: Subscription, occurrence: Occurrence): Period | undefined {
  const schedule = scheduleSchema.parse(JSON.parse(subscription.schedule));
  return coveredDays(readSettings(subscription).cadence, schedule, occurrence);
}

/** The key holds the local date: one a day, whatever the clocks do. */
function deliveryOf(subscription: Subscription, occurrence: Occurrence, period: Period | undefined): NewDelivery {
  const yesterday = plusDays(dayOf(occurrence.at), -1);
  const payload: DigestPayload = {
    subscriptionId: subscription.id,
    cadence: readSettings(subscription).cadence,
    period: period ?? { first: yesterday, last: yesterday },
    plannedFor: occurrence.at.toISOString(),
  };
  return {
    key: `digest:${subscription.id}:${occurrence.localDate}`,
    kind: 'digest',
    channel: subscription.channel,
    payload,
    dueAt: occurrence.at,
  };
}
