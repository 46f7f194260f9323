import { DAY_MS } from '../../../core/base/time/durations.ts';
import { z } from 'zod';
import { markup, readerTime } from '../../../core/base/text/markup.ts';
import { hasRole } from '../../../core/base/roles.ts';
import { changeAction } from '../../../core/slack/interactions/click-actions.ts';
import { plainMessage, type Refusal } from '../../../core/slack/blocks/messages.ts';
import type { Click, ClickAction } from '../../../core/slack/interactions/interactions.ts';
import { audit } from '../../../core/store/audit.ts';
import type { AlertDeps } from '../alerts-deps.ts';
import { EXPECTED_ACTION, SNOOZE_DAY_ACTION, SNOOZE_WEEK_ACTION } from './unusual-day-messages.ts';
import { unusualDaysEdit, unusualDaysMessage } from './unusual-day-payload.ts';
import { markExpected, unusualDayWatches } from './unusual-day-store.ts';
import { unusualDayWatch } from './unusual-day-watch.ts';

export function watchActions(deps: AlertDeps): ClickAction[] {
  const snooze = (actionId: string, days: number): ClickAction =>
    changeAction(actionId, 'member', (click) => snoozeWatch(deps, days, click));
  return [
    unusualDayWatch(deps).action,
    unusualDayWatch(deps).testAction,
    ...unusualDayWatch(deps).pauseActions,
    changeAction(EXPECTED_ACTION, 'member', (click) => expectDays(deps, click)),
    snooze(SNOOZE_DAY_ACTION, 1),
    snooze(SNOOZE_WEEK_ACTION, 7),
  ];
}

type ClickedMessage =
  | { message: NonNullable<Awaited<ReturnType<typeof unusualDaysMessage.find>>>; refusal?: undefined }
  | { message?: undefined; refusal: Refusal };

/** Returns the clicked message, if it is where the click was: a key from elsewhere must not change it. */
async function messageOfClick({ db }: AlertDeps, click: Click): Promise<ClickedMessage> {
  const key = z.string().max(200).parse(click.value);
  const message = await unusualDaysMessage.find(db, key);
  if (message?.messageChannel !== click.channel || message.messageTs !== click.messageTs)
    return { refusal: 'This message no longer exists.' };
  const isOwn = message.channel === click.person.slackId;
  if (!isOwn && !hasRole(click.person.role, 'manager')) return { refusal: { what: 'This button', role: 'manager' } };
  return { message };
}

async function expectDays(deps: AlertDeps, click: Click): Promise<void> {
  const clicked = await messageOfClick(deps, click);
  if (!clicked.message) return click.reply.add(await click.refusal(clicked.refusal));
  const { key, channel } = clicked.message;
  const now = deps.clock.now();
  const by = click.person.slackId;
  const isFirst = await deps.db.transaction().execute(async (trx) => {
    if (!(await markExpected(trx, key))) return false;
    await audit(trx, { about: key, actor: by, action: 'said that it was to be expected' }, now);
    await unusualDaysEdit.enqueue(trx, { key: `${key}:expected`, to: channel, payload: { messageKey: key, by } }, now);
    return true;
  });
  const sentence = isFirst
    ? '✅ Noted. These days don’t count toward what’s usual here; the message says so.'
    : 'These days were already marked as expected.';
  await click.reply.add(plainMessage(sentence));
}

async function snoozeWatch(deps: AlertDeps, days: number, click: Click): Promise<void> {
  const clicked = await messageOfClick(deps, click);
  if (!clicked.message) return click.reply.add(await click.refusal(clicked.refusal));
  const { key, channel } = clicked.message;
  const now = deps.clock.now();
  const until = new Date(click.clickedAt.getTime() + days * DAY_MS);
  await deps.db.transaction().execute(async (trx) => {
    for (const { subject } of clicked.message.payload.entries) {
      await unusualDayWatches.storeRecent(trx, channel, { snoozedUntil: until.toISOString() }, subject);
    }
    const action = days === 1 ? 'snoozed it for a day' : `snoozed it for ${days} days`;
    await audit(trx, { about: key, actor: click.person.slackId, action }, now);
  });
  await click.reply.add(plainMessage(markup`✅ Nothing more of this until ${readerTime(until)}.`));
}
