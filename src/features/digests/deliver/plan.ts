import { DAY_MS } from '../../../core/base/time/durations.ts';
import { timeReached, type Clock } from '../../../core/base/time/clock.ts';
import type { SubscriptionKind } from '../../../core/schedule/due-subscriptions.ts';
import { nextOccurrence, plannedOccurrence, type Occurrence } from '../../../core/schedule/occurrences.ts';
import { scheduleIn } from '../../../core/schedule/subscriptions.ts';
import type { DatabaseTransaction } from '../../../core/store/tables.ts';
import type { Subscription } from '../../../core/schedule/subscription-table.ts';
import { dayOf, plusDays, type Period } from '../../../core/base/time/calendar.ts';
import { readSettings } from '../core/contents.ts';
import { coveredDays } from '../core/coverage.ts';
import { daysToCover, listPlanned, wasPlanned, type PlannedDigest } from '../core/planned.ts';
import { digestMessage, type NewDigestMessage } from '../core/digest-messages.ts';
import type { DigestPayload } from '../core/digest-payload.ts';

const NO_DAY = 'No new UTC day had ended since the last digest.';
const ALREADY_COVERED = 'An earlier digest has these days: its time was changed since.';
const MISSED = 'Quartermaster was down, and the next one was due before it was back.';
const TOO_LATE = 'Quartermaster was down for over a day.';
const MOVED_PAST = 'The clock was moved past it.';

export function digestSubscription(clock: Clock): SubscriptionKind {
  return {
    onDue: async (trx, subscription, occurrence) => {
      await recordMissed(trx, subscription, occurrence, clock);
      const planned = await listPlanned(trx, subscription.id);
      const { cadence } = readSettings(subscription);
      const period = daysToCover(planned, cadence, scheduleIn(subscription), occurrence);
      const message = messageOf(subscription, occurrence, period, clock);
      const why = period
        ? whyAlreadyCovered(planned, subscription, occurrence)
        : coverageOf(subscription, occurrence)
          ? ALREADY_COVERED
          : NO_DAY;
      if (why === undefined) await digestMessage.enqueue(trx, message, clock.now());
      else await digestMessage.enqueueSkipped(trx, message, clock.now(), why);
    },
    onTooLate: async (trx, subscription, occurrence) => {
      await recordMissed(trx, subscription, occurrence, clock);
      const message = messageOf(subscription, occurrence, coverageOf(subscription, occurrence), clock);
      await digestMessage.enqueueSkipped(trx, message, clock.now(), whyMissed(clock, occurrence, TOO_LATE));
    },
  };
}

/** After an edit the same days may be due on another date. The delivery key prevents a second one of the same date. */
function whyAlreadyCovered(
  planned: readonly PlannedDigest[],
  subscription: Subscription,
  occurrence: Occurrence,
): string | undefined {
  const others = planned.filter(({ localDate }) => localDate !== occurrence.localDate);
  const { cadence } = readSettings(subscription);
  return wasPlanned(others, cadence, scheduleIn(subscription), occurrence) ? ALREADY_COVERED : undefined;
}

/** `/digest why` looks back this far. */
const HISTORY_MS = 14 * DAY_MS;

/** Records missed occurrences: after downtime only the last one is sent, and users can see why the others were not. */
async function recordMissed(
  trx: DatabaseTransaction,
  subscription: Subscription,
  last: Occurrence,
  clock: Clock,
): Promise<void> {
  const now = clock.now();
  const schedule = scheduleIn(subscription);
  const planned = new Date(subscription.nextDueAt).getTime();
  const firstMs = plannedOccurrence(schedule, new Date(planned)).at.getTime();
  let missed = nextOccurrence(schedule, new Date(Math.max(firstMs - 1, now.getTime() - HISTORY_MS)));
  while (missed.at < last.at) {
    const message = messageOf(subscription, missed, coverageOf(subscription, missed), clock);
    await digestMessage.enqueueSkipped(trx, message, now, whyMissed(clock, missed, MISSED));
    missed = nextOccurrence(schedule, missed.at);
  }
}

function whyMissed(clock: Clock, { at }: Occurrence, down: string): string {
  return timeReached(clock, at) > at ? MOVED_PAST : down;
}

function coverageOf(subscription: Subscription, occurrence: Occurrence): Period | undefined {
  return coveredDays(readSettings(subscription).cadence, scheduleIn(subscription), occurrence);
}

/** The key contains the local date: one digest a day, despite clock changes. */
function messageOf(
  subscription: Subscription,
  occurrence: Occurrence,
  period: Period | undefined,
  clock: Clock,
): NewDigestMessage {
  const yesterday = plusDays(dayOf(occurrence.at), -1);
  const payload: DigestPayload = {
    subscriptionId: subscription.id,
    cadence: readSettings(subscription).cadence,
    period: period ?? { first: yesterday, last: yesterday },
    plannedFor: timeReached(clock, occurrence.at).toISOString(),
  };
  const { id: about, channel: to } = subscription;
  const slot = occurrence.localDate;
  return { key: `digest:${about}:${slot}`, to, payload, dueAt: occurrence.at, about, slot };
}
