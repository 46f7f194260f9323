/** A test compares the scopes with the manifest and with the called methods, so that none is missing or superfluous. Others are optional (`optional-scopes.ts`). */
export const REQUIRED_SCOPES: Readonly<Record<string, string>> = {
  'channels:history': 'to see in public channels whether a message was posted already',
  'channels:read': 'to find a public channel by its name',
  'chat:write': 'to post digests',
  commands: 'to answer slash commands',
  'groups:history': 'to see in private channels whether a message was posted already',
  'groups:read': 'to know whether it is in a private channel',
  'im:history': 'to see in direct messages whether a message was posted already',
  'im:write': 'to open direct messages',
  'usergroups:read': 'to know who is in a user group',
  'users:read': 'to know each person’s name and role',
  'users:read.email': 'to match people of Slack to people of the platform',
};

/** With `MCP=slack`, for which `npm run manifest` adds them. */
export const SCOPES_OF_TOOLS = { 'mcp:connect': 'to let Slackbot ask for the people who talk to it' };
