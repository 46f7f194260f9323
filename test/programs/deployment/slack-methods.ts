import { WebClient } from '@slack/web-api';
import type { SourceFile } from '../../repository/parsing/sources.ts';

/**
 * The scopes that each Web API method needs for its use in the bot (https://docs.slack.dev/reference/methods). They
 * depend on the kinds of conversation: public and private channels, and direct messages with the bot.
 */
export const METHOD_SCOPES: Record<string, readonly string[]> = {
  'apps.connections.open': [],
  'auth.test': [],
  'chat.delete': ['chat:write'],
  'chat.postEphemeral': ['chat:write'],
  'chat.postMessage': ['chat:write'],
  'chat.update': ['chat:write'],
  'conversations.history': ['channels:history', 'groups:history', 'im:history'],
  'conversations.replies': ['channels:history', 'groups:history', 'im:history'],
  'conversations.info': ['channels:read', 'groups:read'],
  'conversations.members': ['channels:read', 'groups:read'],
  'conversations.join': ['channels:join'],
  'conversations.list': ['channels:read', 'groups:read'],
  'conversations.open': ['im:write'],
  'files.completeUploadExternal': ['files:write'],
  'files.getUploadURLExternal': ['files:write'],
  'files.info': ['files:read'],
  'files.uploadV2': ['files:write'],
  filesUploadV2: ['files:write'],
  'usergroups.list': ['usergroups:read'],
  'usergroups.users.list': ['usergroups:read'],
  'users.conversations': ['channels:read', 'groups:read'],
  'users.info': ['users:read', 'users:read.email'],
  'users.list': ['users:read'],
  'users.lookupByEmail': ['users:read.email'],
  'views.open': [],
  'views.publish': [],
  'views.push': [],
  'views.update': [],
};

/** The names of all methods of `@slack/web-api`, such as `usergroups.users.list`. */
function knownMethods(): Set<string> {
  const names = new Set<string>();
  const visit = (node: object, path: readonly string[]) => {
    for (const [name, value] of Object.entries(node)) {
      const here = [...path, name];
      if (typeof value === 'function') names.add(here.join('.'));
      else if (here.length < 4 && typeof value === 'object' && value !== null) visit(value, here);
    }
  };
  visit(new WebClient(), []);
  return names.add('filesUploadV2');
}

/** The Web API methods that a source calls: by name (`.users.info(`) or by text (`apiCall('users.info'`). */
export function calledMethods(sources: readonly SourceFile[]): Set<string> {
  const known = knownMethods();
  const called = new Set<string>();
  for (const { text } of sources) {
    const joined = text.replaceAll(/\s*\??\.\s*/g, '.');
    for (const [, name] of joined.matchAll(/apiCall(?:<[^>]*>)?\(\s*'([^']+)'/g)) called.add(name ?? '');
    for (const [, chain] of joined.matchAll(/((?:\w+\.)+\w+)(?=\()/g)) {
      const words = (chain ?? '').split('.');
      for (const [start] of words.entries()) {
        const name = words.slice(start).join('.');
        if (known.has(name)) called.add(name);
      }
    }
  }
  return called;
}

/** Calls whose method cannot be read from the source: `apiCall(method`, and groups of methods under another name. */
export function unreadableCalls(sources: readonly SourceFile[]): string[] {
  return sources
    .filter(
      ({ text }) =>
        // A client that changes every call passes on the name that it was given.
        /(?<!override |super\.)apiCall(?:<[^>]*>)?\(\s*[^'\s]/.test(text) ||
        /\{[^}=]*\b(chat|conversations|usergroups|users|views)\b[^}=]*\}\s*=\s*\S*([cC]lient|lookups|posting)/.test(
          text,
        ),
    )
    .map(({ path }) => path);
}
