import { z } from 'zod';
import type { Click, ClickAction, Interaction, RunsInModal } from '../interactions/interactions.ts';
import { actionIdOf } from '../blocks/blocks.ts';
import { begin, planOf, type InteractionDeps, type Origin, type Plan } from './interaction.ts';
import type { HandlersByName } from './handlers-by-name.ts';
import { RUN_COMMAND_ACTION } from '../blocks/messages.ts';
import { clickPayload, keptClick, type ClickPayload } from './payloads.ts';
import type { Person } from '../people/people.ts';
import { FormState } from '../blocks/views.ts';
import { inModal, planCommand, sentencePlan } from './plans.ts';

const runCommandValue = z.object({ command: z.string(), text: z.string() });

const ignored = () => Promise.resolve('ignored');

interface ClickOptions {
  /** The key under which it was stored. */
  arrival?: string;
  /** It continues after a crash. */
  isResumed?: boolean;
  /** Only shows it. */
  refusal?: string;
}

/** @returns the work that remains */
export function onClick(
  deps: InteractionDeps,
  handlers: HandlersByName,
  body: unknown,
  { arrival, isResumed = false, refusal }: ClickOptions = {},
): () => Promise<string> {
  const payload = clickPayload.parse(body);
  const [action] = payload.actions;
  const origin = originOf(payload, action?.type === 'button');
  // A button with an address is a link: Slack opens it, so nothing is left to do.
  if (!action || !origin || action.isLink) return ignored;
  const actionId = actionIdOf(action.actionId);
  // A choice in a form is read when the form is submitted.
  if (action.type !== 'button' && !handlers.actions.has(actionId)) return ignored;
  const planAction = () =>
    actionId === RUN_COMMAND_ACTION
      ? planOf(actionId, () => planCommand(deps, handlers.commands, runCommandValue.parse(JSON.parse(action.value))))
      : planClick(handlers.actions.get(actionId), payload, action, deps.clock.now());
  const plan = refusal === undefined ? planAction() : sentencePlan(refusal);
  return begin(deps, plan, {
    once: isResumed
      ? undefined
      : { interaction: nameOfClick(payload.trigger_id, payload.user.id, action.actionTs), arrival },
    slackId: payload.user.id,
    triggerId: payload.trigger_id,
    channel: payload.channel?.id ?? '',
    origin,
    ...(payload.view?.type === 'modal' ? { form: payload.view } : {}),
    about: { action: actionId, user: payload.user.id },
  });
}

/** The same press always has the same trigger. Without a trigger, user and time identify it to the microsecond. */
const nameOfClick = (triggerId: string | undefined, userId: string, actionTs: string) =>
  `click:${triggerId ?? `${userId}:${actionTs}`}`;

/** The parts of a click that are needed to resume it. Its trigger will have expired, so it is left out. */
export function pendingClick(body: object) {
  // A parse that fails takes longer than the acknowledgement of a command.
  if (!('type' in body) || body.type !== 'block_actions') return undefined;
  const { data } = keptClick.safeParse(body);
  if (!data) return undefined;
  const { type: _, trigger_id: triggerId, ...payload } = data;
  const [{ action_id: actionId, action_ts: actionTs }] = payload.actions;
  const interaction = nameOfClick(triggerId, payload.user.id, actionTs);
  return { actionId: actionIdOf(actionId), stored: { interaction, kind: 'click' as const, payload } };
}

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

function planClick(
  action: ClickAction | undefined,
  payload: ClickPayload,
  { value, actionTs }: ClickPayload['actions'][number],
  now: Date,
): Plan {
  if (!action) return sentencePlan('This button is from another version of Quartermaster. Run the command again.');
  const base = {
    role: action.role,
    what: 'This button',
    outcome: 'answered',
    ...(action.mayBeGuest ? { mayBeGuest: true } : {}),
  };
  const clickOf = <Who extends Person>(interaction: Interaction<Who>): Click<Who> => ({
    ...interaction,
    clickedAt: instantOf(actionTs) ?? now,
    value,
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
