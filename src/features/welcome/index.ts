import type { Feature } from '../../core/feature.ts';
import type { Services } from '../../core/services.ts';
import { adminMessages, welcomeJob } from './admins.ts';
import { invitedMessages, onInvited } from './invited.ts';

/** The first words: to the admins after the first start, and to a channel that invites Quartermaster. */
export function createWelcomeFeature(deps: Services): Feature {
  return {
    name: 'welcome',
    jobs: [welcomeJob(deps)],
    messages: [...adminMessages(deps), invitedMessages(deps)],
    onInvited: (channel) => onInvited(deps, channel),
  };
}
