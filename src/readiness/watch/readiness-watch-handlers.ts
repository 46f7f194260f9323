import type { z } from 'zod';
import { channelMention, markup } from '../../base/text/markup.ts';
import type { Interaction } from '../../slack/interactions.ts';
import { plainMessage } from '../../slack/blocks/messages.ts';
import { hasRole } from '../../base/roles.ts';
import { stopChannelSubscriptions } from '../../watches/channel-subscriptions.ts';
import { matchRepository } from '../reports/overview.ts';
import type { ReadinessDeps } from '../readiness-deps.ts';
import type { Reading, Readings } from '../reports/reading.ts';
import { readRepository } from '../reports/repository.ts';
import type { ReadinessRequest } from '../readiness-command.ts';
import { READINESS_KIND, startWatch } from './readiness-watch-store.ts';
import { describeWatch, type unwatchValue } from './texts.ts';

type WatchRequest = Extract<ReadinessRequest, { kind: 'watch' | 'unwatch' }>;
type HandlerDeps = ReadinessDeps & { readings: Readings };

/** `/readiness watch` and `unwatch`; the default is the current channel. */
export async function changeWatch(deps: HandlerDeps, request: WatchRequest, interaction: Interaction): Promise<void> {
  const { person, reply } = interaction;
  if (!hasRole(person.role, 'manager'))
    return reply.show(await interaction.refusal({ what: 'Readiness alerts', role: 'manager', verb: 'are' }));
  const channel = request.channel ?? interaction.channel;
  const reading = await deps.readings.all();
  const target = repositoryOf(reading, request.word);
  if (target.kind === 'refused') return reply.show(plainMessage(target.sentence));
  const { key, label } = target;
  if (request.kind === 'unwatch') {
    const subject = request.word === undefined ? undefined : key;
    const ended = { kind: READINESS_KIND, channel, subject };
    const stopped = await stopChannelSubscriptions(deps.db, ended, person.slackId, deps.clock.now());
    const place = channel === '' ? markup`this channel` : channelMention(channel);
    const sentence =
      stopped.length > 0
        ? markup`Readiness alerts for ${place} are off (${label}).`
        : markup`Readiness alerts for ${place} were not on (${label}).`;
    await reply.show(plainMessage(sentence));
    return interaction.refreshHome();
  }
  if (channel === '') return reply.show(plainMessage('Which channel? Name one with #.'));
  const entry = await deps.channels.join(channel, person.slackId);
  if (entry.kind === 'refused') return reply.show(plainMessage(entry.sentence));
  const watch = { channel: entry.channel, repository: key, label, owner: person.slackId };
  const isNew = await startWatch(deps.db, watch, reading.repositories, deps.clock.now());
  const sentence = isNew
    ? markup`✅ ${channelMention(entry.channel)} will get a message when the score of ${label} falls, or rises past the next 10% mark.`
    : markup`${channelMention(entry.channel)} already gets readiness alerts for ${label}.`;
  await reply.show(plainMessage(sentence));
  return interaction.refreshHome();
}

/** The button in App Home. It does not read the platform, where the repository may no longer exist. */
export async function stopWatchByButton(
  { db, clock }: HandlerDeps,
  { channel, repository }: z.infer<typeof unwatchValue>,
  interaction: Interaction,
): Promise<void> {
  const { person, reply } = interaction;
  const ended = { kind: READINESS_KIND, channel, subject: repository };
  const [stopped] = await stopChannelSubscriptions(db, ended, person.slackId, clock.now());
  const place = channelMention(channel);
  const sentence = stopped
    ? markup`${place} no longer gets ${describeWatch(stopped)}.`
    : markup`These alerts for ${place} are already off.`;
  await reply.show(plainMessage(sentence));
  await interaction.refreshHome();
}

function repositoryOf(
  { repositories }: Reading,
  word: string | undefined,
): { kind: 'found'; key: string; label: string } | { kind: 'refused'; sentence: string } {
  if (word === undefined) return { kind: 'found', key: '', label: 'any repository' };
  const match = matchRepository(repositories, word, readRepository(word).key);
  switch (match.kind) {
    case 'one':
      return { kind: 'found', key: match.reports.repository.key, label: match.reports.repository.label };
    case 'several': {
      const labels = match.repositories.slice(0, 10).map(({ label }) => label);
      return { kind: 'refused', sentence: `“${word}” is in the names of ${labels.join(', ')}. Which one?` };
    }
    case 'none':
      return { kind: 'refused', sentence: `There is no readiness report for “${word}”.` };
    default:
      return match satisfies never;
  }
}
