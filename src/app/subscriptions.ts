import { outboxNotices } from '../disclosure/notices.ts';
import { stopAction } from '../disclosure/stop-action.ts';
import type { Feature } from '../feature.ts';
import type { Services } from '../services.ts';

/** What all subscriptions share: notices about messages that failed or lost their reader, and the *Stop* button. */
export function createSubscriptionsFeature(services: Services, features: () => readonly Feature[]): Feature {
  return {
    name: 'subscriptions',
    messages: outboxNotices(services),
    actions: [stopAction({ ...services, handlers: () => features().flatMap(({ messages }) => messages ?? []) })],
  };
}
