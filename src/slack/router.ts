import type { App, ViewSubmitAction } from '@slack/bolt';
import { z } from 'zod';
import type {
  Click,
  ClickAction,
  Feature,
  Form,
  FormReading,
  Interaction,
  RunsInModal,
  SlashCommand,
} from '../feature.ts';
import { actionIdOf } from './blocks.ts';
import { tellFault } from './faults.ts';
import { begin, planOf, type InteractionParts, type Place, type Plan } from './interaction.ts';
import { RUN_COMMAND_ACTION } from './messages.ts';
import type { Person } from './people.ts';
import {
  clickPayload,
  commandPayload,
  submissionPayload,
  type ClickPayload,
  type SubmissionPayload,
} from './payloads.ts';
import { BUSY, createBackground, type InteractionKind } from './background.ts';
import { inModal, planCommand, saying } from './plans.ts';
import { faultView, FormState, sentenceView } from './views.ts';

const runCommandValue = z.object({ command: z.string(), text: z.string() });

export interface RouterParts extends InteractionParts {
  features: readonly Feature[];
  /** Told of each command, click, submission and look at App Home, for metrics. */
  observe?: (event: { kind: InteractionKind; name: string; outcome: string; durationMs: number }) => void;
}

export interface Router {
  /** Listens to everything that Slack delivers. */
  attach(app: App): void;
  /** Resolves when nothing is under way any more. */
  drain(): Promise<void>;
  /** Of what was acknowledged: how much waits, and how much is worked on. */
  counts(): { waiting: number; running: number };
}

/**
 * Leads what Slack delivers to the feature that answers it: acknowledged first, before any other I/O; then once only; then
 * only for people who may; and whatever goes wrong, the person is told one sentence with a reference.
 */
export function createRouter(parts: RouterParts): Router {
  const known = knownTo(parts.features);
  const background = createBackground(parts);
  return {
    attach: (app) => {
      app.command(/.*/, async ({ ack, body }) => {
        if (!background.hasRoom(body.user_id)) return ack({ response_type: 'ephemeral', text: BUSY });
        await ack();
        background.run('command', body.command, body.user_id, () => onCommand(parts, known, body));
      });
      app.action(/.*/, async ({ ack, body, action }) => {
        await ack();
        const name = 'action_id' in action ? actionIdOf(action.action_id) : 'unknown';
        if (background.hasRoom(body.user.id))
          background.run('click', name, body.user.id, () => onClick(parts, known, body));
        else background.refuse(body);
      });
      app.view<ViewSubmitAction>(/.*/, async ({ ack, body }: Submission) => {
        const { answer, name, person, busyAnswer, work } = onSubmission(parts, known, body);
        if (work && !background.hasRoom(person)) return ack(busyAnswer);
        await ack(answer);
        if (work) background.run('form', name, person, work);
      });
      app.view({ type: 'view_closed' }, async ({ ack }) => ack());
      app.event('app_home_opened', ({ event }) => {
        if (background.hasRoom(event.user))
          background.run('home', 'app_home_opened', event.user, () => () => parts.home.opened(event));
        return Promise.resolve();
      });
    },
    drain: () => background.drain(),
    counts: () => background.counts(),
  };
}

interface Known {
  commands: ReadonlyMap<string, SlashCommand>;
  actions: ReadonlyMap<string, ClickAction>;
  forms: ReadonlyMap<string, Form>;
}

function knownTo(features: readonly Feature[]): Known {
  return {
    commands: new Map(features.flatMap(({ commands = [] }) => commands.map((one) => [one.help.command, one]))),
    actions: new Map(features.flatMap(({ actions = [] }) => actions.map((one) => [one.actionId, one]))),
    forms: new Map(features.flatMap(({ forms = [] }) => forms.map((one) => [one.callbackId, one]))),
  };
}

function onCommand(parts: RouterParts, known: Known, body: unknown): () => Promise<string> {
  const sent = commandPayload.parse(body);
  return begin(parts, planCommand(parts, known.commands, sent), {
    key: `command:${sent.trigger_id}`,
    slackId: sent.user_id,
    triggerId: sent.trigger_id,
    channel: sent.channel_id,
    place: { kind: 'message', responseUrl: sent.response_url, replacesOriginal: false },
    about: { command: sent.command, user: sent.user_id },
  });
}

const ignored = () => Promise.resolve('ignored');

function onClick(parts: RouterParts, known: Known, body: unknown): () => Promise<string> {
  const sent = clickPayload.parse(body);
  const [action] = sent.actions;
  const place = placeOf(sent);
  // A button with an address is a link: Slack opens it, and there is nothing to do here.
  if (!action || !place || action.isLink) return ignored;
  const actionId = actionIdOf(action.actionId);
  // A choice in a form is read when the form is submitted.
  if (action.type !== 'button' && !known.actions.has(actionId)) return ignored;
  const plan =
    actionId === RUN_COMMAND_ACTION
      ? planOf(actionId, () => planCommand(parts, known.commands, runCommandValue.parse(JSON.parse(action.value))))
      : planClick(known.actions.get(actionId), sent, action.value);
  return begin(parts, plan, {
    key: `click:${sent.trigger_id ?? `${sent.user.id}:${action.actionTs}`}`,
    slackId: sent.user.id,
    triggerId: sent.trigger_id,
    channel: sent.channel?.id ?? '',
    place,
    about: { action: actionId, user: sent.user.id },
  });
}

