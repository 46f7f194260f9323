import type { Period } from '../core/base/time/calendar.ts';
import { watchChanges } from '../core/analytics/change-watch.ts';
import type { AskDeps } from '../features/ask/ask-deps.ts';
import { createAskFeature } from '../features/ask/index.ts';
import { createControlsFeature } from '../features/controls/index.ts';
import { createDoor } from '../features/disclosure/door.ts';
import { createDigestsFeature } from '../features/digests/index.ts';
import { createErasureFeature } from '../features/erasure/index.ts';
import type { ErasureServices } from '../features/erasure/carry-out.ts';
import { createEraseExports } from '../features/exports/erase.ts';
import { createExportsFeature } from '../features/exports/index.ts';
import type { Feature, TimelineEvent } from '../core/feature.ts';
import { createComputersFeature } from '../features/computers/index.ts';
import { createLimitsFeature } from '../features/limits/index.ts';
import { createLimitPoliciesFeature } from '../features/limit-policies/index.ts';
import { createRequestPolicies } from '../features/limit-policies/request-policies.ts';
import type { DeliveryKind } from '../core/outbox/attempts/delivery-outcomes.ts';
import { dispatchAll } from '../core/outbox/dispatch.ts';
import { createReadinessFeature } from '../features/readiness/index.ts';
import { createRetentionFeature, type RetentionDeps } from '../features/retention/index.ts';
import type { Services } from '../core/services.ts';
import { STORED_TABLES } from './stored-tables.ts';
import { createSessionsFeature } from '../features/sessions/index.ts';
import { createStatusFeature, type StatusDeps } from '../features/status/index.ts';
import { alertSubcommands, createAlertsFeature } from '../features/alerts/index.ts';
import { readWarnButton } from '../features/alerts/heads-ups/heads-up-form.ts';
import { createUsageFeature } from '../features/usage/index.ts';
import { outboxNotices } from '../features/disclosure/disclosure-notices.ts';
import { stopAction } from '../features/disclosure/stop-action.ts';
import type { Logger } from '../core/base/log.ts';

export function createFeatures(
  services: Services,
  operating: Pick<StatusDeps, 'keyEvidence' | 'readHealth' | 'jobRuns'> & Pick<RetentionDeps, 'onRemoved'>,
  slack: Pick<ErasureServices, 'lookups' | 'posting' | 'botUserId'>,
  asking: Pick<AskDeps, 'ask' | 'inWorkspaceNames' | 'teamId' | 'signature'>,
): Feature[] {
  const usage = {
    ...services,
    timeline: (period: Period) => readTimeline(features, period, services.log),
    limits: () => features.find(({ limits }) => limits)?.limits,
  };
  const limits = createLimitsFeature(
    {
      ...services,
      readOwnLimitLine: async (person, log) =>
        features.find(({ ownLimitLine }) => ownLimitLine)?.ownLimitLine?.(person, log),
    },
    createRequestPolicies,
  );
  const features: Feature[] = [
    createUsageFeature(usage, {
      subcommands: alertSubcommands(usage),
      readWarnButton: (person, isCounted) => readWarnButton(usage, person, isCounted),
    }),
    createAlertsFeature(usage),
    createReadinessFeature(services),
    createSessionsFeature(services),
    createControlsFeature(services),
    limits.feature,
    createLimitPoliciesFeature(limits.parts),
    createComputersFeature(services),
    createDigestsFeature({
      ...services,
      sections: () => features.flatMap((feature) => feature.digestSections ?? []),
      hasChanged: watchChanges(services.days, services.clock),
    }),
    createSubscriptionsFeature(services, () => features),
    createExportsFeature(services),
    createErasureFeature({
      ...services,
      ...slack,
      tables: STORED_TABLES,
      eraseElsewhere: createEraseExports(services.config.exports, services.db),
    }),
    createRetentionFeature({
      ...services,
      ...operating,
      tables: STORED_TABLES,
      deliveryKinds: () => kindsOf(services, features),
    }),
    createAskFeature({ ...services, ...asking, commands: () => features.flatMap(({ commands }) => commands ?? []) }),
    createStatusFeature({
      ...services,
      ...operating,
      features: () => features,
    }),
  ];
  return features;
}

export function kindsOf(services: Services, features: readonly Feature[]): Record<string, DeliveryKind> {
  const handlers = features.flatMap(({ messages }) => messages ?? []);
  return dispatchAll({ ...services, door: createDoor(services) }, handlers);
}

/** Notices about failed messages or lost readers, and the *Stop* button. */
function createSubscriptionsFeature(services: Services, features: () => readonly Feature[]): Feature {
  return {
    name: 'subscriptions',
    messages: outboxNotices(services),
    actions: [stopAction({ ...services, handlers: () => features().flatMap(({ messages }) => messages ?? []) })],
  };
}

/** If a feature fails, only its events are missing. */
async function readTimeline(features: readonly Feature[], period: Period, log: Logger): Promise<TimelineEvent[]> {
  const eventsByFeature = await Promise.all(
    features.map(async ({ name, timeline }) => {
      try {
        return (await timeline?.(period)) ?? [];
      } catch (error) {
        log.error({ err: error, feature: name }, 'Reading the events of a period failed');
        return [];
      }
    }),
  );
  return eventsByFeature.flat().toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
}
