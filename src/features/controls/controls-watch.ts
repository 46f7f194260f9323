import { joinMarkup, markup, type Markup } from '../../core/base/text/markup.ts';
import { commandText, didYouMean } from '../../core/slack/commands/command-text.ts';
import { helpMessage } from '../../core/slack/blocks/messages.ts';
import { channelWatch } from '../../core/watches/channel-watch.ts';
import { revisionNotice } from './notices/revision-messages.ts';
import { readRevisionChanges } from './notices/revision-changes.ts';
import type { Example, NewWatch } from '../../core/watches/watch-spec.ts';
import type { Database, DatabaseTransaction } from '../../core/store/tables.ts';
import { lockCursor, readCursor } from './core/cursor.ts';
import type { ControlsDeps } from './core/controls-deps.ts';
import { controlsNotice, noticeKey, type Notice } from './core/revision-payload.ts';
import { latestRevision, settingsOf, outlinesAfter } from './core/revisions.ts';
import { isBelow } from './diff/paths.ts';
import { CONTROLS_HELP } from './controls-command.ts';
import { controlsWatches, type WatchFilter, isRelevant, EVERYTHING } from './core/watches.ts';
import { type ChannelSubscription, isInUse } from '../../core/watches/channel-subscription-table.ts';
import { NOTHING_RECENT } from './core/bursts.ts';
import { channelOfSetting } from '../../core/slack/outbound/channels/apply-channel-setting.ts';

/** API document: "Members of `settings`". Other members may exist. */
const DOCUMENTED =
  'sessionDefaultSettings mcpAutonomyOverrides cloudSessionSync wikiCloudSync includeCoAuthoredByAgent enableAgentShield ideAutoConnect commandAllowlist commandDenylist customModels modelPolicy mcpPolicy missionPolicy userModelPolicies enabledPlugins extraKnownMarketplaces strictKnownMarketplaces networkPolicy sandbox restrictMemberVisibility restrictApiKeyCreationToManagers managedComputersEnabled byomComputersEnabled managedComputersAllowedEmails byomComputersAllowedEmails sessionRetentionDays'.split(
    ' ',
  );

/** Setting names are read by `watch` alone. */
interface WatchRequest extends Partial<WatchFilter> {
  channel: string | undefined;
}

const ASK_AGAIN_MS = 1_000;

/** `/controls watch` and `unwatch`: channels that get each new revision. */
export const controlsWatch = (deps: ControlsDeps) =>
  channelWatch(deps, {
    watches: controlsWatches,
    command: '/controls',
    role: 'admin',
    notice: controlsNotice.name,
    setting: 'CONTROLS_CHANNEL',
    check: async (request: WatchRequest) => {
      const checked = await checkNames(deps.db, request.names ?? []);
      if (checked.kind === 'unknown') return { refusal: unknownMember(request, checked) };
      return newWatch(deps.db, { names: checked.names, only: request.only });
    },
    missed: {
      lockPosition: async (trx) => (await lockCursor(trx))?.revision ?? null,
      announce: announceMissed,
    },
    says: {
      pause: {
        pause: markup`After *Resume*, one message lists the revisions from the time of the pause.`,
        resume: markup`One message lists the revisions from the time of the pause, if there were any.`,
      },
      alerts: 'Enterprise control alerts',
      next: 'when a revision changes them',
      example: () => exampleOf(deps),
      nothing: 'enterprise control changes',
      what: ({ options }) => watchedMarkup(options),
      offer: ({ options }) => markup`${watchedMarkup(options)}, and who made it`,
      start: markup`Earlier ones are in \`/controls history\`.`,
      introduce: async ({ since }) => {
        const cursor = await readCursor(deps.db);
        if (cursor.startedAt !== null) return sinceMarkup(since ?? cursor.revision);
        const until = new Date(deps.clock.now().getTime() + ASK_AGAIN_MS);
        return { kind: 'wait', until, reason: 'The enterprise control history couldn’t be read yet.' };
      },
      more: markup`\`/controls\` shows the latest revision, \`/controls history\` earlier ones.`,
      again: ({ channel: id, options: { names, only } }) => {
        const channel = `<#${id}>`;
        if (names.length === 0) return only ? commandText`watch ${channel} ${only}` : commandText`watch ${channel}`;
        return only
          ? commandText`watch ${channel} ${only} only ${names.join(',')}`
          : commandText`watch ${channel} only ${names.join(',')}`;
      },
    },
  });

/** The latest revision as a channel sees it: a watch of single settings gets only its part of a revision. */
async function exampleOf(deps: ControlsDeps): Promise<Example> {
  const latest = await latestRevision(deps.db);
  const changes = latest && (await readRevisionChanges(deps, latest.revision));
  if (!changes) return { none: 'There is no revision of the enterprise controls yet, so there is no example.' };
  const { message } = revisionNotice(changes, undefined, 'channel');
  return { message, content: 'It shows the latest revision.' };
}

