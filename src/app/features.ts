import { watchChanges } from '../core/analytics/change-watch.ts';
import type { Logger } from '../core/base/log.ts';
import type { Period } from '../core/base/time/calendar.ts';
import type { Feature, TimelineEvent } from '../core/feature.ts';
import { readLimitPeriod } from '../core/figures/limit-period.ts';
import type { DeliveryKind } from '../core/outbox/attempts/delivery-outcomes.ts';
import { dispatchAll } from '../core/outbox/dispatch.ts';
import type { SubscriptionKind } from '../core/schedule/due-subscriptions.ts';
import type { Services } from '../core/services.ts';
import type { AnswerMessage, OfferMeanings } from '../core/slack/interactions/interactions.ts';
import { readHoldingBudgets } from '../features/alerts/budgets/evaluate/budgets-holding.ts';
import { readWarnButton } from '../features/alerts/heads-ups/heads-up-form.ts';
import { alertSubcommands, createAlertsFeature } from '../features/alerts/index.ts';
import { createAsk } from '../features/ask/index.ts';
import { createComputersFeature } from '../features/computers/index.ts';
import { createControlsFeature } from '../features/controls/index.ts';
import { createDigestsFeature, digestSubscriptions } from '../features/digests/index.ts';
import { outboxNotices } from '../features/disclosure/disclosure-notices.ts';
import { createDoor } from '../features/disclosure/door.ts';
import { stopAction } from '../features/disclosure/stop-action.ts';
import type { ErasureServices } from '../features/erasure/carry-out.ts';
import { createErasureFeature } from '../features/erasure/index.ts';
import { createEraseExports } from '../features/exports/erase.ts';
import { createExportsFeature } from '../features/exports/index.ts';
import { createLimitPoliciesFeature } from '../features/limit-policies/index.ts';
import { createRequestPolicies } from '../features/limit-policies/request-policies.ts';
import { createLimitsFeature } from '../features/limits/index.ts';
import { createLimitKnowledge } from '../features/limits/core/ledger.ts';
import { createOwnReader } from '../features/own/own-facts.ts';
import { type OwnLineDeps, readOwnLimitLine } from '../features/own/own-limit.ts';
import { createReadinessFeature } from '../features/readiness/index.ts';
import { createFindAddresses } from '../features/readiness/reports/addresses.ts';
import { createReadings } from '../features/readiness/reports/reading.ts';
import { createRetentionFeature, type RetentionDeps } from '../features/retention/index.ts';
import { createSessionsFeature } from '../features/sessions/index.ts';
import { createStatusFeature, type StatusDeps } from '../features/status/index.ts';
import { createUsageFeature } from '../features/usage/index.ts';
import { createWelcomeFeature } from '../features/welcome/index.ts';
import { STORED_TABLES } from '../features/stored-tables.ts';

export interface Features {
  all: readonly Feature[];
  /** Every kind of message by name. */
  messageKinds: Readonly<Record<string, DeliveryKind>>;
  /** By the kind in the table of subscriptions. */
  subscriptionKinds: Readonly<Record<string, SubscriptionKind>>;
  answerMessage: AnswerMessage;
  offerMeanings: OfferMeanings;
}

/** Builds the features in order: each gets what it needs of those before it. */
export function createFeatures(
  services: Services,
  operating: Pick<StatusDeps, 'keyEvidence' | 'readHealth' | 'jobRuns'> & Pick<RetentionDeps, 'onRemoved'>,
  slack: Pick<ErasureServices, 'lookups' | 'posting' | 'botUserId'>,
): Features {
  const withLimits = { ...services, limits: createLimitKnowledge(services) };
  const own: OwnLineDeps & typeof withLimits = {
    ...withLimits,
    readOwn: createOwnReader({ ...withLimits, readLimitPeriod: () => readLimitPeriod(services) }),
    readWarnButton: (person, isCounted) => readWarnButton(withLimits, person, isCounted),
  };
  const controls = createControlsFeature(services);
  const { feature: limits, parts } = createLimitsFeature(
    {
      ...services,
      readHoldingBudgets: (query) => readHoldingBudgets(services, query),
      readOwnLimitLine: (person, log) => readOwnLimitLine(own, person, log),
    },
    createRequestPolicies,
  );
  const timeline = (period: Period) => readTimeline([controls, limits], period, services.log);
  const figures = { ...withLimits, timeline };
  const usage = createUsageFeature({ ...own, timeline }, alertSubcommands(figures));
  const alerts = createAlertsFeature(figures);
  const readings = createReadings(services);
  const readiness = createReadinessFeature(services, readings);
  const withSections = [usage, alerts, readiness, controls, limits];
  const sections = withSections.flatMap(({ digestSections }) => digestSections ?? []);
  const digests = createDigestsFeature({
    ...services,
    sections: sections.filter(({ isAlways }) => !isAlways),
    extraSections: sections.filter(({ isAlways }) => isAlways),
    hasChanged: watchChanges(services.days, services.clock),
  });
  const ask = createAsk(services);
  const others = [
    usage,
    alerts,
    readiness,
    createSessionsFeature(withLimits),
    controls,
    limits,
    createLimitPoliciesFeature(parts),
    createComputersFeature({ ...services, findAddresses: createFindAddresses(readings) }),
    digests,
    createWelcomeFeature(services),
    createExportsFeature(services),
    createErasureFeature({
      ...services,
      ...slack,
      tables: STORED_TABLES,
      eraseElsewhere: createEraseExports(services.config.exports, services.db),
    }),
    ask.feature,
  ];
  const status = createStatusFeature({
    ...services,
    ...operating,
    features: others,
    memberCommands: { token: ask.readTokenCommand },
  });
  const notices = outboxNotices(services);
  const handlers = [...others, status].flatMap(({ messages }) => messages ?? []).concat(notices);
  const messageKinds = dispatchAll({ ...services, door: createDoor(services) }, handlers);
  const subscriptions: Feature = {
    name: 'subscriptions',
    messages: notices,
    actions: [stopAction({ ...services, handlers })],
  };
  const retention = createRetentionFeature({
    ...services,
    ...operating,
    tables: STORED_TABLES,
    deliveryKinds: messageKinds,
  });
  return {
    all: [...others, status, subscriptions, retention],
    messageKinds,
    subscriptionKinds: digestSubscriptions(services.clock),
    answerMessage: ask.answerMessage,
    offerMeanings: ask.offerMeanings,
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
