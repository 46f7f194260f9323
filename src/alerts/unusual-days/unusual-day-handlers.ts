import { DAY_MS } from '../../base/time/durations.ts';
import { z } from 'zod';
import { notBeforeFirstDay } from '../../analytics/existing-period.ts';
import { plusDays } from '../../base/time/calendar.ts';
import { channelMention, markup, readerTime, type Markup } from '../../base/text/markup.ts';
import { hasRole } from '../../base/roles.ts';
import {
  storeRecent,
  startChannelSubscription,
  stopChannelSubscriptions,
} from '../../watches/channel-subscriptions.ts';
import { plainMessage, type Refusal } from '../../slack/blocks/messages.ts';
import { readReference } from '../../slack/commands/command-words.ts';
import type { Click, ClickAction, Interaction, ReadCommand } from '../../slack/interactions.ts';
import type { ChannelEntry } from '../../slack/outbound/channels/channels.ts';
import type { Person } from '../../slack/people/people.ts';
import { audit } from '../../store/audit.ts';
import { todayOf } from '../../figures/period.ts';
import type { AlertDeps } from '../alerts-deps.ts';
import { EXPECTED_ACTION, SNOOZE_DAY_ACTION, SNOOZE_WEEK_ACTION } from './unusual-day-messages.ts';
import { unusualDaysEdit, unusualDaysMessage } from './unusual-day-payload.ts';
import { aboutOf, markExpected, sinceOf, watchKey, WATCH_KIND } from './unusual-day-store.ts';

interface WatchRequest {
  /** `me` or a channel; undefined: the channel in which the command is typed. */
  place: 'me' | { channel: string } | undefined;
  group: string | undefined;
}

export function readWatchCommand(deps: AlertDeps, word: 'watch' | 'unwatch', rest: readonly string[]): ReadCommand {
  const request: WatchRequest = { place: undefined, group: undefined };
  for (const one of rest) {
    const reference = readReference(one);
    if (one.toLowerCase() === 'me' && request.place === undefined) request.place = 'me';
    else if (reference?.kind === 'group' && request.group === undefined) request.group = reference.slackId;
    else if ((reference?.kind === 'channel' || one.startsWith('#')) && request.place === undefined)
      request.place = { channel: reference?.kind === 'channel' ? reference.slackId : one };
    else return { kind: 'misunderstood', sentence: `Unknown word “${one}”.`, corrected: word };
  }
  const run = word === 'watch' ? handleWatch : handleUnwatch;
  return { kind: 'run', run: (interaction) => run(deps, request, interaction) };
}

const placeWords = (channel: string): Markup => (/^[UW]/.test(channel) ? markup`You` : channelMention(channel));

/** A channel must not see sums of small groups: they reveal the figures of each member. */
function tooFewWords(handle: string, minGroup: number, { seesPeople }: Pick<Person, 'seesPeople'>): Refusal {
  const few = `@${handle} has fewer than ${minGroup} people`;
  return seesPeople
    ? `${few}, so a channel would read figures of single people. Type /usage watch me with the group instead.`
    : { what: `${few}, and figures of single people`, role: 'admin', verb: 'are', or: 'choose a larger group' };
}

async function handleWatch(deps: AlertDeps, { place, group }: WatchRequest, interaction: Interaction): Promise<void> {
  const { person, reply } = interaction;
  if (!hasRole(person.role, 'manager'))
    return reply.show(await interaction.refusal({ what: '/usage watch', role: 'manager' }));
  const target = place === 'me' ? person.slackId : (place?.channel ?? interaction.channel);
  if (target === '') return reply.show(plainMessage('Where to? Name a channel with #, or type me.'));
  const team = group === undefined ? undefined : (await deps.people.teams()).find(({ id }) => id === group);
  if (group !== undefined && !team)
    return reply.show(plainMessage('This team doesn’t exist in Slack, or it has no members.'));
  const { minGroup } = deps.config;
  const recipientSeesPeople = target === person.slackId && person.seesPeople;
  if (team && !recipientSeesPeople && team.emails.length < minGroup)
    return reply.show(await interaction.refusal(tooFewWords(team.handle, minGroup, person)));
  const entry: ChannelEntry =
    place === 'me' ? { kind: 'joined', channel: person.slackId } : await deps.channels.join(target, person.slackId);
  if (entry.kind === 'refused') return reply.show(plainMessage(`Nothing is set up yet. ${entry.sentence}`));
  const now = deps.clock.now();
  const since = sinceOf(await lastPublished(deps));
  const watch = {
    ...watchKey(entry.channel, team?.id ?? ''),
    filter: team ? { handle: team.handle } : {},
    owner: person.slackId,
    since,
    detail: team ? `@${team.handle}` : null,
  };
  const isNew = await deps.db.transaction().execute((trx) => startChannelSubscription(trx, watch, now));
  const about = team ? `@${team.handle}` : 'the organization';
  const what = markup`a message when a day’s credits of ${about} are unusual for its weekday`;
  const verb = place === 'me' ? markup`You now get` : markup`${placeWords(entry.channel)} now gets`;
  await reply.show(
    plainMessage(
      isNew
        ? markup`✅ ${verb} ${what}: within minutes of the day’s figures, at most once a day, and again when days are as usual.`
        : markup`✅ ${verb} ${what} (it was set up before).`,
    ),
  );
  await interaction.refreshHome();
}

/** A watch reports only later days. */
async function lastPublished({ days, clock }: AlertDeps): Promise<string> {
  const today = todayOf({ clock });
  const recent = { first: notBeforeFirstDay(plusDays(today, -9)), last: plusDays(today, -1) };
  const part = await days.dailyCredits(recent, { maxAgeMs: 60_000 });
  return (part.kind === 'read' ? part.rows.at(-1)?.date : undefined) ?? plusDays(today, -2);
}

async function handleUnwatch(deps: AlertDeps, { place, group }: WatchRequest, interaction: Interaction): Promise<void> {
  const { person, reply } = interaction;
  if (!hasRole(person.role, 'manager'))
    return reply.show(await interaction.refusal({ what: '/usage unwatch', role: 'manager' }));
  const named = place === 'me' ? person.slackId : (place?.channel ?? interaction.channel);
  const target = place === 'me' ? named : await deps.channels.find(named);
  const ended = { kind: WATCH_KIND, channel: target ?? '', subject: group };
  const stopped = await stopChannelSubscriptions(deps.db, ended, person.slackId, deps.clock.now());
  const sentence =
    stopped.length === 0
      ? 'Alerts for unusual days are already off here.'
      : `✅ Messages about unusual days of ${stopped.map((watch) => aboutOf(watch)).join(', ')} are off here.`;
  await reply.show(plainMessage(sentence));
  await interaction.refreshHome();
}

export function watchActions(deps: AlertDeps): ClickAction[] {
  const snooze = (actionId: string, days: number): ClickAction => ({
    actionId,
    role: 'member',
    isKept: true,
    run: (click) => snoozeWatch(deps, days, click),
  });
  return [
    { actionId: EXPECTED_ACTION, role: 'member', isKept: true, run: (click) => expectDays(deps, click) },
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
    await audit(trx, { about: key, actor: by, action: 'said that it was to be expected', detail: null }, now);
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
      await storeRecent(trx, watchKey(channel, subject), { snoozedUntil: until.toISOString() });
    }
    const action = days === 1 ? 'snoozed it for a day' : `snoozed it for ${days} days`;
    await audit(trx, { about: key, actor: click.person.slackId, action, detail: null }, now);
  });
  await click.reply.add(plainMessage(markup`✅ Nothing more of this until ${readerTime(until)}.`));
}
