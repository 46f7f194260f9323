import type { Sandbox } from '../context.ts';
import { objectsIn, type Json } from '../../json.ts';
import { carryOver, initialState } from '../people/form.ts';
import { withIds } from './messages.ts';
import { presentView } from '../shapes/present.ts';
import type { View } from './workspace.ts';

/** A root and two pushes. */
const MAX_STACK = 3;

function makeView(sandbox: Sandbox, person: string, sent: Json): View {
  const id = sandbox.identifiers.next('V');
  const view = { ...sent, blocks: withIds(sandbox, objectsIn(sent['blocks'])) };
  return {
    id,
    type: sent['type'] === 'home' ? 'home' : 'modal',
    person,
    view,
    hash: newHash(sandbox),
    values: initialState(view.blocks),
    errors: {},
    previousId: null,
    rootId: id,
  };
}

function newHash({ identifiers }: Sandbox): string {
  return `${identifiers.nowSeconds()}.${identifiers.token(8)}`;
}

/** Opens a modal as the only one of a person. */
export function openModal(sandbox: Sandbox, person: string, sent: Json): View {
  const view = makeView(sandbox, person, sent);
  sandbox.workspace.modals.set(person, [view]);
  sandbox.log.add({ kind: 'view_opened', person, view: presentView(view) });
  return view;
}

/** Puts a modal on top of the stack; undefined if the stack is full. */
export function pushModal(sandbox: Sandbox, person: string, sent: Json): View | undefined {
  const stack = sandbox.workspace.modalsOf(person);
  const below = stack.at(-1);
  if (!below) return openModal(sandbox, person, sent);
  if (stack.length >= MAX_STACK) return undefined;
  const view = { ...makeView(sandbox, person, sent), previousId: below.id, rootId: below.rootId };
  stack.push(view);
  sandbox.log.add({ kind: 'view_opened', person, view: presentView(view) });
  return view;
}

/** Replaces the content of a view. Typed values stay if their block_id and action_id stay. */
export function replaceView(sandbox: Sandbox, view: View, sent: Json): void {
  const blocks = withIds(sandbox, objectsIn(sent['blocks']));
  view.view = { ...sent, blocks };
  view.values = carryOver(view.values, blocks);
  view.errors = {};
  view.hash = newHash(sandbox);
  const kind = view.type === 'home' ? 'home_published' : 'view_updated';
  sandbox.log.add({ kind, person: view.person, view: presentView(view) });
}

export function showErrors(sandbox: Sandbox, view: View, errors: Record<string, string>): void {
  view.errors = errors;
  sandbox.log.add({ kind: 'view_updated', person: view.person, view: presentView(view) });
}

/** Removes views from a person's stack, top first, until `count` are left. */
export function closeModals(sandbox: Sandbox, person: string, count: number): void {
  const stack = sandbox.workspace.modalsOf(person);
  while (stack.length > count) {
    const closed = stack.pop();
    if (closed) sandbox.log.add({ kind: 'view_closed', person, view: presentView(closed) });
  }
}

export function publishHome(sandbox: Sandbox, person: string, sent: Json): View {
  const existing = sandbox.workspace.homes.get(person);
  if (existing) {
    replaceView(sandbox, existing, sent);
    return existing;
  }
  const view = makeView(sandbox, person, sent);
  sandbox.workspace.homes.set(person, view);
  sandbox.log.add({ kind: 'home_published', person, view: presentView(view) });
  return view;
}
