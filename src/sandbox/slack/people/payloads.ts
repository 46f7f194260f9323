/** Interaction payloads: https://docs.slack.dev/reference/interaction-payloads */
import type { Sandbox } from '../context.ts';
import { channelObject, messageObject, viewObject } from '../shapes/slack-shapes.ts';
import type { Json } from '../../json.ts';
import type { Channel, Message, Person, View } from '../model/workspace.ts';

export type Place = { message: Message; channel: Channel } | { view: View };

function envelope(sandbox: Sandbox, person: Person): Json {
  const { team, app } = sandbox.workspace;
  return {
    team: { id: team.id, domain: team.domain },
    user: { id: person.id, username: person.handle, name: person.handle, team_id: person.teamId },
    api_app_id: app.id,
    token: 'sandbox',
    enterprise: null,
    is_enterprise_install: false,
  };
}

/** Returns the name of a channel in payloads, which differs for private and direct ones. */
function payloadName(channel: Channel): string {
  return { public: channel.name, private: 'privategroup', dm: 'directmessage' }[channel.kind];
}

export function commandPayload(
  sandbox: Sandbox,
  { person, channel, command, text }: { person: Person; channel: Channel; command: string; text: string },
): Json {
  const { team, app } = sandbox.workspace;
  const target = { person: person.id, channelId: channel.id, threadTs: null, originalTs: null };
  return {
    token: 'sandbox',
    team_id: team.id,
    team_domain: team.domain,
    channel_id: channel.id,
    channel_name: payloadName(channel),
    user_id: person.id,
    user_name: person.handle,
    command,
    text,
    api_app_id: app.id,
    is_enterprise_install: 'false',
    response_url: `${sandbox.address()}/response/${sandbox.tickets.makeResponseUrl(target)}`,
    trigger_id: sandbox.tickets.makeTrigger({ person: person.id, fromModal: false }),
  };
}

/** Returns the members that describe the place of a click. */
function placeMembers(sandbox: Sandbox, person: Person, place: Place): Json {
  if ('view' in place) {
    const { view } = place;
    return {
      container: { type: 'view', view_id: view.id },
      view: viewObject(sandbox, view),
      ...(view.type === 'modal' ? {} : { state: { values: view.values } }),
    };
  }
  const { message, channel } = place;
  const isEphemeral = message.visibleTo !== null;
  const thread = message.threadTs ? { thread_ts: message.threadTs } : {};
  return {
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: channel.id,
      is_ephemeral: isEphemeral,
      ...thread,
    },
    channel: { id: channel.id, name: payloadName(channel) },
    // Slack omits the message itself if it is ephemeral.
    ...(isEphemeral ? {} : { message: messageObject(sandbox, channel, message) }),
    state: { values: message.choices.get(person.id) ?? {} },
  };
}

function responseUrl(sandbox: Sandbox, person: Person, place: Place): Json {
  if ('view' in place) return {};
  const { message, channel } = place;
  const { threadTs, ts: originalTs } = message;
  const id = sandbox.tickets.makeResponseUrl({ person: person.id, channelId: channel.id, threadTs, originalTs });
  return { response_url: `${sandbox.address()}/response/${id}` };
}

export function actionsPayload(sandbox: Sandbox, person: Person, place: Place, action: Json): Json {
  const fromModal = 'view' in place && place.view.type === 'modal';
  return {
    type: 'block_actions',
    ...envelope(sandbox, person),
    ...placeMembers(sandbox, person, place),
    ...responseUrl(sandbox, person, place),
    trigger_id: sandbox.tickets.makeTrigger({ person: person.id, fromModal }),
    actions: [{ ...action, action_ts: sandbox.identifiers.timestamp() }],
  };
}

export function submissionPayload(sandbox: Sandbox, person: Person, view: View, responseUrls: Json[]): Json {
  return {
    type: 'view_submission',
    ...envelope(sandbox, person),
    trigger_id: sandbox.tickets.makeTrigger({ person: person.id, fromModal: true }),
    view: viewObject(sandbox, view),
    response_urls: responseUrls,
  };
}

export function closedPayload(sandbox: Sandbox, person: Person, view: View, isCleared: boolean): Json {
  // Slack sends no input state with it.
  const stateless = { ...viewObject(sandbox, view), state: { values: {} } };
  return { type: 'view_closed', ...envelope(sandbox, person), view: stateless, is_cleared: isCleared };
}

export function homeOpenedEvent(sandbox: Sandbox, person: Person, tab: 'home' | 'messages'): Json {
  const home = sandbox.workspace.homes.get(person.id);
  const channel = channelObject(sandbox, sandbox.workspace.directChannel(person.id));
  return {
    type: 'app_home_opened',
    user: person.id,
    channel: channel['id'],
    tab,
    ...(home && tab === 'home' ? { view: viewObject(sandbox, home) } : {}),
  };
}
