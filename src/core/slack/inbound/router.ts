import type { WebClient } from '@slack/web-api';
import type { App, MessageShortcut, ViewSubmitAction } from '@slack/bolt';
import type { Interactions } from '../interactions/interactions.ts';
import type { Job } from '../../schedule/job-times.ts';
import { BUSY, createBackground, type InteractionKind } from './background.ts';
import { actionIdOf } from '../blocks/blocks.ts';
import { plainMessage } from '../blocks/messages.ts';
import { onClick, pendingClick } from './clicks.ts';
import { begin, type InteractionDeps } from './interaction.ts';
import { indexHandlers, type HandlersByName } from './handlers-by-name.ts';
import { commandPayload, keptForm, shortcutPayload, type ShortcutPayload } from './payloads.ts';
import { fromWorkspaceName } from '../../base/settings/command-names.ts';
import type { InWorkspaceNames } from '../client/workspace-names.ts';
import type { StoreFirst } from '../receivers/dispatch.ts';
import type { Interaction as KeptInteraction, PendingInteractions } from './pending/pending-interactions.ts';
import { planCommand } from './plans.ts';
import { answerQuestion } from './messages/answer-question.ts';
import type { Question } from '../interactions/question.ts';
import { planResumption } from './pending/resume.ts';
import { readDirectedMessage } from '../interactions/directed-messages.ts';
import { createMessageReply } from './messages/message-reply.ts';
import { onSubmission } from './submissions.ts';

const NOT_STORED = 'This couldn’t be saved right now, so nothing was done. Try again in a minute.';

/** A stored arrival of an interaction. */
interface Kept {
  key: string;
  /** Await it before the work. */
  written: Promise<unknown>;
}

export interface RouterDeps extends InteractionDeps {
  features: readonly Interactions[];
  pending: PendingInteractions;
  interactive: WebClient;
  botUserId: string;
  commandPrefix: string;
  inWorkspaceNames: InWorkspaceNames;
  /** Called with each command, click, submission and opened App Home, for metrics. */
  observe?: (event: { kind: InteractionKind; name: string; outcome: string; durationMs: number }) => void;
}

export interface Router {
  /** Stores a click that changes something, if there is room to work on it. */
  storeFirst: StoreFirst;
  attach(app: App): void;
  /** Answers a question like the slash command, for metrics too. */
  ask: (question: Question & { name: string }) => Promise<string>;
  /** Resumes acknowledged interactions after a crash. */
  jobs: readonly Job[];
  /** Resolves when no work is running. Call it when requests have stopped arriving. */
  drain(): Promise<void>;
  counts(): { waiting: number; running: number };
}

