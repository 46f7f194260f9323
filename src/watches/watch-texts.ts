import type { CommandText } from '../slack/commands/command-text.ts';
import type { Button } from '../slack/blocks/blocks.ts';
import type { Preparation } from '../outbox/attempts/delivery-outcomes.ts';
import type { ChannelSubscription } from './channel-subscription-table.ts';
import type { Markup } from '../base/text/markup.ts';

/** The texts of a feature about its channel subscriptions; all others are shared. */
export interface SubscriptionTexts {
  kind: string;
  /** `/controls` */
  command: string;
  /** The messages of the channel, such as: changes of the enterprise controls. */
  describe(subscription: ChannelSubscription): Markup;
  /** The words that set it up again; undefined if they cannot be written down. */
  setUpAgain(subscription: ChannelSubscription): CommandText | undefined;
  /** Undefined if its name is too long for a button. */
  stopButton(subscription: ChannelSubscription): Button | undefined;
  /** Undefined if no person paused it. */
  resumeButton(subscription: ChannelSubscription): Button | undefined;
  writeIntroduction(subscription: ChannelSubscription): Promise<Introduction | Extract<Preparation, { kind: 'wait' }>>;
}

export interface Introduction {
  kind: 'introduction';
  /** The messages of the channel, in full. */
  subject: Markup;
  /** When the messages begin, or which events count. */
  start: Markup;
  /** The commands that show more and end it. */
  commands: Markup;
}
