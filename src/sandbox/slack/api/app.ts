import { z } from 'zod';
import { logMessageChange } from '../model/messages.ts';
import { ApiError, method, text, visibleChannel, type Method } from './call.ts';

const test = method({ token: 'none', args: z.record(z.string(), z.unknown()), run: (_, args) => ({ args }) });

const authTest = method({
  args: z.object({}),
  run: ({ workspace: { team, app } }) => ({
    url: `https://${team.domain}.slack.com/`,
    team: team.name,
    user: app.name.toLowerCase(),
    team_id: team.id,
    user_id: app.botUserId,
    bot_id: app.botId,
    is_enterprise_install: false,
  }),
});

const reactionsAdd = method({
  scopes: ['reactions:write'],
  args: z.object({ channel: text, timestamp: text, name: text }),
  run: (sandbox, args) => {
    const channel = visibleChannel(sandbox, args.channel);
    const message = sandbox.workspace.findMessage(channel, args.timestamp);
    if (!message || message.visibleTo !== null) throw new ApiError('message_not_found');
    const users = message.reactions.get(args.name) ?? new Set<string>();
    if (users.has(sandbox.workspace.app.botUserId)) throw new ApiError('already_reacted');
    message.reactions.set(args.name, users.add(sandbox.workspace.app.botUserId));
    logMessageChange(sandbox, 'message_updated', channel, message);
    return {};
  },
});

/** @param openTicket returns the path of a new Socket Mode connection; undefined if the app uses HTTP */
export function appMethods(openTicket: (() => string) | undefined): Record<string, Method> {
  const connectionsOpen = method({
    token: 'app',
    args: z.object({}),
    run: (sandbox) => {
      if (!openTicket) throw new ApiError('socket_mode_not_enabled');
      return { url: `${sandbox.address().replace(/^http/, 'ws')}${openTicket()}` };
    },
  });
  return {
    'api.test': test,
    'auth.test': authTest,
    'apps.connections.open': connectionsOpen,
    'reactions.add': reactionsAdd,
  };
}
