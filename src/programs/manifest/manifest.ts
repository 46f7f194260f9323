import { toWorkspaceNames } from '../../core/base/text/markup.ts';
import { EVENTS_PATH } from '../../core/slack/receivers/connection.ts';

export interface Installation {
  /** Empty for none. */
  commandPrefix: string;
  /** The address that Slack posts to, without the path; Socket Mode if left out. */
  httpAddress?: string | undefined;
  /** Whether messages to the bot are answered. */
  answersWords?: boolean;
  /** The address of the tools for Slackbot, with its path; left out if they are off. */
  toolsAddress?: string | undefined;
}

/**
 * Edits `manifest.yml` line by line, so that its notes stay in place. Pure.
 *
 * @example fitManifest(text, { commandPrefix: 'qm-', httpAddress: 'https://bot.example.com' })
 */
export function fitManifest(
  text: string,
  { commandPrefix, httpAddress, answersWords = true, toolsAddress }: Installation,
): string {
  const [, head = '', body = ''] = /^((?:#[^\n]*\n)*)([^]*)$/.exec(text) ?? [];
  const prefixed = toWorkspaceNames(answersWords ? body : withoutWords(body), commandPrefix);
  const named = toolsAddress === undefined ? prefixed : withTools(prefixed, toolsAddress);
  if (httpAddress === undefined) return head + named;
  // The notes describe the manual changes for HTTP, which are made here.
  const [notes = ''] = head.split('#\n# As it stands');
  return notes + overHttp(named, `${httpAddress}${EVENTS_PATH}`);
}

/** What only messages to the bot need, with the comments about it. */
const OF_WORDS = new Set([
  '# To answer people who mention the bot in a channel.',
  '- app_mentions:read',
  '# To answer people who write to the bot.',
  '- app_mention',
  '- message.im',
]);

const withoutWords = (body: string) =>
  body
    .split('\n')
    .filter((line) => !OF_WORDS.has(line.trim()))
    .join('\n')
    .replace('messages_tab_read_only_enabled: false', 'messages_tab_read_only_enabled: true');

const BEFORE_OPTIONAL = '    # Those of the scopes above that people may decline';

/** @see https://docs.slack.dev/reference/app-manifest */
function withTools(body: string, address: string): string {
  const scope = '      # To let Slackbot ask for the people who talk to it.\n      - mcp:connect\n';
  const server = `mcp_servers:\n  quartermaster:\n    url: ${address}\n    auth_type: slack_identity_auth\n`;
  return `${body.replace(BEFORE_OPTIONAL, `${scope}${BEFORE_OPTIONAL}`).trimEnd()}\n\n${server}`;
}

function overHttp(body: string, address: string): string {
  return body
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', start = ''] =
        /^( *)(- command:|interactivity:|event_subscriptions:|socket_mode_enabled:)/.exec(line) ?? [];
      switch (start) {
        case '- command:':
          return [line, `${indent}  url: ${address}`];
        case 'interactivity:':
        case 'event_subscriptions:':
          return [line, `${indent}  request_url: ${address}`];
        case 'socket_mode_enabled:':
          return [`${indent}socket_mode_enabled: false`];
        default:
          return [line];
      }
    })
    .join('\n');
}
