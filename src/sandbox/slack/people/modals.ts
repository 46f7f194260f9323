import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { checkViewArgument } from '../shapes/block-check.ts';
import type { Sandbox } from '../context.ts';
import { ControlError } from './control-error.ts';
import type { ControlRequest, ControlResults, Delivery, FormValues } from './control-types.ts';
import { objectsIn, textOf, type Json } from '../../json.ts';
import { findElements } from './form.ts';
import { choose } from './interactions.ts';
import { blocksOf, theElement, theModal, thePerson } from '../model/lookup.ts';
import { localErrors } from './modal-rules.ts';
import { closedPayload, submissionPayload } from './payloads.ts';
import { presentView } from '../shapes/present.ts';
import { closeModals, pushModal, replaceView, showErrors } from '../model/view-store.ts';
import type { Person, View } from '../model/workspace.ts';

async function typeInto(sandbox: Sandbox, person: Person, view: View, values: FormValues): Promise<Delivery[]> {
  const deliveries: Delivery[] = [];
  for (const [blockId, actions] of Object.entries(values)) {
    for (const [actionId, value] of Object.entries(actions)) {
      const place = { view };
      const target = theElement(blocksOf(place), actionId, blockId);
      const delivery = await choose(sandbox, { person, place, target, value });
      if (delivery) deliveries.push(delivery);
    }
  }
  return deliveries;
}

export async function typeValues(sandbox: Sandbox, request: ControlRequest<'type'>): Promise<ControlResults['type']> {
  const person = thePerson(sandbox, request.as);
  const view = theModal(sandbox, person, request.viewId);
  const deliveries = await typeInto(sandbox, person, view, request.values);
  return { deliveries, view: presentView(view) };
}

export async function submit(sandbox: Sandbox, request: ControlRequest<'submit'>): Promise<ControlResults['submit']> {
  const person = thePerson(sandbox, request.as);
  const view = theModal(sandbox, person, request.viewId);
  await typeInto(sandbox, person, view, request.values);
  if (view.view['submit'] === undefined) throw new ControlError('no_submit', 'The modal has no submit button');
  const errors = localErrors(objectsIn(view.view['blocks']), view.values);
  if (Object.keys(errors).length > 0) {
    showErrors(sandbox, view, errors);
    throw new ControlError('invalid_input', `Slack does not submit this: ${JSON.stringify(errors)}`);
  }
  const body = submissionPayload(sandbox, person, view, responseUrls(sandbox, person, view));
  const summary = `${person.handle} submits ${textOf(view.view['callback_id']) || view.id}`;
  const delivery = await sandbox.gateway.deliver({ kind: 'view_submission', summary, body });
  const late = sandbox.faults.takeForAcknowledgement();
  if (late) await delay(late.delayMs ?? 1_000);
  const problem = delivery.error === null ? applyAnswer(sandbox, person, view, delivery.response) : undefined;
  const modals = sandbox.workspace.modalsOf(person.id).map(presentView);
  return {
    delivery: problem === undefined ? delivery : { ...delivery, error: problem },
    modals,
    seq: sandbox.log.mark(),
  };
}

/** Returns response URLs for chosen conversations with response_url_enabled. */
function responseUrls(sandbox: Sandbox, person: Person, view: View): Json[] {
  return findElements(objectsIn(view.view['blocks'])).flatMap(({ element, blockId, actionId }) => {
    if (element['response_url_enabled'] !== true) return [];
    const state = view.values[blockId]?.[actionId];
    const channelId = textOf(state?.['selected_conversation']);
    if (channelId === '') return [];
    const target = { person: person.id, channelId, threadTs: null, originalTs: null };
    const url = `${sandbox.address()}/response/${sandbox.tickets.makeResponseUrl(target)}`;
    return [{ block_id: blockId, action_id: actionId, channel_id: channelId, response_url: url }];
  });
}

const answerSchema = z.discriminatedUnion('response_action', [
  z.object({ response_action: z.literal('errors'), errors: z.record(z.string(), z.string()) }),
  z.object({ response_action: z.literal('update'), view: z.unknown() }),
  z.object({ response_action: z.literal('push'), view: z.unknown() }),
  z.object({ response_action: z.literal('clear') }),
]);

/** Applies the acknowledgement of a submission. Returns the problem if Slack would show one instead. */
function applyAnswer(sandbox: Sandbox, person: Person, view: View, response: unknown): string | undefined {
  const position = sandbox.workspace.modalsOf(person.id).indexOf(view);
  if (response === null) {
    if (position !== -1) closeModals(sandbox, person.id, position);
    return undefined;
  }
  const answer = answerSchema.safeParse(response);
  if (!answer.success) return `invalid_response_action ${JSON.stringify(response)}`;
  if (answer.data.response_action === 'clear') {
    closeModals(sandbox, person.id, 0);
    return undefined;
  }
  if (answer.data.response_action === 'errors') return applyErrors(sandbox, view, answer.data.errors);
  const checked = checkViewArgument(answer.data.view, 'modal');
  if ('refusal' in checked) return [checked.refusal.code, ...checked.refusal.messages].join(' ');
  if (answer.data.response_action === 'update') {
    replaceView(sandbox, view, checked.value);
    return undefined;
  }
  return pushModal(sandbox, person.id, checked.value) ? undefined : 'push_limit_reached';
}

function applyErrors(sandbox: Sandbox, view: View, errors: Record<string, string>): string | undefined {
  const blocks = objectsIn(view.view['blocks']);
  const inputs = new Set(blocks.filter(({ type }) => type === 'input').map((block) => textOf(block['block_id'])));
  const lost = Object.keys(errors).filter((blockId) => !inputs.has(blockId));
  if (lost.length > 0) return `invalid_errors: no input block is called ${lost.join(', ')}`;
  showErrors(sandbox, view, errors);
  return undefined;
}

export async function close(sandbox: Sandbox, request: ControlRequest<'close'>): Promise<ControlResults['close']> {
  const person = thePerson(sandbox, request.as);
  const view = theModal(sandbox, person, request.viewId);
  const stack = sandbox.workspace.modalsOf(person.id);
  const clears = request.all || view.view['clear_on_close'] === true;
  // The X reports the root view, Cancel the cancelled view.
  const chosen = request.all ? (stack[0] ?? view) : view;
  closeModals(sandbox, person.id, clears ? 0 : stack.indexOf(view));
  const deliveries: Delivery[] = [];
  if (chosen.view['notify_on_close'] === true) {
    const body = closedPayload(sandbox, person, chosen, request.all);
    const summary = `${person.handle} closes ${textOf(chosen.view['callback_id']) || chosen.id}`;
    deliveries.push(await sandbox.gateway.deliver({ kind: 'view_closed', summary, body }));
  }
  return { deliveries, modals: sandbox.workspace.modalsOf(person.id).map(presentView), seq: sandbox.log.mark() };
}
