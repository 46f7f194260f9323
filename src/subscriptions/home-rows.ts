import { channelMention, markup, mention, type Markup } from '../base/text/markup.ts';
import { countOf } from '../base/text/numbers.ts';
import type { ChannelSubscription } from '../schedule/channel-subscription-table.ts';
import { section, type Block } from '../slack/blocks/blocks.ts';
import type { SubscriptionTexts } from './subscription-texts.ts';

const MAX_ROWS = 8;

/** The rows of App Home: which channel gets what, who set it up, and what is wrong with it. */
export function subscriptionRows(
  subscriptions: readonly ChannelSubscription[],
  texts: Pick<SubscriptionTexts, 'describe' | 'stopButton'>,
  mayStop: boolean,
): Block[] {
  const left = subscriptions.length - MAX_ROWS;
  return [
    ...subscriptions
      .slice(0, MAX_ROWS)
      .map((one) => section(rowMarkup(one, texts), mayStop ? texts.stopButton(one) : undefined)),
    ...(left > 0 ? [section(markup`${countOf(left, 'more watch', 'more watches')} not shown here.`)] : []),
  ];
}

function rowMarkup(subscription: ChannelSubscription, { describe }: Pick<SubscriptionTexts, 'describe'>): Markup {
  const { channel, owner, state, last_error: lastError } = subscription;
  const by = owner === null ? markup`from the server settings` : markup`set up by ${mention(owner)}`;
  const base = markup`${channelMention(channel)} gets ${describe(subscription)} · ${by}`;
  if (state === 'paused') {
    return markup`${base} ⏸️ *Paused by Quartermaster:* three posts in a row failed. ${lastError ?? ''} Once that’s fixed, set it up again.`;
  }
  return lastError === null ? base : markup`${base} · ⚠️ The last notice couldn’t be posted. ${lastError}`;
}
