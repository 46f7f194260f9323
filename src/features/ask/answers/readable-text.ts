import type { Channels } from '../../../core/slack/outbound/channels/channels.ts';
import { UNNAMED_GROUP } from '../../../core/slack/people/directory.ts';
import type { People } from '../../../core/slack/people/people.ts';

export interface ReadableNames {
  people: Pick<People, 'describe' | 'groupHandle'>;
  channels: Pick<Channels, 'publicName'>;
}

const MENTION = /<(@[UW]|!subteam\^|#[CGD])([A-Z0-9]+)>/g;

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

/**
 * Writes Slack’s mrkdwn for readers outside of Slack: names instead of mentions, and times in UTC.
 *
 * @example await readableText('<@U0MIA> used 4 M', { people, channels }) // '@Mia Chen used 4 M'
 */
export async function readableText(mrkdwn: string, deps: ReadableNames): Promise<string> {
  const names = new Map<string, string>();
  for (const [mention, kind = '', id = ''] of mrkdwn.matchAll(MENTION))
    if (!names.has(mention)) names.set(mention, await nameOf(kind, id, deps));
  return mrkdwn
    .replace(MENTION, (mention) => names.get(mention) ?? mention)
    .replace(/<!date\^\d+\^[^<|>]*\|([^<>]*)>/g, '$1')
    .replace(/<(https?:[^<|>]+)(?:\|([^<>]*))?>/g, (_, address: string, label?: string) =>
      label === undefined ? address : `${label} (${address})`,
    )
    .replace(/&(?:lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}

/** An id says nothing to a reader, and the name of a private channel is for its members. */
async function nameOf(kind: string, id: string, { people, channels }: ReadableNames): Promise<string> {
  if (kind === '!subteam^') return handleWords(await people.groupHandle(id));
  const letter = kind.slice(1);
  if (kind.startsWith('@')) return personWords(await people.describe(letter + id));
  if (letter === 'D') return 'a direct message';
  const name = await channels.publicName(letter + id);
  return name === undefined ? 'a private channel' : `#${name}`;
}

const handleWords = (handle: string | undefined) => (handle === undefined ? UNNAMED_GROUP : `@${handle}`);

const personWords = (person: { name: string } | undefined) => (person ? `@${person.name}` : 'an unknown person');
