import { z } from 'zod';
import type { Clock } from '../base/time/clock.ts';
import { channelMention, joinMarkup, markup, mention } from '../base/text/markup.ts';
import type { DeliveryKind, Preparation } from '../outbox/attempt.ts';
import type { Delivery } from '../outbox/delivery-table.ts';
import { ownerNoticeDeliveries } from '../outbox/owner-notices.ts';
import type { ChannelSubscription } from '../watches/channel-subscription-table.ts';
import { findChannelSubscription, introductionKind, pauseNoticeName } from '../watches/channel-subscriptions.ts';
import { runCommandButtons } from '../slack/blocks/messages.ts';
import { buttonRow, messageOf, prose, smallPrint } from '../slack/blocks/paragraphs.ts';
import type { People } from '../slack/people/people.ts';
import type { Database } from '../store/tables.ts';
import type { SubscriptionTexts } from '../watches/watch-texts.ts';

interface Deps {
  db: Database;
  clock: Clock;
  people: Pick<People, 'admins'>;
}

const introductionSchema = z.object({ subject: z.string() });
const pauseSchema = z.object({ channel: z.string(), subjects: z.array(z.string()), reason: z.string() });
const MAX_BUTTONS = 5;

/** The first message in a channel, and the direct message about a subscription that was paused. */
export function subscriptionDeliveries(deps: Deps, texts: SubscriptionTexts): Record<string, DeliveryKind> {
  return {
    [introductionKind(texts.kind)]: { prepare: (delivery) => prepareIntroduction(deps, texts, delivery) },
    ...ownerNoticeDeliveries(deps, pauseNoticeName(texts.kind), (delivery) => preparePause(deps, texts, delivery)),
  };
}

/** Says to the people of a channel what will come, and who set it up. */
async function prepareIntroduction({ db }: Deps, texts: SubscriptionTexts, delivery: Delivery): Promise<Preparation> {
  const { subject } = introductionSchema.parse(JSON.parse(delivery.payload));
  const subscription = await findChannelSubscription(db, { kind: texts.kind, channel: delivery.channel, subject });
  if (!subscription) return { kind: 'skip', reason: 'The alerts were turned off.' };
  const introduction = await texts.introduce(subscription);
  if (introduction.kind === 'wait') return introduction;
  const who = subscription.owner === null ? markup`your operator` : mention(subscription.owner);
  const what = markup`This channel now gets ${introduction.what}. Set up by ${who}.`;
  return { kind: 'send', message: messageOf(prose([what, introduction.when]), smallPrint(introduction.how)) };
}

async function preparePause({ db }: Deps, texts: SubscriptionTexts, delivery: Delivery): Promise<Preparation> {
  const { channel, subjects, reason } = pauseSchema.parse(JSON.parse(delivery.payload));
  const found = await Promise.all(
    subjects.map((subject) => findChannelSubscription(db, { kind: texts.kind, channel, subject })),
  );
  const paused = found.filter((one): one is ChannelSubscription => one?.state === 'paused');
  if (paused.length === 0) return { kind: 'skip', reason: 'The alerts were set up again, or turned off.' };
  const what = joinMarkup(paused.map((one) => texts.describe(one)));
  const lines = [
    markup`⏸️ ${channelMention(channel)} no longer gets ${what}: posting failed three times in a row, so Quartermaster paused it. ${reason}`,
    markup`Once that’s fixed, set it up again.`,
  ];
  const buttons = paused
    .slice(0, MAX_BUTTONS)
    .flatMap((one) => runCommandButtons('Set it up again', texts.command, texts.setUpAgain(one)));
  return { kind: 'send', message: messageOf(prose(lines), buttonRow(...buttons)) };
}
