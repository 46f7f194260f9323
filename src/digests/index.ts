import type { WebClient } from '@slack/web-api';
import type { Config } from '../config.ts';
import type { DigestSection, DigestWish, Feature } from '../feature.ts';
import type { Logger } from '../log.ts';
import type { DeliveryKind } from '../outbox/attempt.ts';
import { enqueue, enqueueSkipped, type DeliveryWish } from '../outbox/deliveries.ts';
import { FIRST_ANALYTICS_DAY } from '../platform/analytics-range.ts';
import type { Clock } from '../schedule/clock.ts';
import type { Occurrence } from '../schedule/occurrences.ts';
import type { Subscription } from '../schedule/subscription-table.ts';
import { dayOf, plusDays, type Day } from '../slack/periods.ts';
import type { Database } from '../store/database.ts';
import { digestMessage } from './blocks.ts';
import { decideDigest } from './decision.ts';
import { digestFromSettings } from './from-settings.ts';
import { digestPayloadSchema, type DigestPayload } from './payload.ts';

export interface DigestParts {
  config: Config;
  db: Database;
  clock: Clock;
  lookups: WebClient;
  log: Logger;
  /** What the other features have to say; asked when a digest is made. */
  sections: () => readonly DigestSection[];
}

/** Digests: yesterday's figures where and when somebody wants them, each once. */
export function createDigestsFeature(parts: DigestParts): Feature {
  return {
    name: 'digests',
    jobs: [{ name: 'digest-from-settings', run: digestFromSettings(parts) }],
    subscriptionKinds: {
      digest: {
        onDue: async (trx, subscription, occurrence) => {
          await enqueue(trx, wishOf(subscription, occurrence), parts.clock.now());
        },
        onTooLate: async (trx, subscription, occurrence) => {
          const reason = 'Quartermaster was not running for over a day.';
          await enqueueSkipped(trx, wishOf(subscription, occurrence), parts.clock.now(), reason);
        },
      },
    },
    deliveryKinds: { digest: digestDelivery(parts) },
  };
}

/** A digest is about the last UTC day that was over when it was due. Its key holds the local date: one a day, whatever the clocks do. */
function wishOf(subscription: Subscription, occurrence: Occurrence): DeliveryWish {
  const payload: DigestPayload = { subscriptionId: subscription.id, day: plusDays(dayOf(occurrence.at), -1) };
  return {
    key: `digest:${subscription.id}:${occurrence.localDate}`,
    kind: 'digest',
    channel: subscription.channel,
    payload,
    dueAt: occurrence.at,
  };
}

function wishFor(day: Day, log: Logger): DigestWish {
  const before = plusDays(day, -7);
  const comparedWith = before < FIRST_ANALYTICS_DAY ? undefined : { first: before, last: before };
  return { period: { first: day, last: day }, comparedWith, people: undefined, audience: 'the organization', log };
}

function digestDelivery(parts: DigestParts): DeliveryKind {
  return {
    prepare: async (delivery) => {
      const { day } = digestPayloadSchema.parse(JSON.parse(delivery.payload));
      const sections = await Promise.all(
        parts
          .sections()
          .map(async (section) => ({ title: section.title, reading: await section.read(wishFor(day, parts.log)) })),
      );
      const now = parts.clock.now();
      const decision = decideDigest(
        sections.map(({ reading }) => reading),
        new Date(delivery.created_at),
        now,
      );
      if (decision.kind === 'wait') return decision;
      const waitedFor = delivery.reason ?? undefined;
      return {
        kind: 'send',
        message: digestMessage({ day, sections, dueAt: new Date(delivery.due_at), sentAt: now, waitedFor }),
      };
    },
  };
}
