import { markup, readerTime, type Markup } from '../../base/text/markup.ts';
import type { Reply } from '../../slack/inbound/reply.ts';
import type { Interaction } from '../../slack/interactions.ts';
import type { Subscription } from '../../schedule/subscription-table.ts';
import { plainMessage } from '../../slack/blocks/messages.ts';
import { noteDigestLook, readContents, readSettings } from '../core/contents.ts';
import { coveredNow } from '../core/coverage.ts';
import type { DigestDeps } from '../core/deps.ts';
import { placeMarkup } from '../core/describe.ts';
import { buildDigest } from '../message/message.ts';
import type { ChangeResult } from './change.ts';
import { findShown, NO_FIGURES } from './shown.ts';

/**
 * Shows a digest as it would be now to the person who asks, and to nobody else: with the names that its channel would read, and no
 * others. Nothing is planned, sent or remembered.
 *
 * @returns why not; nothing when it was shown
 */
export async function showPreview(
  deps: DigestDeps,
  id: string,
  { person, reply }: Pick<Interaction, 'person'> & { reply: Pick<Reply, 'show' | 'progress'> },
): Promise<ChangeResult | undefined> {
  const found = await findShown(deps, id, person);
  if ('refused' in found) return found.refused;
  const { subscription } = found;
  const now = deps.clock.now();
  const { cadence } = readSettings(subscription);
  const period = coveredNow(cadence, now);
  if (!period) return NO_FIGURES;
  reply.progress('Reading the figures …');
  const contents = await readContents(deps, subscription, { cadence, period });
  if (contents.kind === 'nobody') {
    await reply.show(plainMessage(contents.sentence));
    return undefined;
  }
  await noteDigestLook(deps, person.slackId, contents);
  const isQuiet = contents.sections.every(({ reading }) => 'isQuiet' in reading && reading.isQuiet);
  const { message } = buildDigest({
    cadence,
    period,
    sections: contents.sections,
    audience: contents.audience,
    dueAt: now,
    sentAt: now,
    waitedFor: undefined,
    corrections: [],
    quietValue: undefined,
    preview: previewNote(subscription, isQuiet),
  });
  await reply.show(message);
  return undefined;
}

function previewNote({ id, state, channel, next_due_at: next }: Subscription, isQuiet: boolean): Markup {
  const when = state === 'paused' ? markup`paused` : markup`next ${readerTime(new Date(next))}`;
  const quiet = isQuiet ? markup` With so little to say, only its headline would be posted.` : markup``;
  return markup`*Preview, only you see it.* Digest \`${id}\` to ${placeMarkup(channel)}, ${when}.${quiet}`;
}
