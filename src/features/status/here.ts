import { hasRole } from '../../core/base/roles.ts';
import { channelMention, markup, withRest } from '../../core/base/text/markup.ts';
import { countOf } from '../../core/base/text/numbers.ts';
import type { BlockMessage } from '../../core/slack/blocks/blocks.ts';
import { buttonRow, messageOf, prose } from '../../core/slack/blocks/paragraphs.ts';
import type { Interaction, Interactions, RecurringPost } from '../../core/slack/interactions/interactions.ts';
import type { Person } from '../../core/slack/people/people.ts';

/** Each takes two blocks of a message. */
const MAX_POSTS = 20;

/** In a channel it is for managers; in direct messages, everybody sees their own. */
export const refusesHere = ({ role }: Person, channel: string): boolean =>
  !channel.startsWith('D') && !hasRole(role, 'manager');

/** `/quartermaster here`: everything that comes to this channel or direct message by itself. */
export async function showPostsHere(features: readonly Interactions[], interaction: Interaction): Promise<void> {
  const { person, channel, reply } = interaction;
  const isDirect = channel.startsWith('D');
  if (refusesHere(person, channel))
    return reply.show(await interaction.refusal({ what: '/quartermaster here in a channel', role: 'manager' }));
  const place = isDirect ? person.slackId : channel;
  const posts = await Promise.all(
    features.map(async (feature) => (await feature.recurringPosts?.(place, person)) ?? []),
  );
  await reply.show(postsMessage(posts.flat(), isDirect ? markup`you` : channelMention(channel)));
}

export const unfitRow = (count: number) => [prose(markup`${countOf(count, 'more')} didn’t fit here.`)];

function postsMessage(posts: readonly RecurringPost[], place: ReturnType<typeof markup>): BlockMessage {
  if (posts.length === 0) return messageOf(prose(markup`Nothing comes to ${place} by itself.`));
  const rows = posts.map(({ lines, buttons }) => [prose(lines), buttonRow(...buttons)]);
  return messageOf(prose(markup`*What comes to ${place} by itself*`), ...withRest(rows, MAX_POSTS, unfitRow).flat());
}
