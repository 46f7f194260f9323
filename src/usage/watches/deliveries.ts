import { markup } from '../../base/text/markup.ts';
import { commandText } from '../../slack/commands/command-text.ts';
import type { DeliveryKind } from '../../outbox/attempt.ts';
import { deliveryOf } from '../../outbox/delivery-kind.ts';
import {
  countChannelFailure,
  findChannelSubscription,
  forgetChannelFailures,
  introductionKind,
  listChannelSubscriptions,
} from '../../watches/channel-subscriptions.ts';
import { header } from '../../slack/blocks/blocks.ts';
import { runCommandButtons } from '../../slack/blocks/messages.ts';
import type { HomeSection } from '../../slack/interactions.ts';
import { prepareAfter } from '../../slack/outbound/posted-message.ts';
import { subscriptionRows } from '../../watches/home-rows.ts';
import { subscriptionDeliveries } from '../../subscriptions/deliveries.ts';
import type { SubscriptionTexts } from '../../watches/watch-texts.ts';
import type { UsageServices } from '../deps.ts';
import { noteMessage, watchMessage } from '../../alerts/unusual-days/messages.ts';
import { EDIT_KIND, MESSAGE_KIND, NOTE_KIND, watchEditSchema, watchMessageSchema, watchNoteSchema } from './payload.ts';
import { aboutOf, daysOfMessage, findWatched, watchKey, WATCH_KIND } from '../../alerts/unusual-days/store.ts';

const isPerson = (channel: string) => /^[UW]/.test(channel);

/** What is said of a watch in its channel, to its owner and in App Home. */
const WATCH_TEXTS: SubscriptionTexts = {
  kind: WATCH_KIND,
  command: '/usage',
  describe: (watch) => markup`unusual days of ${aboutOf(watch)}`,
  stopButton: ({ channel }) => runCommandButtons('Stop', '/usage', commandText`unwatch ${`<#${channel}>`}`)[0],
  setUpAgain: ({ channel, subject }) =>
    subject === ''
      ? commandText`watch ${`<#${channel}>`}`
      : commandText`watch ${`<#${channel}>`} ${`<!subteam^${subject}>`}`,
  introduce: (watch) =>
    Promise.resolve({
      kind: 'introduction',
      what: markup`a message when a day’s credits of ${aboutOf(watch)} are unusual for its weekday`,
      when: markup`It comes within minutes of the day’s figures, at most once a day, and again when days are as usual.`,
      how: markup`A manager can end this with \`/usage unwatch\`.`,
    }),
};

export function watchDeliveries(deps: UsageServices): Record<string, DeliveryKind> {
  const common = subscriptionDeliveries(deps, WATCH_TEXTS);
  const introduction = common[introductionKind(WATCH_KIND)];
  return {
    ...common,
    // Who set it up for themselves has been answered.
    [introductionKind(WATCH_KIND)]: {
      prepare: async (delivery) =>
        isPerson(delivery.channel) || !introduction
          ? { kind: 'skip', reason: 'A person needs no introduction.' }
          : introduction.prepare(delivery),
    },
    [MESSAGE_KIND]: {
      findNeeded: findWatched,
      prepare: async (delivery) => {
        const { entries } = watchMessageSchema.parse(JSON.parse(delivery.payload));
        const watches = await Promise.all(
          entries.map(({ subject }) => findChannelSubscription(deps.db, watchKey(delivery.channel, subject))),
        );
        const kept = entries.filter((_, index) => watches[index] !== undefined);
        if (kept.length === 0) return { kind: 'skip', reason: 'Nobody watches it now.' };
        const days = await daysOfMessage(deps.db, delivery.key);
        return { kind: 'send', message: watchMessage(delivery.key, { entries: kept }, days) };
      },
      onSettled: async (trx, { key, channel, payload }, settlement, now) => {
        const subjects = watchMessageSchema.parse(JSON.parse(payload)).entries.map(({ subject }) => subject);
        const subscribed = { kind: WATCH_KIND, channel, subjects };
        if (settlement.state === 'failed')
          await countChannelFailure(trx, subscribed, { key, reason: settlement.reason }, now);
        if (settlement.state === 'sent') await forgetChannelFailures(trx, subscribed);
      },
    },
    // A message is written again from what is true when it is written.
    [EDIT_KIND]: deliveryOf(watchEditSchema, ({ messageKey, by }) =>
      prepareAfter(deps, { key: messageKey, what: 'message' }, async (place, original) => {
        const payload = watchMessageSchema.parse(JSON.parse(original.payload));
        const days = await daysOfMessage(deps.db, messageKey);
        return { kind: 'edit', place, message: watchMessage(messageKey, payload, days, by) };
      }),
    ),
    [NOTE_KIND]: deliveryOf(watchNoteSchema, (note) =>
      prepareAfter(deps, { key: note.messageKey, what: 'message' }, async (replyTo) => {
        return { kind: 'send', message: { ...noteMessage(note), replyTo } };
      }),
    ),
  };
}

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
      const shown = watches.filter(({ channel }) => !isPerson(channel) || channel === slackId);
      return shown.length === 0 ? [] : [header('Unusual days'), ...subscriptionRows(shown, WATCH_TEXTS, true)];
    },
  };
}
