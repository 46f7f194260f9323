import { channelMention, withRest, markup, mention, type Markup } from '../base/text/markup.ts';
import { countOf } from '../base/text/numbers.ts';
import { isPausedByPerson, type ChannelSubscription } from './channel-subscription-table.ts';
import { section, type Block } from '../slack/blocks/blocks.ts';
import type { SubscriptionTexts } from './watch-texts.ts';

const MAX_ROWS = 8;

const restRow = (remaining: number) =>
  section(markup`${countOf(remaining, 'more watch', 'more watches')} not shown here.`);

/** The rows of App Home: each channel with its messages, the person who set them up, and the current fault. */
export function subscriptionRows(
  subscriptions: readonly ChannelSubscription[],
  texts: Pick<SubscriptionTexts, 'describe' | 'stopButton' | 'resumeButton'>,
  mayStop: boolean,
): Block[] {
  const rows = subscriptions.map((one) =>
    section(rowMarkup(one, texts), mayStop ? (texts.resumeButton(one) ?? texts.stopButton(one)) : undefined),
  );
  return withRest(rows, MAX_ROWS, restRow);
}

export function rowMarkup(
  subscription: ChannelSubscription,
  { describe }: Pick<SubscriptionTexts, 'describe'>,
): Markup {
  const { channel, owner, state, changedBy, lastError } = subscription;
  const by = owner === null ? markup`from the server settings` : markup`set up by ${mention(owner)}`;
  const base = markup`${channelMention(channel)} gets ${describe(subscription)} · ${by}`;
  if (isPausedByPerson(subscription)) return markup`${base} · ⏸️ *Paused* by ${mention(changedBy ?? '')}`;
  if (state === 'paused') {
    return markup`${base} ⏸️ *Paused by Quartermaster:* three posts in a row failed. ${lastError ?? ''} Once that’s fixed, set it up again.`;
  }
  return lastError === null ? base : markup`${base} · ⚠️ The last notice couldn’t be posted. ${lastError}`;
}
