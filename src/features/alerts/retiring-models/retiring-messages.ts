import { z } from 'zod';
import { todayOf } from '../../../core/analytics/period.ts';
import { formatDate, type Day } from '../../../core/base/time/calendar.ts';
import { markup, own, type Markup } from '../../../core/base/text/markup.ts';
import { declareSubscriptionMessage, type MessageHandler } from '../../../core/outbox/message-kind.ts';
import { namesNobody } from '../../../core/outbox/poster.ts';
import { runCommandButton } from '../../../core/slack/blocks/messages.ts';
import { buttonRow, messageOf, prose, smallPrint } from '../../../core/slack/blocks/paragraphs.ts';
import { commandText } from '../../../core/slack/commands/command-text.ts';
import type { AlertDeps } from '../alerts-deps.ts';
import { morningFor } from '../heads-ups/heads-up-message.ts';
import { findRetiring, listStops, stopFor, type RetiringModel } from './retiring-store.ts';
import { daysLeft, whenWords } from './steps.ts';

/** To a person who still uses the model. */
export const modelRetires = declareSubscriptionMessage(
  {
    name: 'model-retires',
    payload: z.object({ model: z.string(), retiresOn: z.iso.date(), lastUsedOn: z.iso.date() }),
  },
  'member',
);

const GONE = 'The model no longer retires on that day.';

export const retiringMessages = (deps: AlertDeps): MessageHandler[] => [
  modelRetires.handledBy({
    write: async ({ payload: { model, retiresOn, lastUsedOn }, channel }, reader) => {
      const row = await findRetiring(deps.db, model);
      if (row?.retiresOn !== retiresOn) return { kind: 'skip', reason: GONE };
      if ((await listStops(deps.db)).has(channel))
        return { kind: 'skip', reason: 'The person stopped these messages.' };
      if (reader.kind !== 'person') return { kind: 'skip', reason: 'It is for one person, not for a channel.' };
      const until = morningFor(reader.timeZone, deps.clock.now());
      if (until) return { kind: 'wait', until, reason: 'It waits for the morning of the person.' };
      return { kind: 'send', message: namesNobody(personMessage(row, lastUsedOn, todayOf(deps))) };
    },
    report: (_trx, { channel }) =>
      Promise.resolve([{ owner: channel, what: 'The message about a model that retires' }]),
    stop: async (trx, { channel }, _why, now) =>
      (await stopFor(trx, channel, now)) ? { owner: channel, what: 'Messages about models that retire' } : undefined,
  }),
];

/** @example retiresWords(row, '2026-03-02') // '`atlas-large` retires in 7 days, on 9 Mar. Its successor is `atlas-x`.' */
export function retiresWords({ name, retiresOn, successor }: RetiringModel, today: Day): Markup {
  const left = daysLeft(retiresOn, today);
  const verb = left < 0 ? 'is retired' : 'retires';
  const date = left === 0 ? '' : `, on ${formatDate(retiresOn, today)}`;
  const next = successor === null ? markup`` : markup` Its successor is \`${successor}\`.`;
  return markup`\`${name}\` ${verb} ${own(whenWords(left))}${date}.${next}`;
}

const personMessage = (row: RetiringModel, lastUsedOn: Day, today: Day) =>
  messageOf(
    prose([
      markup`⏳ *${retiresWords(row, today)}*`,
      markup`It was your main model on ${formatDate(lastUsedOn, today)}, your last day with figures. Choose another one in your client.`,
    ]),
    buttonRow(runCommandButton('My models', '/usage', commandText`models 28d me`)),
    smallPrint(markup`Only you see this. Once another model is your main one, you get no more of these.`),
  );
