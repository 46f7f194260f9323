import { commandText } from '../../slack/commands/command-text.ts';
import type { Interaction } from '../../slack/interactions.ts';
import { enqueue } from '../../outbox/deliveries.ts';
import { helpMessage, plainMessage, roleSentence } from '../../slack/blocks/messages.ts';
import { hasRole } from '../../roles.ts';
import { audit } from '../../store/audit.ts';
import { actions, message, section } from '../../slack/blocks/blocks.ts';
import { channelMention, joinMarkup, markup, type Markup } from '../../markup.ts';
import { unwatchButton } from '../core/buttons.ts';
import { readCursor } from '../core/cursor.ts';
import { checkNames } from './known-members.ts';
import type { ControlsParts } from '../core/parts.ts';
import { CONTROLS_HELP } from '../commands.ts';
import { tablesInTransaction } from '../core/tables.ts';
import { findWatch, putWatch, removeWatch } from './watches.ts';

/** The delivery of the first message in a channel. */
const INTRODUCTION = 'controls-introduction';

export interface WatchRequest {
  channel: string | undefined;
  names: readonly string[];
}

/**
 * Has a channel hear of revisions from now on. The bot enters it first: asked for an invitation now, the person is still
 * there; at the first notice nobody is.
 */
export async function startWatch(parts: ControlsParts, request: WatchRequest, interaction: Interaction): Promise<void> {
  const { person, reply } = interaction;
  if (!hasRole(person.role, 'admin')) return reply.show(plainMessage(roleSentence('`/controls watch`', 'admin')));
  const checked = await checkNames(parts.db, request.names);
  if (checked.kind === 'unknown') return reply.show(unknownMember(request, checked));
  const target = request.channel ?? interaction.channel;
  if (target === '') return reply.show(plainMessage('Which channel? Name one with #.'));
  const entry = await parts.channels.enter(target, person.slackId);
  if (entry.kind === 'refused') return reply.show(plainMessage(`Nothing is set up yet. ${entry.sentence}`));
  const isNew = await beginWatch(parts, { channel: entry.channel, names: checked.names, owner: person.slackId });
  await reply.show(startedMessage(entry.channel, checked.names, isNew));
  await interaction.refreshHome();
}

function unknownMember({ channel, names }: WatchRequest, { name, meant }: { name: string; meant: string | undefined }) {
  const sentence = `The settings have no member “${name}”.`;
  if (meant === undefined)
    return helpMessage(CONTROLS_HELP, { sentence: `${sentence} \`/controls show\` with a revision lists them.` });
  const meantNames = names.map((one) => (one === name ? meant : one)).join(',');
  const corrected =
    channel === undefined
      ? commandText`watch only ${meantNames}`
      : commandText`watch ${/^[CG][A-Z0-9]+$/.test(channel) ? `<#${channel}>` : channel} only ${meantNames}`;
  return helpMessage(CONTROLS_HELP, { sentence, corrected });
}

/** The watch and its introduction, or neither. @returns `false` when the channel was watching already */
export async function beginWatch(
  parts: ControlsParts,
  watch: { channel: string; names: readonly string[]; owner: string | null },
): Promise<boolean> {
  const now = parts.clock.now();
  const { revision } = await readCursor(parts.db);
  const isNew = await parts.db.transaction().execute(async (trx) => {
    const isNew = await putWatch(tablesInTransaction(trx), watch, revision, now);
    const { channel, names, owner } = watch;
    const action = {
      about: `controls-watch:${channel}`,
      actor: owner ?? 'settings',
      action: 'watched',
      detail: names.join(',') || null,
    };
    await audit(trx, action, now);
    if (!isNew) return false;
    const key = `controls-introduction:${channel}:${now.toISOString()}`;
    await enqueue(trx, { key, kind: INTRODUCTION, channel, payload: {}, dueAt: now }, now);
    return true;
  });
  if (isNew) parts.wakeOutbox();
  return isNew;
}

function startedMessage(channel: string, names: readonly string[], isNew: boolean) {
  const what = watchedMarkup(names);
  const sentence = isNew
    ? markup`${channelMention(channel)} gets ${what} from now on. What happened before is in \`/controls history\`.`
    : markup`${channelMention(channel)} got revisions already; from now on it gets ${what}.`;
  return message(sentence, [section(sentence), actions(unwatchButton(channel))]);
}

/** @example watchedMarkup(['mcpPolicy']) // changes of `mcpPolicy` */
export function watchedMarkup(names: readonly string[]): Markup {
  if (names.length === 0) return markup`every change of the enterprise controls`;
  return markup`changes of ${joinMarkup(
    names.map((name) => markup`\`${name}\``),
    ', ',
  )}`;
}

/** Ends a watch. That of the settings comes back at the next start, and says so. */
export async function stopWatch(
  parts: ControlsParts,
  channel: string | undefined,
  interaction: Interaction,
): Promise<void> {
  const { person, reply } = interaction;
  if (!hasRole(person.role, 'admin')) return reply.show(plainMessage(roleSentence('`/controls unwatch`', 'admin')));
  const place = channel ?? interaction.channel;
  const target = place === '' ? undefined : await parts.channels.find(place);
  const watch = target === undefined ? undefined : await findWatch(parts.db, target);
  if (!watch || !(await endWatch(parts, watch.channel, person.slackId))) {
    return reply.show(plainMessage('This channel is not told of changes of the enterprise controls.'));
  }
  const fromSettings =
    watch.owner === null
      ? markup` It comes from CONTROLS_CHANNEL: take that out of the settings too, or it is back at the next start.`
      : markup``;
  const sentence = markup`${channelMention(watch.channel)} no longer gets changes of the enterprise controls.${fromSettings}`;
  await reply.show(message(sentence, [section(sentence)]));
  await interaction.refreshHome();
}

/** @returns `false` when somebody was faster */
async function endWatch({ db, clock }: ControlsParts, channel: string, actor: string): Promise<boolean> {
  const now = clock.now();
  return db.transaction().execute(async (trx) => {
    if (!(await removeWatch(tablesInTransaction(trx), channel, now))) return false;
    await audit(trx, { about: `controls-watch:${channel}`, actor, action: 'unwatched', detail: null }, now);
    return true;
  });
}