/** As watches of earlier versions are stored, if they could have such a filter. */
type StoredFilter = string[] | { names: string[]; onlyWeaker: true } | { names: string[]; only: 'stronger' };

async function newWatch(db: Database, { names, only }: WatchFilter): Promise<NewWatch<StoredFilter>> {
  const { revision } = await readCursor(db);
  const detail = [...(only ? [only] : []), ...names].join(',') || null;
  return { subject: '', options: storedFilter({ names, only }), since: revision, detail };
}

function storedFilter({ names, only }: WatchFilter): StoredFilter {
  if (only === undefined) return names;
  return only === 'weaker' ? { names, onlyWeaker: true } : { names, only };
}

/** Checks names of members against the document and the latest settings, and corrects their case. */
async function checkNames(db: Database, names: readonly string[]) {
  const latest = await latestRevision(db);
  const settingNames = [...new Set([...DOCUMENTED, ...(latest ? Object.keys(settingsOf(latest)) : [])])];
  const correctedNames: string[] = [];
  for (const name of names) {
    const member = settingNames.find((one) => isBelow(name, one));
    if (member === undefined) {
      const lower = settingNames.map((one) => one.toLowerCase());
      return { kind: 'unknown' as const, name, meant: settingNames[lower.indexOf(didYouMean(name, lower) ?? '')] };
    }
    correctedNames.push(member + name.slice(member.length));
  }
  return { kind: 'known' as const, names: correctedNames };
}

function unknownMember(
  { channel, names = [] }: WatchRequest,
  { name, meant }: { name: string; meant: string | undefined },
) {
  const sentence = `There is no setting “${name}”.`;
  if (meant === undefined)
    return helpMessage(CONTROLS_HELP, { sentence: `${sentence} /controls show with a revision lists them all.` });
  const meantNames = names.map((one) => (one === name ? meant : one)).join(',');
  const corrected =
    channel === undefined
      ? commandText`watch only ${meantNames}`
      : commandText`watch ${/^[CG][A-Z0-9]+$/.test(channel) ? `<#${channel}>` : channel} only ${meantNames}`;
  return helpMessage(CONTROLS_HELP, { sentence, corrected });
}

/** @example watchedMarkup({ names: ['mcpPolicy'], onlyWeaker: false }) // changes to `mcpPolicy` */
function watchedMarkup({ names, only }: WatchFilter): Markup {
  const all = markup`the enterprise controls`;
  const listed = joinMarkup(names.map((name) => markup`\`${name}\``));
  const what = names.length === 0 ? all : listed;
  if (only) return markup`only changes that ${only === 'weaker' ? 'weaken' : 'strengthen'} ${what}`;
  return names.length === 0 ? markup`every change to ${what}` : markup`changes to ${what}`;
}

function sinceMarkup(revision: number | null): Markup {
  if (revision === null) return markup`There is no revision yet; the first one will be posted here.`;
  return markup`Current revision: *${revision}*. Each later one is posted here once.`;
}

/** Enqueues one notice about the revisions that were announced elsewhere while the watch was paused. */
async function announceMissed(trx: DatabaseTransaction, watch: ChannelSubscription, now: Date): Promise<void> {
  const cursor = await lockCursor(trx);
  const through = cursor?.revision;
  if (through == null) return;
  const { channel, since } = watch;
  const filter = controlsWatches.optionsOf(watch);
  const missed = (await outlinesAfter(trx, since)).filter((row) => row.revision <= through && isRelevant(row, filter));
  const [first, last] = [missed[0]?.revision, missed.at(-1)?.revision];
  if (first === undefined || last === undefined) return;
  const notice: Notice = first === last ? { kind: 'single', revision: first } : { kind: 'many', first, last };
  const key = noticeKey(channel, cursor?.epoch ?? 1, first);
  await controlsNotice.enqueue(trx, { key, to: channel, payload: notice }, now);
  await controlsWatches.storeRecent(trx, channel, NOTHING_RECENT);
}

/** Starts the watch of `CONTROLS_CHANNEL`, so that a new install works without a command. */
export function watchFromSettings(deps: ControlsDeps): () => Promise<void> {
  const setting = { setting: 'CONTROLS_CHANNEL', channel: deps.config.controlsChannel };
  const { start, stop } = controlsWatch(deps);
  return channelOfSetting(deps, setting, async (named) => {
    const watches = await controlsWatches.list(deps.db);
    const others = watches.filter(({ owner, channel }) => owner === null && channel !== named);
    for (const { channel } of others) await stop(channel, '', 'settings');
    // A watch that a person set up there keeps its filter, and one that a person paused stays paused.
    if (named !== undefined && !watches.some((watch) => watch.channel === named && isInUse(watch)))
      await start(named, null, await newWatch(deps.db, EVERYTHING));
  });
}
