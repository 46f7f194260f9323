/** Finds the target of a control action, or throws the reason why it cannot. */
import type { Sandbox } from '../context.ts';
import { ControlError } from '../people/control-error.ts';
import type { Source } from '../people/control-types.ts';
import { objectsIn, type Json } from '../../json.ts';
import { findElements, type BlockElement } from '../people/form.ts';
import type { Place } from '../people/payloads.ts';
import { canSee } from '../shapes/present.ts';
import { fileObject } from '../shapes/slack-shapes.ts';
import { directChannelId, type Block, type Channel, type Person, type View } from './workspace.ts';

export function thePerson({ workspace }: Sandbox, reference: string): Person {
  const person = workspace.findPerson(reference);
  if (person) return person;
  const handles = [...workspace.people.values()].map(({ handle }) => handle).join(', ');
  throw new ControlError('no_such_person', `Unknown person "${reference}"; there are: ${handles}`);
}

export function theChannel({ workspace }: Sandbox, person: Person, reference: string): Channel {
  // A person sees their direct messages with the app before these exist, and may write the first one.
  if (reference === 'dm' || reference === directChannelId(person.id)) return workspace.directChannel(person.id);
  const channel = workspace.findChannel(reference);
  if (channel && canSee(person, channel)) return channel;
  throw new ControlError('no_such_channel', `${person.name} sees no channel "${reference}"`);
}

export function theOpenChannel(sandbox: Sandbox, person: Person, reference: string): Channel {
  const channel = theChannel(sandbox, person, reference);
  if (channel.isArchived) throw new ControlError('is_archived', `#${channel.name} is archived`);
  if (channel.members.has(person.id)) return channel;
  throw new ControlError('not_in_channel', `${person.name} is not a member of #${channel.name}`);
}

/** Returns one of a person's open modals; the top one without an id. */
export function theModal({ workspace }: Sandbox, person: Person, viewId?: string): View {
  const stack = workspace.modalsOf(person.id);
  const view = viewId === undefined ? stack.at(-1) : stack.find(({ id }) => id === viewId);
  if (view) return view;
  throw new ControlError(
    'no_modal',
    `${person.name} has no modal open${viewId === undefined ? '' : ` with id ${viewId}`}`,
  );
}

export function thePlace(sandbox: Sandbox, person: Person, source: Source): Place {
  if (source.in === 'modal') return { view: theModal(sandbox, person, source.viewId) };
  if (source.in === 'home') {
    const view = sandbox.workspace.homes.get(person.id);
    if (view) return { view };
    throw new ControlError('no_home', `Nothing was published to the App Home of ${person.name}`);
  }
  const channel = theChannel(sandbox, person, source.channel);
  const message = sandbox.workspace.findMessage(channel, source.ts);
  if (message && (message.visibleTo === null || message.visibleTo === person.id)) return { message, channel };
  throw new ControlError('no_such_message', `${person.name} sees no message ${source.ts} in #${channel.name}`);
}

export function blocksOf(place: Place): Block[] {
  return 'view' in place ? objectsIn(place.view.view['blocks']) : place.message.blocks;
}

/** Returns the element with an action id (and block id, if several have it). */
export function findElement(blocks: readonly Block[], actionId: string, blockId?: string): BlockElement | undefined {
  const matches = (element: BlockElement) =>
    element.actionId === actionId && (blockId === undefined || element.blockId === blockId);
  const [first, second] = findElements(blocks).filter(matches);
  if (!second) return first;
  throw new ControlError('ambiguous', `Several elements have the action id "${actionId}": name the block`);
}

export function theElement(blocks: readonly Block[], actionId: string, blockId?: string): BlockElement {
  const match = findElement(blocks, actionId, blockId);
  if (match) return match;
  const addresses = findElements(blocks).map((element) => `${element.blockId}/${element.actionId}`);
  const where = blockId === undefined ? actionId : `${blockId}/${actionId}`;
  throw new ControlError('no_such_element', `No element "${where}"; there are: ${addresses.join(', ') || 'none'}`);
}

/** Converts typed values into ids, options and files. */
export function valueLookup(sandbox: Sandbox) {
  const { workspace } = sandbox;
  return {
    resolve: (type: string, reference: string): string => {
      if (type === 'multi_users_select') return thePerson(sandbox, reference).id;
      if (type !== 'conversations_select') return reference;
      return workspace.findChannel(reference)?.id ?? workspace.findPerson(reference)?.id ?? reference;
    },
    file: (id: string): Json => {
      const file = workspace.files.get(id);
      if (file) return fileObject(sandbox, file);
      throw new ControlError('no_such_file', `No file "${id}" was uploaded`);
    },
  };
}
