import type { Feature, TimelineEvent } from '../feature.ts';
import type { Logger } from '../base/log.ts';
import type { Period } from '../base/time/calendar.ts';

/** If a feature fails, only its events are missing. */
export async function readTimeline(
  features: readonly Feature[],
  period: Period,
  log: Logger,
): Promise<TimelineEvent[]> {
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
