import { z } from 'zod';
import { checkViewArgument } from '../shapes/block-check.ts';
import type { Sandbox } from '../context.ts';
import { viewObject } from '../shapes/slack-shapes.ts';
import { openModal, publishHome, pushModal, replaceView } from '../model/view-store.ts';
import type { Json } from '../../json.ts';
import type { View } from '../model/workspace.ts';
import { ApiError, jsonValue, knownPerson, method, text, type Method } from './call.ts';

/** Returns the view argument. Throws Slack's error if it is invalid. */
function readView(view: unknown, type: 'modal' | 'home'): Json {
  const checked = checkViewArgument(view, type);
  if ('value' in checked) return checked.value;
  throw new ApiError(checked.refusal.code, { messages: checked.refusal.messages });
}

function checkExternalId({ workspace }: Sandbox, view: Json, own?: View): void {
  const externalId = view['external_id'];
  if (typeof externalId !== 'string' || externalId === '') return;
  const other = workspace.findViewByExternalId(externalId);
  if (other && other !== own) throw new ApiError('duplicate_external_id');
}

const opening = z.object({ trigger_id: text, view: jsonValue });

function useTrigger(sandbox: Sandbox, id: string) {
  const trigger = sandbox.tickets.checkTrigger(id);
  if (typeof trigger === 'string') throw new ApiError(trigger);
  return trigger;
}

const open = method({
  args: opening,
  run: (sandbox, args) => {
    const sent = readView(args.view, 'modal');
    checkExternalId(sandbox, sent);
    const trigger = useTrigger(sandbox, args.trigger_id);
    trigger.use();
    return { view: viewObject(sandbox, openModal(sandbox, trigger.person, sent)) };
  },
});

const push = method({
  args: opening,
  run: (sandbox, args) => {
    const sent = readView(args.view, 'modal');
    checkExternalId(sandbox, sent);
    const trigger = useTrigger(sandbox, args.trigger_id);
    if (!trigger.fromModal) throw new ApiError('invalid_trigger_id');
    trigger.use();
    const view = pushModal(sandbox, trigger.person, sent);
    if (!view) throw new ApiError('push_limit_reached');
    return { view: viewObject(sandbox, view) };
  },
});

const update = method({
  args: z.object({ view: jsonValue, view_id: text.optional(), external_id: text.optional(), hash: text.optional() }),
  run: (sandbox, args) => {
    if (args.view_id === undefined && args.external_id === undefined) throw new ApiError('invalid_arguments');
    const current =
      args.view_id === undefined
        ? sandbox.workspace.findViewByExternalId(args.external_id ?? '')
        : sandbox.workspace.findView(args.view_id);
    const sent = readView(args.view, current?.type ?? 'modal');
    if (!current) throw new ApiError('not_found');
    checkExternalId(sandbox, sent, current);
    if (args.hash !== undefined && args.hash !== current.hash) throw new ApiError('hash_conflict');
    replaceView(sandbox, current, sent);
    return { view: viewObject(sandbox, current) };
  },
});

const publish = method({
  args: z.object({ user_id: text, view: jsonValue, hash: text.optional() }),
  run: (sandbox, args) => {
    const sent = readView(args.view, 'home');
    const person = knownPerson(sandbox, args.user_id);
    const current = sandbox.workspace.homes.get(person.id);
    if (args.hash !== undefined && args.hash !== current?.hash) throw new ApiError('hash_conflict');
    return { view: viewObject(sandbox, publishHome(sandbox, person.id, sent)) };
  },
});

export const viewMethods: Record<string, Method> = {
  'views.open': open,
  'views.push': push,
  'views.update': update,
  'views.publish': publish,
};
