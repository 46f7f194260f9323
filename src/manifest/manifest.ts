import { toWorkspaceNames } from '../base/settings/command-names.ts';
import { EVENTS_PATH } from '../slack/connection/connection.ts';

export interface Installation {
  /** Empty for none. */
  commandPrefix: string;
  /** The address that Slack posts to, without the path; Socket Mode if left out. */
  httpAddress?: string | undefined;
}

/**
 * Edits `manifest.yml` line by line, so that its notes stay in place. Pure.
 *
 * @example fitManifest(text, { commandPrefix: 'qm-', httpAddress: 'https://bot.example.com' })
 */
export function fitManifest(text: string, { commandPrefix, httpAddress }: Installation): string {
  const [, head = '', body = ''] = /^((?:#[^\n]*\n)*)([^]*)$/.exec(text) ?? [];
  const named = toWorkspaceNames(body, commandPrefix);
  if (httpAddress === undefined) return head + named;
  // The notes describe the manual changes for HTTP, which are made here.
  const [notes = ''] = head.split('#\n# As it stands');
  return notes + overHttp(named, `${httpAddress}${EVENTS_PATH}`);
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
