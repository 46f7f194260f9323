import type { Feature } from '../feature.ts';
import { createCache } from '../base/cache.ts';
import { controlsSection } from './digest-section.ts';
import { watchFromSettings } from './watch/from-settings.ts';
import { controlsActions, readControlsCommand } from './handlers.ts';
import { keptChanges, readChanges } from './timeline.ts';
import { controlsHome } from './home.ts';
import { subscriptionDeliveries } from '../subscriptions/deliveries.ts';
import { noticeDelivery, noticeEditDelivery, threadDelivery } from './notices/delivery.ts';
import type { ControlsDeps } from './core/deps.ts';
import { createPoller } from './poll/poller.ts';
import { controlsRetention } from './retention.ts';
import { watchTexts } from './watch/texts.ts';
import { CONTROLS_HELP } from './commands.ts';

/** A morning's digests ask for the same days; a change is told by other figures soon enough. */
const LIFE_MS = 5 * 60_000;

/** The enterprise controls: what was changed, when, by whom, and who is told. */
export function createControlsFeature(deps: ControlsDeps): Feature {
  const changes = createCache(deps.clock, LIFE_MS, (key: string) => {
    const [first = '', last = ''] = key.split('..');
    return readChanges(deps, { first, last });
  });
  return {
    name: 'controls',
    commands: [{ help: CONTROLS_HELP, role: 'manager', read: (words) => readControlsCommand(deps, words) }],
    actions: controlsActions(deps),
    jobs: [{ name: 'controls-from-settings', run: watchFromSettings(deps) }],
    services: [createPoller(deps)],
    homeSections: [controlsHome(deps)],
    digestSections: [controlsSection(deps)],
    timeline: async (period) => (await keptChanges(deps, period)) ?? changes.get(`${period.first}..${period.last}`),
    retention: controlsRetention(deps.db),
    deliveryKinds: {
      ...subscriptionDeliveries(deps, watchTexts(deps)),
      'controls-notice': noticeDelivery(deps),
      'controls-thread': threadDelivery(deps),
      'controls-growth': noticeEditDelivery(deps, 'growth'),
      'controls-acknowledgement': noticeEditDelivery(deps, 'acknowledged'),
    },
  };
}
