import type { Feature } from '../feature.ts';
import { createCache } from '../cache.ts';
import { controlsSection } from './digest-section.ts';
import { watchFromSettings } from './watch/from-settings.ts';
import { controlsActions, readControlsCommand } from './handlers.ts';
import { keptChanges, readChanges } from './timeline.ts';
import { controlsHome } from './home.ts';
import { subscriptionDeliveries } from '../subscriptions/deliveries.ts';
import { growthDelivery, noticeDelivery, threadDelivery } from './notices/delivery.ts';
import type { ControlsParts } from './core/parts.ts';
import { createPoller } from './poll/poller.ts';
import { watchTexts } from './watch/texts.ts';
import { CONTROLS_HELP } from './commands.ts';

/** A morning's digests ask for the same days; a change is told by other figures soon enough. */
const LIFE_MS = 5 * 60_000;

/** The enterprise controls: what was changed, when, by whom, and who is told. */
export function createControlsFeature(parts: ControlsParts): Feature {
  const changes = createCache(parts.clock, LIFE_MS, (key: string) => {
    const [first = '', last = ''] = key.split('..');
    return readChanges(parts, { first, last });
  });
  return {
    name: 'controls',
    commands: [{ help: CONTROLS_HELP, role: 'manager', read: (words) => readControlsCommand(parts, words) }],
    actions: controlsActions(parts),
    jobs: [{ name: 'controls-from-settings', run: watchFromSettings(parts) }],
    services: [createPoller(parts)],
    homeSections: [controlsHome(parts)],
    digestSections: [controlsSection(parts)],
    timeline: async (period) => (await keptChanges(parts, period)) ?? changes.get(`${period.first}..${period.last}`),
    deliveryKinds: {
      ...subscriptionDeliveries(parts, watchTexts(parts)),
      'controls-notice': noticeDelivery(parts),
      'controls-thread': threadDelivery(parts),
      'controls-growth': growthDelivery(parts),
    },
  };
}
