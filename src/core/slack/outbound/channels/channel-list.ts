import type { ConversationsListResponse, WebClient } from '@slack/web-api';
import { pagesOf } from '../../client/slack-pages.ts';

/** Slack: “Must be an integer under 1000” (https://docs.slack.dev/reference/methods/conversations.list). */
const LIST_PAGE = 999;
/** conversations.list is slow in large workspaces; an id does not need it. */
const MAX_LIST_PAGES = 20;

type ListedChannel = NonNullable<ConversationsListResponse['channels']>[number];

/** Searches only channels that the bot can see. */
export async function findChannelByName(
  client: WebClient,
  name: string,
  { withArchived = false } = {},
): Promise<ListedChannel | undefined> {
  const query = { types: 'public_channel,private_channel', exclude_archived: !withArchived, limit: LIST_PAGE };
  const pages = pagesOf((from) => client.conversations.list({ ...query, ...from }), MAX_LIST_PAGES);
  for await (const { channels } of pages) {
    const match = channels?.find((channel) => channel.name === name);
    if (match) return match;
  }
  return undefined;
}
