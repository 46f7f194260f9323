import { outboxNotices } from '../disclosure/disclosure-notices.ts';
import { stopAction } from '../disclosure/stop-action.ts';
import type { Feature } from '../feature.ts';
import type { Services } from '../services.ts';

/** Notices about failed messages or lost readers, and the *Stop* button. */
export function createSubscriptionsFeature(services: Services, features: () => readonly Feature[]): Feature {
  return {
    name: 'subscriptions',
    messages: outboxNotices(services),
    actions: [stopAction({ ...services, handlers: () => features().flatMap(({ messages }) => messages ?? []) })],
  };
}
