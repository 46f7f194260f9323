/** The content of the message field, as Slack would interpret it. */
export type Written =
  | { kind: 'message'; text: string }
  | { kind: 'command'; command: string; text: string }
  | { kind: 'invite' | 'remove'; who: string }
  | { kind: 'leave' | 'join' | 'archive' | 'unarchive' }
  | { kind: 'unknown command'; command: string };

export interface WorkspaceCommand {
  command: string;
  usageHint: string;
  description: string;
}

/** Commands of the workspace itself, not of the app. */
export const workspaceCommands: readonly WorkspaceCommand[] = [
  { command: '/invite', usageHint: '@person', description: 'Add a person, or the app, to this channel' },
  { command: '/remove', usageHint: '@person', description: 'Take a person, or the app, out of this channel' },
  { command: '/join', usageHint: '', description: 'Become a member of this channel' },
  { command: '/leave', usageHint: '', description: 'Leave this channel' },
  { command: '/archive', usageHint: '', description: 'Archive this channel' },
  { command: '/unarchive', usageHint: '', description: 'Open this channel again' },
];

/** Parses the content of the message field. `appCommands` are the app's, with their slash. */
export function readWritten(written: string, appCommands: readonly string[]): Written {
  const text = written.trim();
  const match = /^(\/[^\s/]+)(?:\s+([\s\S]*))?$/.exec(text);
  if (match === null) return { kind: 'message', text };
  const [, command = '', rest = ''] = match;
  if (appCommands.includes(command)) return { kind: 'command', command, text: rest };
  switch (command) {
    case '/invite':
    case '/remove':
      return { kind: command === '/invite' ? 'invite' : 'remove', who: rest.trim().replace(/^@/, '') };
    case '/join':
      return { kind: 'join' };
    case '/leave':
      return { kind: 'leave' };
    case '/archive':
      return { kind: 'archive' };
    case '/unarchive':
      return { kind: 'unarchive' };
    default:
      return { kind: 'unknown command', command };
  }
}