function placeOf(sent: ClickPayload): Place | undefined {
  if (sent.response_url !== undefined) {
    const replacesOriginal = sent.container?.is_ephemeral === true;
    return { kind: 'message', responseUrl: sent.response_url, replacesOriginal };
  }
  if (sent.view?.type === 'modal') {
    return { kind: 'modal', viewId: sent.view.id, title: sent.view.title?.text ?? 'Quartermaster' };
  }
  return sent.view?.type === 'home' ? { kind: 'home' } : undefined;
}

function planClick(action: ClickAction | undefined, sent: ClickPayload, value: string): Plan {
  if (!action) return saying('This button belongs to another version of Quartermaster. Run the command again.');
  const base = { role: action.role, what: 'This button', outcome: 'answered' };
  const clickOf = <Who extends Person>(interaction: Interaction<Who>): Click<Who> => ({
    ...interaction,
    value,
    messageTs: sent.container?.message_ts,
    threadTs: sent.container?.thread_ts,
    isEphemeral: sent.container?.is_ephemeral === true,
  });
  if ('run' in action)
    return action.isRoleFresh
      ? { ...base, isRoleFresh: true, act: (interaction) => action.run(clickOf(interaction)) }
      : { ...base, act: (interaction) => action.run(clickOf(interaction)) };
  const { modalTitle } = action;
  const deed: RunsInModal = action.isRoleFresh
    ? { isRoleFresh: true, run: (interaction, modal) => action.runInModal(clickOf(interaction), modal) }
    : { run: (interaction, modal) => action.runInModal(clickOf(interaction), modal) };
  return { ...base, modalTitle, ...inModal(deed) };
}

/** `@slack/types` lags behind the blocks that Slack takes; the views here have been checked against Slack's own rules. */
interface Submission {
  ack(this: void, answer?: unknown): Promise<void>;
  body: unknown;
}

/** What a submission is acknowledged with, and what follows. */
interface Submitted {
  answer: object;
  name: string;
  person: string;
  /** In place of `answer` where there is no room for `work`: the form stays as it is, to be sent again. */
  busyAnswer: object;
  work?: () => () => Promise<string>;
}

const showing = (view: object) => ({ response_action: 'update', view });

function onSubmission(parts: RouterParts, known: Known, body: unknown): Submitted {
  const parsed = submissionPayload.safeParse(body);
  if (!parsed.success) {
    parts.log.error({ err: parsed.error }, 'A submission has an unknown shape');
    const answer = { response_action: 'clear' };
    return { answer, busyAnswer: answer, name: 'unknown', person: '' };
  }
  const { view, user } = parsed.data;
  const title = view.title?.text ?? 'Quartermaster';
  const form = known.forms.get(view.callback_id);
  const base = {
    name: form?.callbackId ?? 'unknown',
    person: user.id,
    busyAnswer: busyAnswerOf(title, view.state?.values),
  };
  if (!form) {
    const sentence = 'This form belongs to another version of Quartermaster. Close it and begin again.';
    return { ...base, answer: showing(sentenceView(title, sentence)) };
  }
  try {
    const reading = form.read(new FormState(view.state?.values), view.private_metadata, parts.clock.now());
    if (reading.kind === 'errors') return { ...base, answer: { response_action: 'errors', errors: reading.errors } };
    return {
      ...base,
      answer: showing(sentenceView(title, reading.working)),
      work: () => runForm(parts, form, reading, parsed.data),
    };
  } catch (error) {
    const told = tellFault(error, parts.log, { form: form.callbackId, user: user.id });
    return { ...base, answer: showing(faultView(title, told)) };
  }
}

/** An error needs a field to stand at; a form without any is replaced. */
function busyAnswerOf(title: string, values: unknown): object {
  const [field] = Object.keys(z.record(z.string(), z.unknown()).safeParse(values).data ?? {});
  return field === undefined
    ? showing(sentenceView(title, BUSY))
    : { response_action: 'errors', errors: { [field]: BUSY } };
}

function runForm(
  parts: RouterParts,
  form: Form,
  reading: Extract<FormReading, { kind: 'accepted' }>,
  { user, view, trigger_id: triggerId }: SubmissionPayload,
): () => Promise<string> {
  const plan: Plan = { role: form.role, what: 'This form', outcome: 'answered', ...inModal(reading) };
  return begin(parts, plan, {
    // Two clicks on Submit have two triggers, but one view.
    key: `form:${view.id}:${view.hash}`,
    slackId: user.id,
    triggerId,
    channel: '',
    place: { kind: 'modal', viewId: view.id, title: view.title?.text ?? 'Quartermaster' },
    about: { form: form.callbackId, user: user.id },
  });
}
