import { notBeforeFirstDay, todayOf } from '../../../core/analytics/period.ts';
import { plusDays } from '../../../core/base/time/calendar.ts';
import { markup } from '../../../core/base/text/markup.ts';
import { header } from '../../../core/slack/blocks/blocks.ts';
import { plainMessage, type Refusal } from '../../../core/slack/blocks/messages.ts';
import { commandText, readReference } from '../../../core/slack/commands/command-text.ts';
import type { HomeSection, ReadCommand } from '../../../core/slack/interactions/interactions.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import { channelWatch } from '../../../core/watches/channel-watch.ts';
import type { WatchRequest } from '../../../core/watches/watch-spec.ts';
import type { AlertDeps } from '../alerts-deps.ts';
import { unusualDaysMessage } from './unusual-day-payload.ts';
import { exampleOfUnusualDay } from './unusual-day-messages.ts';
import { aboutOf, sinceOf, unusualDayWatches } from './unusual-day-store.ts';

/** `group` is a user group; undefined: the organization, or for `unwatch` everything. */
type GroupRequest = WatchRequest & { group?: string };

export function readWatchCommand(deps: AlertDeps, word: 'watch' | 'unwatch', rest: readonly string[]): ReadCommand {
  const request: GroupRequest = {};
  for (const one of rest) {
    const reference = readReference(one);
    const hasPlace = request.isForMe || request.channel !== undefined;
    if (one.toLowerCase() === 'me' && !hasPlace) request.isForMe = true;
    else if (reference?.kind === 'group' && request.group === undefined) request.group = reference.slackId;
    else if ((reference?.kind === 'channel' || one.startsWith('#')) && !hasPlace)
      request.channel = reference?.kind === 'channel' ? reference.slackId : one;
    else return { kind: 'misunderstood', sentence: `Unknown word “${one}”.`, corrected: word };
  }
  return { kind: 'run', run: (interaction) => unusualDayWatch(deps)[word](request, interaction) };
}

/** `/usage watch` and `unwatch`: channels and people that get a message when a day is unusual. */
export const unusualDayWatch = (deps: AlertDeps) =>
  channelWatch(deps, {
    watches: unusualDayWatches,
    command: '/usage',
    role: 'manager',
    notice: unusualDaysMessage.name,
    takesMe: true,
    check: async ({ group }: GroupRequest, { person, refusal }, place) => {
      const team = group === undefined ? undefined : (await deps.people.teams()).find(({ id }) => id === group);
      if (group !== undefined && !team)
        return { refusal: plainMessage('This team doesn’t exist in Slack, or it has no members.') };
      const { minGroup } = deps.config;
      const recipientSeesPeople = place === person.slackId && person.seesPeople;
      if (team && !recipientSeesPeople && team.emails.length < minGroup)
        return { refusal: await refusal(tooFewWords(team.handle, minGroup, person)) };
      const since = sinceOf(await lastPublished(deps));
      if (!team) return { subject: '', options: {}, since, detail: null };
      return { subject: team.id, options: { handle: team.handle }, since, detail: `@${team.handle}` };
    },
    subjectToEnd: ({ group }) => Promise.resolve({ subject: group }),
    says: {
      alerts: 'Alerts about unusual days',
      pause: {
        pause: markup`After *Resume*, one message reports unusual days of the pause, up to nine days back.`,
        resume: markup`If days of the pause were unusual, one message reports them within minutes, up to nine days back.`,
      },
      next: 'when a day is unusual',
      example: ({ subject, options }) =>
        Promise.resolve({ message: exampleOfUnusualDay(subject, aboutOf(options), todayOf(deps)) }),
      what: ({ options }) => markup`unusual days of ${aboutOf(options)}`,
      offer: ({ options }) => markup`a message when a day’s credits of ${aboutOf(options)} are unusual for its weekday`,
      start: markup`It comes within minutes of the day’s figures, at most once a day, and again when days are as usual.`,
      again: ({ channel, subject }) =>
        subject === ''
          ? commandText`watch ${`<#${channel}>`}`
          : commandText`watch ${`<#${channel}>`} ${`<!subteam^${subject}>`}`,
    },
  });

const HOME_ORDER = 27;

export const watchesHome = (deps: AlertDeps): HomeSection => ({
  order: HOME_ORDER,
  role: 'manager',
  read: async (person) => {
    const rows = await unusualDayWatch(deps).homeRows(person);
    return rows.length === 0 ? [] : [header('Unusual days'), ...rows];
  },
});

/** A channel must not see sums of small groups: they reveal the figures of each member. */
function tooFewWords(handle: string, minGroup: number, { seesPeople }: Pick<Person, 'seesPeople'>): Refusal {
  const few = `@${handle} has fewer than ${minGroup} people`;
  return seesPeople
    ? `${few}, so a channel would read figures of single people. Type /usage watch me with the group instead.`
    : { what: `${few}, and figures of single people`, role: 'admin', verb: 'are', or: 'choose a larger group' };
}

/** A watch reports only later days. */
async function lastPublished({ days, clock }: AlertDeps): Promise<string> {
  const today = todayOf({ clock });
  const recent = { first: notBeforeFirstDay(plusDays(today, -9)), last: plusDays(today, -1) };
  const part = await days.dailyCredits(recent, { maxAgeMs: 60_000 });
  return (part.kind === 'read' ? part.rows.at(-1)?.date : undefined) ?? plusDays(today, -2);
}
