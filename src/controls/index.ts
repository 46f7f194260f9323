import type { Feature } from '../feature.ts';
import type { PlatformClient } from '../platform/client.ts';
import type { Clock } from '../schedule/clock.ts';
import { createCache } from '../slack/cache.ts';
import { readChanges } from './happenings.ts';

/** A morning's digests ask for the same days; a change is told by other figures soon enough. */
const LIFE_MS = 5 * 60_000;

/** The enterprise controls: what was changed, and when. */
export function createControlsFeature({ platform, clock }: { platform: PlatformClient; clock: Clock }): Feature {
  const changes = createCache(clock, LIFE_MS, (key: string) => {
    const [first = '', last = ''] = key.split('..');
    return readChanges(platform, { first, last });
  });
  return {
    name: 'controls',
    happenings: ({ first, last }) => changes.get(`${first}..${last}`),
  };
}