/** Acknowledges each payload before other I/O and handles it once. After an error the person sees a sentence. */
export function createRouter(deps: RouterDeps): Router {
  const handlers = indexHandlers(deps.features);
  const background = createBackground(deps);
  const { pending } = deps;
  /**
   * Accepts an interaction with its acknowledgement, and not before: a row that the store takes after the refusal is
   * never carried out. If the acknowledgement fails, Slack shows an error, so that nothing is done.
   *
   * @returns undefined if it was not stored, and this was acknowledged
   */
  const acknowledge = async (
    interaction: KeptInteraction,
    ack: (isStored: boolean) => Promise<void>,
  ): Promise<Kept | undefined> => {
    const key = await pending.store(interaction);
    if (key === undefined) {
      await ack(false);
      return undefined;
    }
    const { written } = await pending.accept(key);
    try {
      await ack(true);
    } catch (error) {
      await written.then(() => pending.refuse(key));
      throw error;
    }
    return { key, written };
  };
  /** Finishes a stored arrival when its work has ended, with or without success: then the person has an answer. */
  const finishing =
    ({ key, written }: Kept, start: () => () => Promise<string>) =>
    () => {
      const work = startSafely(start);
      return async () => {
        try {
          await written;
          return await work();
        } finally {
          await pending.finish(key);
        }
      };
    };
  const resume = async () => {
    for (const abandoned of await pending.claimAbandoned()) {
      deps.log.warn(
        { interaction: abandoned.interaction, isOver: abandoned.isExpired },
        'Work on an acknowledged interaction was left unfinished',
      );
      const { name, person, start } = planResumption(deps, handlers, abandoned);
      background.run(
        abandoned.kind,
        name,
        person,
        finishing({ key: abandoned.key, written: Promise.resolve() }, start),
      );
    }
  };
  return {
    jobs: [{ name: 'resume-interactions', run: resume }],
    ask: async (question) => {
      const { name, slackId, reply } = question;
      if (!background.hasRoom(slackId)) {
        await reply.show(plainMessage(BUSY));
        return 'busy';
      }
      return background.perform('question', name, slackId, () => () => answerQuestion(deps, handlers, question));
    },
    storeFirst: (body, ack) => {
      const click = pendingClick(body);
      if (!click || handlers.actions.get(click.actionId)?.isKept !== true) return undefined;
      const { stored } = click;
      if (!background.hasRoom(stored.payload.user.id)) return undefined;
      return acknowledge(stored, () => ack()).then((kept) => () => {
        const run = (work: () => () => Promise<string>) =>
          background.run('click', click.actionId, stored.payload.user.id, work);
        if (kept) run(finishing(kept, () => onClick(deps, handlers, body, { arrival: kept.key })));
        // A click in a modal or App Home has no response address, so the refusal is shown in a modal.
        else if (!background.refuse(body, NOT_STORED))
          run(() => onClick(deps, handlers, body, { refusal: NOT_STORED }));
      });
    },
    attach: (app) => {
      app.command(/.*/, async ({ ack, body }) => {
        if (!background.hasRoom(body.user_id)) return ack({ response_type: 'ephemeral', text: BUSY });
        await ack();
        const command = fromWorkspaceName(body.command, deps.commandPrefix);
        background.run('command', command, body.user_id, () => onCommand(deps, handlers, { ...body, command }));
      });
      app.action(/.*/, async ({ ack, body, action }) => {
        const name = 'action_id' in action ? actionIdOf(action.action_id) : 'unknown';
        // A click that must be stored first arrives here only if there was no room for it.
        const hasRoom = handlers.actions.get(name)?.isKept !== true && background.hasRoom(body.user.id);
        await ack();
        if (hasRoom) background.run('click', name, body.user.id, () => onClick(deps, handlers, body));
        else if (!background.refuse(body, BUSY)) deps.log.warn('Dropped a click: too many are waiting');
      });
      app.view<ViewSubmitAction>(/.*/, async ({ ack, body }: Submission) => {
        const { answer, name, interaction, person, refusal, work } = onSubmission(deps, handlers, body);
        const answered = deps.inWorkspaceNames(answer);
        if (!work) return ack(answered);
        if (!background.hasRoom(person)) return ack(refusal(BUSY));
        const form = { interaction, kind: 'form' as const, payload: keptForm.parse(body) };
        const kept = await acknowledge(form, (isStored) => ack(isStored ? answered : refusal(NOT_STORED)));
        if (kept)
          background.run(
            'form',
            name,
            person,
            finishing(kept, () => work(kept.key)),
          );
      });
      app.shortcut<MessageShortcut>({ type: 'message_action' }, async ({ ack, body }) => {
        await ack();
        if (background.hasRoom(body.user.id))
          background.run(
            'shortcut',
            'message_action',
            body.user.id,
            () => () => answerShortcut(deps, body.response_url),
          );
      });
      app.shortcut({ type: 'shortcut' }, async ({ ack, body }) => {
        await ack();
        const payload = shortcutPayload.parse(body);
        if (background.hasRoom(payload.user.id))
          background.run('shortcut', shortcutName(payload), payload.user.id, () => onShortcut(deps, handlers, payload));
      });
      // Without a feature that reads messages, no manifest of this version subscribes to them.
      const answerMessage = deps.features.find((feature) => feature.answerMessage)?.answerMessage;
      const onMessage = ({ event }: { event: unknown }) => {
        const message = readDirectedMessage(event, deps.botUserId, deps.clock.now());
        if (!message || !answerMessage || !background.hasRoom(message.slackId)) return Promise.resolve();
        const answering = {
          reply: createMessageReply(deps, message),
          answer: (question: Question) => answerQuestion(deps, handlers, question),
        };
        const name = message.isDirect ? 'direct_message' : 'mention';
        background.run('question', name, message.slackId, () => () => answerMessage(message, answering));
        return Promise.resolve();
      };
      app.event('message', onMessage);
      app.event('app_mention', onMessage);
      app.event('app_home_opened', ({ event }) => {
        if (background.hasRoom(event.user))
          background.run('home', 'app_home_opened', event.user, () => () => deps.home.opened(event));
        return Promise.resolve();
      });
    },
    drain: () => {
      pending.flushNow();
      return background.drain();
    },
    counts: () => background.counts(),
  };
}

/** Turns an error at the start into one of the work, so that the interaction is still finished. */
function startSafely(start: () => () => Promise<string>): () => Promise<string> {
  try {
    return start();
  } catch (error) {
    return () => Promise.reject(error);
  }
}

/** `@slack/types` lacks newer blocks. The views here were checked against Slack's own rules. */
interface Submission {
  ack(this: void, answer?: unknown): Promise<void>;
  body: unknown;
}

function onCommand(deps: RouterDeps, handlers: HandlersByName, body: unknown): () => Promise<string> {
  const payload = commandPayload.parse(body);
  return begin(deps, planCommand(deps, handlers.commands, payload), {
    once: { interaction: `command:${payload.trigger_id}` },
    slackId: payload.user_id,
    triggerId: payload.trigger_id,
    channel: payload.channel_id,
    origin: { kind: 'message', responseUrl: payload.response_url, replacesOriginal: false },
    about: { command: payload.command, user: payload.user_id },
  });
}

/** The shortcuts of manifest.yml, and the commands that they run. */
const SHORTCUTS: Readonly<Record<string, { command: string; text: string }>> = {
  my_usage: { command: '/usage', text: 'last week me' },
  request_limit: { command: '/limits', text: 'request' },
};
const UNKNOWN_SHORTCUT = { command: '/quartermaster', text: '' };

const shortcutOf = ({ callback_id: id }: ShortcutPayload) =>
  Object.hasOwn(SHORTCUTS, id) ? (SHORTCUTS[id] ?? UNKNOWN_SHORTCUT) : UNKNOWN_SHORTCUT;
const shortcutName = (payload: ShortcutPayload) => shortcutOf(payload).command.slice(1);

/** There is no channel, so the answer is a modal. */
function onShortcut(deps: RouterDeps, handlers: HandlersByName, payload: ShortcutPayload): () => Promise<string> {
  const line = shortcutOf(payload);
  return begin(deps, planCommand(deps, handlers.commands, line), {
    once: { interaction: `shortcut:${payload.trigger_id}` },
    slackId: payload.user.id,
    triggerId: payload.trigger_id,
    channel: '',
    origin: { kind: 'home' },
    about: { command: line.command, user: payload.user.id },
  });
}

/** Answers a shortcut from an older or another manifest. */
async function answerShortcut({ postToResponseUrl }: RouterDeps, responseUrl: string): Promise<string> {
  const text = 'This version of Quartermaster has no shortcuts. Type /usage help to see what it does.';
  await postToResponseUrl(responseUrl, { response_type: 'ephemeral', replace_original: false, text });
  return 'unknown';
}
