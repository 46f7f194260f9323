/** Events API: sends events to the app if it subscribes to them and may see them. */
import type { Sandbox } from '../context.ts';
import type { Delivery } from '../people/control-types.ts';
import type { Json } from '../../json.ts';
import type { Channel, Message } from './workspace.ts';

/** Sends one event and waits for the acknowledgement. */
export function sendEvent(sandbox: Sandbox, event: Json): Promise<Delivery> {
  const { workspace, identifiers } = sandbox;
  const body = {
    token: 'sandbox',
    team_id: workspace.team.id,
    api_app_id: workspace.app.id,
    type: 'event_callback',
    event_id: identifiers.next('Ev'),
    event_time: identifiers.nowSeconds(),
    is_ext_shared_channel: false,
    authorizations: [
      {
        enterprise_id: null,
        team_id: workspace.team.id,
        user_id: workspace.app.botUserId,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    event: { event_ts: identifiers.timestamp(), ...event },
  };
  return sandbox.gateway.deliver({ kind: 'event', summary: String(event['type']), body });
}

/** Sends an event if the app subscribes to it, without waiting; `subscription` differs from the type for messages. */
export function announce(sandbox: Sandbox, event: Json & { type: string }, subscription = event.type): void {
  if (!sandbox.subscribedEvents.has(subscription) || sandbox.gateway.connections() === 0) return;
  void sendEvent(sandbox, event);
}

/** Announces a message in a direct conversation, or one that mentions the app in its channel. */
export function announceMessage(sandbox: Sandbox, channel: Channel, message: Message): void {
  const { app, team } = sandbox.workspace;
  const isOwn = message.author === app.botUserId;
  const common = {
    user: message.author,
    text: message.text,
    ts: message.ts,
    team: team.id,
    channel: channel.id,
    ...(message.blocks.length > 0 ? { blocks: message.blocks } : {}),
    ...(message.threadTs ? { thread_ts: message.threadTs } : {}),
    ...(isOwn ? { bot_id: app.botId, app_id: app.id } : {}),
  };
  if (channel.kind === 'dm') {
    announce(sandbox, { type: 'message', channel_type: 'im', ...common }, 'message.im');
  } else if (!isOwn && message.text.includes(`<@${app.botUserId}>`) && mayHearMentions(sandbox, channel)) {
    announce(sandbox, { type: 'app_mention', ...common });
  }
}

/** Without the scope of an event, Slack sends none. */
const mayHearMentions = ({ workspace }: Sandbox, channel: Channel) =>
  workspace.hasApp(channel) && workspace.scopes.has('app_mentions:read');
