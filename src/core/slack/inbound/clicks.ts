import { z } from 'zod';
import type { Click, ClickAction, Interaction, RunsInModal } from '../interactions/interactions.ts';
import { actionIdOf } from '../blocks/blocks.ts';
import {
  type InteractionDeps,
  type Origin,
  type Plan,
  beginInteraction,
  inModal,
  planCommand,
  planOf,
  sentencePlan,
} from './interaction.ts';
import type { HandlersByName } from './handlers-by-name.ts';
import { RUN_COMMAND_ACTION } from '../blocks/messages.ts';
import { valueOf, type ClickedAction, type ClickPayload } from './payload.ts';
import type { Person } from '../people/people.ts';
import { FormState } from '../blocks/views.ts';

const runCommandValue = z.object({ command: z.string(), text: z.string() });

const ignored = () => Promise.resolve('ignored');

interface ClickOptions {
  /** The key under which it was stored. */
  arrival?: string;
  /** It continues after a crash. */
  isResumed?: boolean;
  /** Only shows it. */
  refusal?: string;
  /** The view as Slack sent it. */
  sentView?: unknown;
}

/** @returns the work that remains */
export function onClick(
  deps: InteractionDeps,
  handlers: HandlersByName,
  click: ClickPayload,
  { arrival, isResumed = false, refusal, sentView }: ClickOptions = {},
): () => Promise<string> {
  const [action] = click.actions;
  const origin = originOf(click, action.type === 'button');
  // A button with an address is a link: Slack opens it, so nothing is left to do.
  if (!origin || action.url !== undefined) return ignored;
  const actionId = actionIdOf(action.action_id);
  // A choice in a form is read when the form is submitted.
  if (action.type !== 'button' && !handlers.actions.has(actionId)) return ignored;
  const planAction = () =>
    actionId === RUN_COMMAND_ACTION
      ? planOf(actionId, () => planCommand(deps, handlers.commands, runCommandValue.parse(JSON.parse(valueOf(action)))))
      : planClick(handlers.actions.get(actionId), click, action, deps.clock.now());
  const plan = refusal === undefined ? planAction() : sentencePlan(refusal);
  return beginInteraction(deps, plan, {
    once: isResumed ? undefined : { interaction: nameOfClick(click), arrival },
    slackId: click.user.id,
    triggerId: click.trigger_id,
    channel: click.channel?.id ?? '',
    origin,
    ...(click.view?.type === 'modal' ? { form: sentView } : {}),
    about: { action: actionId, user: click.user.id },
  });
}

/** The same press always has the same trigger. Without a trigger, user and time identify it to the microsecond. */
export const nameOfClick = ({ trigger_id: triggerId, user, actions: [action] }: ClickPayload): string =>
  `click:${triggerId ?? `${user.id}:${action.action_ts}`}`;

/** Slack’s timestamps are seconds with a fraction. */
function instantOf(timestamp: string): Date | undefined {
  const instant = new Date(timestamp === '' ? Number.NaN : Number(timestamp) * 1_000);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

function originOf(payload: ClickPayload, isButton: boolean): Origin | undefined {
  if (payload.response_url !== undefined) {
    const replacesOriginal = payload.container?.is_ephemeral === true;
    return { kind: 'message', responseUrl: payload.response_url, replacesOriginal };
  }
  if (payload.view?.type === 'modal') {
    const { id: viewId, hash } = payload.view;
    const title = payload.view.title?.text ?? 'Quartermaster';
    return isButton ? { kind: 'modal', viewId, title } : { kind: 'form', viewId, title, hash };
  }
  return payload.view?.type === 'home' ? { kind: 'home' } : undefined;
}

function planClick(action: ClickAction | undefined, payload: ClickPayload, clicked: ClickedAction, now: Date): Plan {
  if (!action) return sentencePlan('This button is from another version of Quartermaster. Run the command again.');
  const base = {
    role: action.role,
    what: 'This button',
    outcome: 'answered',
    ...(action.mayBeGuest ? { mayBeGuest: true } : {}),
  };
  const clickOf = <Who extends Person>(interaction: Interaction<Who>): Click<Who> => ({
    ...interaction,
    clickedAt: instantOf(clicked.action_ts) ?? now,
    value: valueOf(clicked),
    messageTs: payload.container?.message_ts,
    threadTs: payload.container?.thread_ts,
    isEphemeral: payload.container?.is_ephemeral === true,
    form: { state: new FormState(payload.view?.state?.values), metadata: payload.view?.private_metadata ?? '' },
  });
  if ('run' in action)
    return action.isRoleFresh
      ? { ...base, isRoleFresh: true, act: (interaction) => action.run(clickOf(interaction)) }
      : { ...base, act: (interaction) => action.run(clickOf(interaction)) };
  const { modalTitle } = action;
  const inside: RunsInModal = action.isRoleFresh
    ? { isRoleFresh: true, run: (interaction, modal) => action.runInModal(clickOf(interaction), modal) }
    : { run: (interaction, modal) => action.runInModal(clickOf(interaction), modal) };
  return { ...base, modalTitle, ...inModal(inside) };
}
