import { didYouMean } from '../../slack/commands/command-words.ts';
import { commandText } from '../../slack/commands/command-text.ts';
import type { Interaction } from '../../slack/interactions.ts';
import { startChannelSubscription, stopChannelSubscription } from '../../watches/channel-subscriptions.ts';
import { helpMessage, plainMessage } from '../../slack/blocks/messages.ts';
import { hasRole } from '../../base/roles.ts';
import { buttonRow, messageOf, prose } from '../../slack/blocks/paragraphs.ts';
import { channelMention, markup } from '../../base/text/markup.ts';
import { unwatchButton } from '../core/controls-buttons.ts';
import { readCursor } from '../core/cursor.ts';
import type { ControlsDeps } from '../core/controls-deps.ts';
import { latestRevision, settingsOf } from '../core/revisions.ts';
import { isBelow } from '../diff/paths.ts';
import type { Database } from '../../store/tables.ts';
import { CONTROLS_HELP, type ControlsRequest } from '../controls-command.ts';
import { watchedMarkup } from './texts.ts';
import { findWatch, watchKey, type WatchFilter } from './watches.ts';

/** API document: "Members of `settings`". Other members may exist. */
const DOCUMENTED =
  'sessionDefaultSettings mcpAutonomyOverrides cloudSessionSync wikiCloudSync includeCoAuthoredByAgent enableAgentShield ideAutoConnect commandAllowlist commandDenylist customModels modelPolicy mcpPolicy missionPolicy userModelPolicies enabledPlugins extraKnownMarketplaces strictKnownMarketplaces networkPolicy sandbox restrictMemberVisibility restrictApiKeyCreationToManagers managedComputersEnabled byomComputersEnabled managedComputersAllowedEmails byomComputersAllowedEmails sessionRetentionDays'.split(
    ' ',
  );

type WatchRequest = Extract<ControlsRequest, { kind: 'watch' }>;

/** The bot joins the channel first: if it needs an invitation, the person is still there to give one. */
export async function handleWatch(deps: ControlsDeps, request: WatchRequest, interaction: Interaction): Promise<void> {
  const { person, reply } = interaction;
  if (!hasRole(person.role, 'admin'))
    return reply.show(await interaction.refusal({ what: '/controls watch', role: 'admin' }));
  const checked = await checkNames(deps.db, request.names);
  if (checked.kind === 'unknown') return reply.show(unknownMember(request, checked));
  const target = request.channel ?? interaction.channel;
  if (target === '') return reply.show(plainMessage('Which channel? Name one with #.'));
  const entry = await deps.channels.join(target, person.slackId);
  if (entry.kind === 'refused') return reply.show(plainMessage(`Nothing is set up yet. ${entry.sentence}`));
  const filter = { names: checked.names, onlyWeaker: request.onlyWeaker };
  const isNew = await startWatch(deps, { channel: entry.channel, filter, owner: person.slackId });
  await reply.show(startedMessage(entry.channel, filter, isNew));
  await interaction.refreshHome();
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

function unknownMember({ channel, names }: WatchRequest, { name, meant }: { name: string; meant: string | undefined }) {
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

/** Stores the watch and its introduction together. @returns `false` if the channel already had a watch */
export async function startWatch(
  deps: ControlsDeps,
  { channel, filter, owner }: { channel: string; filter: WatchFilter; owner: string | null },
): Promise<boolean> {
  const now = deps.clock.now();
  const { revision } = await readCursor(deps.db);
  const { names, onlyWeaker } = filter;
  const detail = [...(onlyWeaker ? ['weaker'] : []), ...names].join(',') || null;
  const storedFilter = onlyWeaker ? filter : names;
  const watch = { ...watchKey(channel), filter: storedFilter, owner, since: revision, detail };
  return deps.db.transaction().execute((trx) => startChannelSubscription(trx, watch, now));
}

function startedMessage(channel: string, filter: WatchFilter, isNew: boolean) {
  const what = watchedMarkup(filter);
  const sentence = isNew
    ? markup`✅ ${channelMention(channel)} now gets ${what}. Earlier ones are in \`/controls history\`.`
    : markup`✅ ${channelMention(channel)} now gets ${what} (it was subscribed before).`;
  return messageOf(prose(sentence), buttonRow(unwatchButton(channel)));
}

/** Ends a watch. The answer says if the settings bring it back at the next start. */
export async function handleUnwatch(
  deps: ControlsDeps,
  channel: string | undefined,
  interaction: Interaction,
): Promise<void> {
  const { person, reply } = interaction;
  if (!hasRole(person.role, 'admin'))
    return reply.show(await interaction.refusal({ what: '/controls unwatch', role: 'admin' }));
  const place = channel ?? interaction.channel;
  const target = place === '' ? undefined : await deps.channels.find(place);
  const watch = target === undefined ? undefined : await findWatch(deps.db, target);
  if (!watch || !(await stopWatch(deps, watch.channel, person.slackId))) {
    return reply.show(plainMessage('This channel gets no enterprise control changes.'));
  }
  const fromSettings =
    watch.owner === null
      ? markup` It comes from the server settings: remove CONTROLS_CHANNEL there too, or it’s back at the next start.`
      : markup``;
  const sentence = markup`Enterprise control alerts for ${channelMention(watch.channel)} are off.${fromSettings}`;
  await reply.show(plainMessage(sentence));
  await interaction.refreshHome();
}

/** @returns `false` if another person was faster */
export async function stopWatch({ db, clock }: ControlsDeps, channel: string, actor: string): Promise<boolean> {
  const now = clock.now();
  return db.transaction().execute((trx) => stopChannelSubscription(trx, watchKey(channel), actor, now));
}
