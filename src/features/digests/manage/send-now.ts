import type { Interaction } from '../../../core/slack/interactions/interactions.ts';
import type { Subscription } from '../../../core/schedule/subscription-table.ts';
import { markup, type Markup, readerTime } from '../../../core/base/text/markup.ts';
import { refused, type ChangeResult } from './change.ts';
import { findVisible, NO_FIGURES } from './show.ts';
import { readSettings } from '../core/contents.ts';
import { coveredNow } from '../core/coverage.ts';
import type { DigestDeps } from '../core/digests-deps.ts';
import { digestMessage, type NewDigestMessage } from '../core/digest-messages.ts';
import type { DigestPayload } from '../core/digest-payload.ts';
import { figuresOfPeriod } from '../core/period-words.ts';
import { isWaitForDays } from '../core/wait.ts';
import type { DatabaseTransaction } from '../../../core/store/tables.ts';
import { placeMarkup } from '../core/describe.ts';

/**
 * Any manager who sees a digest may send it, because this changes nothing. Only one is sent within a minute, so that a
 * double click sends one digest.
 * @param askedAt the time of the request, so that a click that resumes after a crash is the same digest
 */
export async function sendNow(
  deps: DigestDeps,
  id: string,
  { person }: Pick<Interaction, 'person'>,
  askedAt: Date = deps.clock.now(),
): Promise<ChangeResult> {
  const lookup = await findVisible(deps, id, person);
  if ('refused' in lookup) return lookup.refused;
  const { subscription } = lookup;
  const now = deps.clock.now();
  const message = messageOf(subscription, askedAt, now);
  if (!message) return NO_FIGURES;
  const before = await deps.db.transaction().execute(async (trx) => {
    const earlier = await findRecent(trx, subscription.id, askedAt);
    if (earlier !== undefined) return earlier;
    return (await digestMessage.enqueue(trx, message, now)) ? undefined : message.key;
  });
  if (before !== undefined) return refused(await sentenceOfRepeat(deps, before, subscription));
  const place = placeMarkup(subscription.channel);
  return {
    kind: 'done',
    sentence: markup`The digest \`${id}\` is on its way to ${place}. Its schedule stays as it is.`,
  };
}

const ONCE_IN_MS = 60_000;

async function findRecent(trx: DatabaseTransaction, id: string, askedAt: Date): Promise<string | undefined> {
  const earlier = await trx
    .selectFrom('deliveries')
    .select('key')
    .where((where) => where.and({ kind: digestMessage.name, about: id }))
    .where('slot', 'is', null)
    .where('key', 'like', '%:now:%')
    .where('createdAt', '>', new Date(askedAt.getTime() - ONCE_IN_MS).toISOString())
    .orderBy('createdAt', 'desc')
    .executeTakeFirst();
  return earlier?.key;
}

async function sentenceOfRepeat({ db }: DigestDeps, key: string, { id, channel }: Subscription): Promise<Markup> {
  const earlier = await digestMessage.find(db, key);
  const place = placeMarkup(channel);
  const what = markup`The digest \`${id}\` that you requested within the last minute`;
  if (!earlier) return markup`⏳ ${what} is already on its way to ${place}.`;
  switch (earlier.state) {
    case 'sent':
      return markup`✅ ${what} was sent to ${place} ${readerTime(new Date(earlier.sentAt ?? earlier.dueAt))}. To send another, wait a minute.`;
    case 'failed':
      return markup`❌ ${what} could not be sent. ${earlier.reason ?? ''}`;
    case 'skipped':
      return markup`${what} was skipped. ${earlier.reason ?? ''}`;
    case 'waiting':
    case 'claimed':
    case 'posting':
    case 'unknown':
      return isWaitForDays(earlier.reason)
        ? markup`⏳ ${what} is waiting for ${figuresOfPeriod(earlier.payload.period)}. \`/digest why\` says until when.`
        : markup`⏳ ${what} is already on its way to ${place}.`;
    default:
      return earlier.state satisfies never;
  }
}

function messageOf(subscription: Subscription, askedAt: Date, now: Date): NewDigestMessage | undefined {
  const { cadence } = readSettings(subscription);
  const period = coveredNow(cadence, now);
  if (!period) return undefined;
  const payload: DigestPayload = {
    subscriptionId: subscription.id,
    cadence,
    period,
    plannedFor: now.toISOString(),
    isAsked: true,
  };
  const minute = askedAt.toISOString().slice(0, 16);
  const { id: about, channel: to } = subscription;
  return { key: `digest:${about}:now:${minute}`, to, payload, about };
}
