import type { CommandText } from '../slack/commands/command-text.ts';
import { type Button, section, type Block } from '../slack/blocks/blocks.ts';
import type { Preparation } from '../outbox/attempts/delivery-outcomes.ts';
import { type ChannelSubscription, isPausedByPerson } from './channel-subscription-table.ts';
import { type Markup, channelMention, withRest, markup, mention } from '../base/text/markup.ts';
import { z } from 'zod';
import { declareSubscriptionMessage } from '../outbox/message-kind.ts';
import { declareOwnerNotice } from '../outbox/owner-notices.ts';
import { countOf } from '../base/text/numbers.ts';

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

/** The first message of a kind of watch, in its channel. */
export const introductionMessage = (kind: string) =>
  declareSubscriptionMessage({ name: `${kind}-introduction`, payload: z.object({ subject: z.string() }) }, 'manager');

const pauseSchema = z.object({ channel: z.string(), subjects: z.array(z.string()), reason: z.string() });
export type Pause = z.infer<typeof pauseSchema>;

export const pauseNotice = (kind: string) => declareOwnerNotice(`${kind}-watch`, pauseSchema);

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
