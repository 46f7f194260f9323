import type { CommandText } from '../slack/commands/command-text.ts';
import type { Button } from '../slack/blocks/blocks.ts';
import type { Preparation } from '../outbox/attempt.ts';
import type { ChannelSubscription } from './channel-subscription-table.ts';
import type { Markup } from '../base/text/markup.ts';

/** What a feature says of its channel subscriptions; the rest is the same for all of them. */
export interface SubscriptionTexts {
  /** As in the table: `controls`. */
  kind: string;
  /** `/controls` */
  command: string;
  /** What the channel gets, such as: changes of the enterprise controls. */
  describe(subscription: ChannelSubscription): Markup;
  /** The words that set it up again; none where they cannot be written down. */
  setUpAgain(subscription: ChannelSubscription): CommandText | undefined;
  /** None where its name is too long for a button. */
  stopButton(subscription: ChannelSubscription): Button | undefined;
  introduce(subscription: ChannelSubscription): Promise<Introduction | Extract<Preparation, { kind: 'wait' }>>;
}

export interface Introduction {
  kind: 'introduction';
  /** What the channel gets, in full. */
  what: Markup;
  /** From when on, or what counts. */
  when: Markup;
  /** Which commands show more and end it. */
  how: Markup;
}
