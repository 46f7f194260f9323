import { header } from '../../slack/blocks/blocks.ts';
import type { HomeSection } from '../../slack/interactions.ts';
import { listChannelSubscriptions } from '../../schedule/channel-subscriptions.ts';
import { subscriptionRows } from '../../subscriptions/home-rows.ts';
import type { UsageServices } from '../deps.ts';
import { WATCH_TEXTS } from './deliveries.ts';
import { WATCH_KIND } from './store.ts';

/** Behind budgets. */
const HOME_ORDER = 27;

/** Who is told of unusual days; nothing where nobody is. */
export function watchesHome({ db }: Pick<UsageServices, 'db'>): HomeSection {
  return {
    order: HOME_ORDER,
    role: 'manager',
    read: async ({ slackId }) => {
      const watches = await listChannelSubscriptions(db, WATCH_KIND);
      // What goes to somebody by direct message concerns them alone.
      const shown = watches.filter(({ channel }) => !/^[UW]/.test(channel) || channel === slackId);
      return shown.length === 0 ? [] : [header('Unusual days'), ...subscriptionRows(shown, WATCH_TEXTS, true)];
    },
  };
}
