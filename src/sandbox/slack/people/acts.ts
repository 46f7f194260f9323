/** People's actions in channels, and changes of the workspace itself. */
import { announce, sendEvent } from '../model/app-events.ts';
import type { Sandbox } from '../context.ts';
import { ControlError } from './control-error.ts';
import type { ControlRequest, ControlResults } from './control-types.ts';
import { escapeMessageText } from '../model/escape.ts';
import { shareFiles, storeFile } from '../model/file-store.ts';
import { theChannel, theOpenChannel, thePerson } from '../model/lookup.ts';
import { addMember, removeMember, setArchived } from '../model/members.ts';
import { postMessage, removeMessage } from '../model/messages.ts';
import { homeOpenedEvent } from './payloads.ts';
import { presentFile, presentMessage, presentPerson, presentView } from '../shapes/present.ts';
import { makePerson, OTHER_TEAM_ID, TEAM } from '../model/seed.ts';
import { userObject } from '../shapes/slack-shapes.ts';
import type { Person } from '../model/workspace.ts';

type Act<Name extends keyof ControlResults> = (
  sandbox: Sandbox,
  request: ControlRequest<Name>,
) => ControlResults[Name] | Promise<ControlResults[Name]>;

/** `app` is the app's own user. */
function memberId(sandbox: Sandbox, who: string): string {
  return who === 'app' ? sandbox.workspace.app.botUserId : thePerson(sandbox, who).id;
}

export const openHome: Act<'openHome'> = async (sandbox, { as, tab }) => {
  const person = thePerson(sandbox, as);
  const delivery = await sendEvent(sandbox, homeOpenedEvent(sandbox, person, tab));
  const home = sandbox.workspace.homes.get(person.id);
  return { delivery, home: home ? presentView(home) : null };
};

export const post: Act<'post'> = (sandbox, request) => {
  const person = thePerson(sandbox, request.as);
  const channel = theOpenChannel(sandbox, person, request.channel);
  const text = escapeMessageText(sandbox.workspace, request.text);
  const message = postMessage(sandbox, channel, { author: person.id, text, threadTs: request.threadTs ?? null });
  return presentMessage(sandbox.workspace, channel, message);
};

export const deleteMessage: Act<'deleteMessage'> = (sandbox, { as, channel: reference, ts }) => {
  const person = thePerson(sandbox, as);
  const channel = theChannel(sandbox, person, reference);
  const message = sandbox.workspace.findMessage(channel, ts);
  if (!message) throw new ControlError('no_such_message', `No message ${ts} in #${channel.name}`);
  if (message.author !== person.id && !person.isAdmin) throw new ControlError('cant_delete', 'Not their message');
  removeMessage(sandbox, channel, message);
  return null;
};

export const join: Act<'join'> = (sandbox, { as, channel: reference }) => {
  const person = thePerson(sandbox, as);
  const channel = theChannel(sandbox, person, reference);
  if (channel.kind !== 'public') throw new ControlError('is_private', `#${channel.name} is by invitation only`);
  addMember(sandbox, channel, person.id);
  return null;
};

export const leave: Act<'leave'> = (sandbox, { as, channel }) => {
  const person = thePerson(sandbox, as);
  removeMember(sandbox, theChannel(sandbox, person, channel), person.id);
  return null;
};

export const connect: Act<'connect'> = (sandbox, { as, channel: reference, sharing }) => {
  const channel = theChannel(sandbox, thePerson(sandbox, as), reference);
  channel.sharing = sharing;
  sandbox.log.add({ kind: 'workspace_changed', what: `#${channel.name} is shared: ${sharing}` });
  return null;
};

export const archive: Act<'archive'> = (sandbox, { as, channel }) => {
  const person = thePerson(sandbox, as);
  setArchived(sandbox, theChannel(sandbox, person, channel), true, person.id);
  return null;
};

export const unarchive: Act<'unarchive'> = (sandbox, { as, channel }) => {
  const person = thePerson(sandbox, as);
  setArchived(sandbox, theChannel(sandbox, person, channel), false, person.id);
  return null;
};

export const invite: Act<'invite'> = (sandbox, { as, channel, who }) => {
  const person = thePerson(sandbox, as);
  addMember(sandbox, theOpenChannel(sandbox, person, channel), memberId(sandbox, who), person.id);
  return null;
};

export const kick: Act<'kick'> = (sandbox, { as, channel, who }) => {
  const person = thePerson(sandbox, as);
  removeMember(sandbox, theChannel(sandbox, person, channel), memberId(sandbox, who));
  return null;
};

export const addChannel: Act<'addChannel'> = (sandbox, { name, isPrivate, members }) => {
  if (sandbox.workspace.findChannel(name)) throw new ControlError('name_taken', `#${name} exists`);
  const id = sandbox.identifiers.next('C');
  sandbox.workspace.channels.set(id, {
    id,
    name: name.replace(/^#/, ''),
    kind: isPrivate ? 'private' : 'public',
    members: new Set(members.map((member) => memberId(sandbox, member))),
    isArchived: false,
    sharing: 'none',
    createdSeconds: sandbox.identifiers.nowSeconds(),
    messages: [],
  });
  sandbox.log.add({ kind: 'workspace_changed', what: `#${name} was made` });
  return { id };
};

export const addPerson: Act<'addPerson'> = (sandbox, request) => {
  if (sandbox.workspace.findPerson(request.handle)) throw new ControlError('name_taken', `${request.handle} exists`);
  const teamId = request.isStranger ? OTHER_TEAM_ID : TEAM.id;
  const id = sandbox.identifiers.next('U');
  const person: Person = makePerson({ ...request, id, email: request.email ?? null, teamId });
  sandbox.workspace.people.set(person.id, person);
  sandbox.log.add({ kind: 'workspace_changed', what: `${person.handle} was added` });
  announce(sandbox, { type: 'team_join', user: userObject(sandbox, person) });
  return presentPerson(person);
};

export const updatePerson: Act<'updatePerson'> = (sandbox, { person: reference, ...changes }) => {
  const person = thePerson(sandbox, reference);
  const definedChanges = Object.entries(changes).filter(([, value]) => value !== undefined);
  Object.assign(person, Object.fromEntries(definedChanges));
  sandbox.log.add({ kind: 'workspace_changed', what: `${person.handle} was changed` });
  announce(sandbox, { type: 'user_change', user: userObject(sandbox, person) });
  return presentPerson(person);
};

export const setUserGroup: Act<'setUserGroup'> = (sandbox, request) => {
  const { workspace, identifiers } = sandbox;
  const existing = [...workspace.userGroups.values()].find(({ handle }) => handle === request.handle);
  const members = request.members.map((member) => thePerson(sandbox, member).id);
  const id = existing?.id ?? identifiers.next('S');
  const name = request.name ?? existing?.name ?? request.handle;
  workspace.userGroups.set(id, { id, handle: request.handle, name, members });
  sandbox.log.add({ kind: 'workspace_changed', what: `@${request.handle} was set` });
  announce(sandbox, { type: 'subteam_members_changed', subteam_id: id, team_id: workspace.team.id });
  return { id };
};

export const upload: Act<'upload'> = (sandbox, request) => {
  const person = thePerson(sandbox, request.as);
  const { name, mimeType } = request;
  const channel = request.channel === undefined ? undefined : theOpenChannel(sandbox, person, request.channel);
  const content = Buffer.from(request.contentBase64, 'base64');
  const file = storeFile(sandbox, { name, mimeType, owner: person.id, content });
  if (channel) shareFiles(sandbox, channel, [file], { author: person.id });
  return presentFile(file);
};
