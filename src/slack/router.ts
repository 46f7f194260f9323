import type { App, MessageShortcut, ViewSubmitAction } from '@slack/bolt';
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
import { inModal, planCommand, saying } from './plans.ts';
import { createTurns } from './turns.ts';
import { faultView, FormState, sentenceView } from './views.ts';

const runCommandValue = z.object({ command: z.string(), text: z.string() });

type InteractionKind = 'command' | 'click' | 'form' | 'home' | 'shortcut';

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
        await ack();
        background.run('command', body.command, () => onCommand(parts, known, body));
      });
      app.action(/.*/, async ({ ack, body, action }) => {
        await ack();
        const name = 'action_id' in action ? actionIdOf(action.action_id) : 'unknown';
        background.run('click', name, () => onClick(parts, known, body));
      });
      app.view<ViewSubmitAction>(/.*/, async ({ ack, body }: Submission) => {
        const { answer, name, work } = onSubmission(parts, known, body);
        await ack(answer);
        if (work) background.run('form', name, work);
      });
      app.shortcut<MessageShortcut>({ type: 'message_action' }, async ({ ack, body }) => {
        await ack();
        background.run('shortcut', 'message_action', () => () => sayNoShortcut(parts, body.response_url));
      });
      app.event('app_home_opened', ({ event }) => {
        background.run('home', 'app_home_opened', () => () => parts.home.opened(event));
        return Promise.resolve();
      });
    },
    drain: () => background.drain(),
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

/** What follows an acknowledgement: begun at once where it cannot wait, and otherwise when its turn has come. */
function createBackground(parts: Pick<RouterParts, 'log' | 'observe'>) {
  const running = new Set<Promise<void>>();
  const turn = createTurns();
  return {
    /** @param start begins what cannot wait, and returns the rest */
    run: (kind: InteractionKind, name: string, start: () => () => Promise<string>) => {
      const startedMs = performance.now();
      const promise = Promise.resolve()
        .then(start)
        .then((work) => turn().then(work))
        .catch((error: unknown) => {
          parts.log.error({ err: error, kind, name }, 'An interaction could not be answered');
          return 'unanswered';
        })
        .then((outcome) => parts.observe?.({ kind, name, outcome, durationMs: performance.now() - startedMs }))
        .finally(() => running.delete(promise));
      running.add(promise);
    },
    drain: async () => {
      await Promise.all(running);
    },
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

/** A shortcut of an older or another manifest. */
async function sayNoShortcut({ postToResponseUrl }: RouterParts, responseUrl: string): Promise<string> {
  const text = 'This version of Quartermaster has no shortcuts. Type /usage help to see what it does.';
  await postToResponseUrl(responseUrl, { response_type: 'ephemeral', replace_original: false, text });
  return 'unknown';
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
  work?: () => () => Promise<string>;
}

const showing = (view: object) => ({ response_action: 'update', view });

function onSubmission(parts: RouterParts, known: Known, body: unknown): Submitted {
  const parsed = submissionPayload.safeParse(body);
  if (!parsed.success) {
    parts.log.error({ err: parsed.error }, 'A submission has an unknown shape');
    return { answer: { response_action: 'clear' }, name: 'unknown' };
  }
  const { view } = parsed.data;
  const title = view.title?.text ?? 'Quartermaster';
  const form = known.forms.get(view.callback_id);
  if (!form) {
    const sentence = 'This form belongs to another version of Quartermaster. Close it and begin again.';
    return { answer: showing(sentenceView(title, sentence)), name: 'unknown' };
  }
  try {
    const reading = form.read(new FormState(view.state?.values), view.private_metadata, parts.clock.now());
    if (reading.kind === 'errors') {
      return { answer: { response_action: 'errors', errors: reading.errors }, name: form.callbackId };
    }
    return {
      answer: showing(sentenceView(title, reading.working)),
      name: form.callbackId,
      work: () => runForm(parts, form, reading, parsed.data),
    };
  } catch (error) {
    const told = tellFault(error, parts.log, { form: form.callbackId, user: parsed.data.user.id });
    return { answer: showing(faultView(title, told)), name: form.callbackId };
  }
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
