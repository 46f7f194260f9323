import type { Feature, Happening } from '../feature.ts';
import type { Logger } from '../log.ts';
import type { Period } from '../slack/periods.ts';

/** What explains figures; a feature that cannot say it now costs the explanation, not the figures. */
export async function readHappenings(features: readonly Feature[], period: Period, log: Logger): Promise<Happening[]> {
  const found = await Promise.all(
    features.map(async ({ name, happenings }) => {
      try {
        return (await happenings?.(period)) ?? [];
      } catch (error) {
        log.error({ err: error, feature: name }, 'What happened in a period could not be read');
        return [];
      }
    }),
  );
  return found.flat().toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
}
