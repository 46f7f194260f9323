import type { ConversationsListResponse, WebClient } from '@slack/web-api';

const LIST_PAGE = 1_000;
/** conversations.list is slow in large workspaces; an id needs none of it. */
const MAX_LIST_PAGES = 20;

type ListedChannel = NonNullable<ConversationsListResponse['channels']>[number];

/** A channel by its name, among those that the bot can see. */
export async function findChannelByName(
  client: WebClient,
  name: string,
  { withArchived = false } = {},
): Promise<ListedChannel | undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < MAX_LIST_PAGES; page += 1) {
    const answer = await client.conversations.list({
      types: 'public_channel,private_channel',
      exclude_archived: !withArchived,
      limit: LIST_PAGE,
      ...(cursor ? { cursor } : {}),
    });
    const found = answer.channels?.find((channel) => channel.name === name);
    if (found) return found;
    cursor = answer.response_metadata?.next_cursor || undefined;
    if (cursor === undefined) return undefined;
  }
  return undefined;
}
