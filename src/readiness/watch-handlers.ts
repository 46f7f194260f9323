import type { Interaction } from '../slack/interactions.ts';
import { plainMessage } from '../slack/blocks/messages.ts';
import { hasRole } from '../roles.ts';
import { matchRepository } from './overview.ts';
import type { ReadinessParts } from './parts.ts';
import type { Reading, Readings } from './reading.ts';
import { readRepository } from './repository.ts';
import type { ReadinessRequest } from './request.ts';
import { addWatch, removeWatches } from './watch-store.ts';

type WatchRequest = Extract<ReadinessRequest, { kind: 'watch' | 'unwatch' }>;
type HandlerParts = ReadinessParts & { readings: Readings };

const FOR_MANAGERS = 'Watches are for managers and admins of Quartermaster. Ask one of them.';

/** `/readiness watch` and `unwatch`; without a channel it is the one in which it is typed. */
export async function changeWatch(parts: HandlerParts, request: WatchRequest, interaction: Interaction): Promise<void> {
  const { person, reply } = interaction;
  if (!hasRole(person.role, 'manager')) return reply.show(plainMessage(FOR_MANAGERS));
  const channel = request.channel ?? interaction.channel;
  const reading = await parts.readings.all();
  const wanted = repositoryOf(reading, request.word);
  if (wanted.kind === 'refused') return reply.show(plainMessage(wanted.sentence));
  const { key, label } = wanted;
  if (request.kind === 'unwatch') {
    const ended = await removeWatches(parts.db, channel, request.word === undefined ? undefined : key);
    return reply.show(
      plainMessage(
        ended > 0
          ? `This channel no longer gets updates about ${label}.`
          : `Nothing is watched here: there was no watch of ${label}.`,
      ),
    );
  }
  const entry = await parts.channels.enter(channel, person.slackId);
  if (entry.kind === 'refused') return reply.show(plainMessage(entry.sentence));
  const watch = {
    channel: entry.channel,
    repository: key,
    created_by: person.slackId,
    created_at: parts.clock.now().toISOString(),
  };
  const isNew = await addWatch(parts.db, watch, reading.repositories);
  const sentence = isNew
    ? `From now on the channel hears when the score of ${label} falls, or rises past a step of 10%.`
    : `The channel already gets updates about ${label}.`;
  return reply.show(plainMessage(sentence));
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
    case 'several':
      return {
        kind: 'refused',
        sentence: `“${word}” is in the names of ${match.repositories
          .slice(0, 10)
          .map(({ label }) => label)
          .join(', ')}. Which one?`,
      };
    case 'none':
      return { kind: 'refused', sentence: `There is no readiness report of “${word}”.` };
    default:
      return match satisfies never;
  }
}
