import type { Sandbox } from '../context.ts';
import { ControlError } from './control-error.ts';
import type { ControlRequest, Delivery, InputValue } from './control-types.ts';
import { escapeCommandText } from '../model/escape.ts';
import { initialState, stateFor, type BlockElement } from './form.ts';
import type { Json } from '../../json.ts';
import type { FormState, Person } from '../model/workspace.ts';
import {
  blocksOf,
  findElement,
  theElement,
  theOpenChannel,
  thePerson,
  thePlace,
  valueLookup,
} from '../model/lookup.ts';
import { postMessage } from '../model/messages.ts';
import { actionsPayload, commandPayload, type Place } from './payloads.ts';
import { applyReply } from '../api/reply.ts';

export async function runCommand(sandbox: Sandbox, request: ControlRequest<'command'>): Promise<Delivery> {
  const { workspace } = sandbox;
  const person = thePerson(sandbox, request.as);
  const channel = theOpenChannel(sandbox, person, request.channel);
  const declared = workspace.commands.find(({ command }) => command === request.command);
  if (!declared) throw new ControlError('unknown_command', `${request.command} is not a valid command`);
  const text = declared.shouldEscape && !request.isForged ? escapeCommandText(workspace, request.text) : request.text;
  const body = commandPayload(sandbox, { person, channel, command: request.command, text });
  const summary = `${request.command} ${request.text}`.trim();
  const delivery = await sandbox.gateway.deliver({ kind: 'slash_commands', summary, body });
  const target = { person: person.id, channelId: channel.id, threadTs: null, originalTs: null };
  if (delivery.error !== null) {
    const sorry = `${request.command} failed with the error "${delivery.error}"`;
    postMessage(sandbox, channel, { author: 'USLACKBOT', text: sorry, visibleTo: person.id });
  } else if (delivery.response !== null) {
    const refusal = applyReply(sandbox, target, delivery.response);
    if (refusal) return { ...delivery, error: [refusal.code, ...refusal.messages].join(' ') };
  }
  return delivery;
}

/** Returns a person's choices in the place of their action. */
function formOf(place: Place, person: Person): FormState {
  if ('view' in place) return place.view.values;
  const existing = place.message.choices.get(person.id);
  if (existing) return existing;
  const newForm = initialState(place.message.blocks);
  place.message.choices.set(person.id, newForm);
  return newForm;
}

/** Stores a choice in the form and returns the action that Slack would send. */
function chosenAction(
  sandbox: Sandbox,
  {
    person,
    place,
    target,
    value,
  }: { person: Person; place: Place; target: BlockElement; value: InputValue | undefined },
): Json {
  const { type, actionId, blockId, element } = target;
  const identity = { type, action_id: actionId, block_id: blockId };
  if (type === 'button') {
    const { text, value: ownValue, style } = element;
    return withoutUndefined({ ...identity, text, value: ownValue, style });
  }
  if (value === undefined) throw new ControlError('no_value', `${type} "${actionId}" needs a value`);
  const state = stateFor(target, value, valueLookup(sandbox));
  (formOf(place, person)[blockId] ??= {})[actionId] = state;
  return withoutUndefined({ ...identity, ...state, placeholder: element['placeholder'] });
}

const withoutUndefined = (value: Json): Json =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));

/** Whether Slack notifies the app at once: not for inputs, unless they have dispatch_action. */
function isDispatched({ block }: BlockElement): boolean {
  return block['type'] !== 'input' || block['dispatch_action'] === true;
}

/** Sets one value, and notifies the app if it asks for that. */
export async function choose(
  sandbox: Sandbox,
  choice: {
    person: Person;
    place: Place;
    target: BlockElement;
    value: InputValue | undefined;
    forged?: Json | undefined;
  },
): Promise<Delivery | undefined> {
  const { person, place, target, forged = {} } = choice;
  const action = { ...chosenAction(sandbox, choice), ...forged };
  if (!isDispatched(target)) return undefined;
  const body = actionsPayload(sandbox, person, place, action);
  return sandbox.gateway.deliver({ kind: 'block_actions', summary: `${person.handle} ${target.actionId}`, body });
}

export async function click(sandbox: Sandbox, request: ControlRequest<'click'>): Promise<Delivery> {
  const person = thePerson(sandbox, request.as);
  const place = thePlace(sandbox, person, request.source);
  const { actionId, blockId, value, forged } = request;
  if (forged && !findElement(blocksOf(place), actionId, blockId)) {
    const action = { type: 'button', action_id: actionId, block_id: blockId ?? 'forged', ...forged };
    const body = actionsPayload(sandbox, person, place, action);
    return sandbox.gateway.deliver({ kind: 'block_actions', summary: `${person.handle} ${actionId} (forged)`, body });
  }
  const target = theElement(blocksOf(place), actionId, blockId);
  const delivery = await choose(sandbox, { person, place, target, value, forged });
  if (delivery) return delivery;
  throw new ControlError('not_dispatched', `"${actionId}" is an input: type into it, the app gets it on submit`);
}
