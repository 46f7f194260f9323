import { markup } from '../base/text/markup.ts';
import { header, section } from '../slack/blocks/blocks.ts';
import type { HomeSection } from '../slack/interactions.ts';
import { subscriptionRows } from '../subscriptions/home-rows.ts';
import type { ReadinessDeps } from './deps.ts';
import { listWatches } from './watch/store.ts';
import { watchTexts } from './watch/texts.ts';

/** Behind the enterprise controls. */
const ORDER = 50;

/** Which channels get readiness. */
export function readinessHome({ db }: Pick<ReadinessDeps, 'db'>): HomeSection {
  return {
    order: ORDER,
    role: 'manager',
    read: async () => {
      const watches = await listWatches(db);
      const rows =
        watches.length === 0
          ? [section(markup`No channel gets readiness changes. Type \`/readiness watch #channel\` to set one up.`)]
          : subscriptionRows(watches, watchTexts, true);
      return [header('Repository readiness'), ...rows];
    },
  };
}
