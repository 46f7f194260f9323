import type { WebClient } from '@slack/web-api';
import type { AnswerMessage, Interactions } from '../interactions/interactions.ts';
import type { Job } from '../../schedule/job.ts';
import { BUSY, createBackground, type InteractionKind } from './background.ts';
import { actionIdOf } from '../blocks/blocks.ts';
import { plainMessage } from '../blocks/messages.ts';
import { nameOfClick, onClick } from './clicks.ts';
import { type InteractionDeps, beginInteraction, planCommand } from './interaction.ts';
import { indexHandlers, type HandlersByName } from './handlers-by-name.ts';
import {
  storedClick,
  storedForm,
  type CommandPayload,
  type JoinedChannel,
  type MessageShortcutPayload,
  type Payload,
  type ShortcutPayload,
} from './payload.ts';
import { fromWorkspaceName } from '../../base/text/markup.ts';
import type { InWorkspaceNames } from '../client/clients.ts';
import type { Interaction as KeptInteraction, PendingInteractions } from './pending-interactions.ts';
import { answerQuestion } from './answer-question.ts';
import type { Question } from '../interactions/question.ts';
import { planResumption } from './resume.ts';
import { readDirectedMessage, type DirectedEvent } from '../interactions/directed-messages.ts';
import { createMessageReply } from './message-reply.ts';
import { nameOfForm, onSubmission } from './submissions.ts';

const NOT_STORED = 'This couldn’t be saved right now, so nothing was done. Try again in a minute.';

/** A stored arrival of an interaction. */
interface Kept {
  key: string;
  /** Await it before the work. */
  written: Promise<unknown>;
}

export interface RouterDeps extends InteractionDeps {
  features: readonly Interactions[];
  answerMessage: AnswerMessage;
  pending: PendingInteractions;
  interactive: WebClient;
  botUserId: string;
  commandPrefix: string;
  inWorkspaceNames: InWorkspaceNames;
  /** Called with each command, click, submission and opened App Home, for metrics. */
  observe?: (event: { kind: InteractionKind; name: string; outcome: string; durationMs: number }) => void;
}

/** Answers Slack at once, with a text, a view or nothing. */
type Acknowledge = (answer?: object) => Promise<void>;

export interface Router {
  /** Acknowledges a payload and begins its work. @param ack events of Slack are acknowledged by Bolt */
  handle(payload: Payload, ack: Acknowledge): Promise<void>;
  /** Answers a question like the slash command, for metrics too. */
  ask: (question: Question & { name: string }) => Promise<string>;
  /** Resumes acknowledged interactions after a crash. */
  jobs: readonly Job[];
  /** Resolves when no work is running. Call it when requests have stopped arriving. */
  drain(): Promise<void>;
  counts(): { waiting: number; running: number };
}

/** Handles each payload once. After an error the person sees a sentence. */
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
  const acknowledgeStored = async (
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

  const onCommand = async (typed: CommandPayload, ack: Acknowledge) => {
    if (!background.hasRoom(typed.user_id)) return ack({ response_type: 'ephemeral', text: BUSY });
    await ack();
    const command = { ...typed, command: fromWorkspaceName(typed.command, deps.commandPrefix) };
    background.run('command', command.command, typed.user_id, () => beginCommand(deps, handlers, command));
  };
  const onClicked = async ({ click, sentView }: Extract<Payload, { kind: 'click' }>, ack: Acknowledge) => {
    const name = actionIdOf(click.actions[0].action_id);
    const refuse = (sentence: string) => background.refuse(click.response_url, sentence);
    if (!background.hasRoom(click.user.id)) {
      await ack();
      if (!refuse(BUSY)) deps.log.warn('Dropped a click: too many are waiting');
      return;
    }
    const run = (work: () => () => Promise<string>) => background.run('click', name, click.user.id, work);
    if (handlers.actions.get(name)?.isKept !== true) {
      await ack();
      run(() => onClick(deps, handlers, click, { sentView }));
      return;
    }
    // It changes something, so it is stored before its acknowledgement.
    const stored = { interaction: nameOfClick(click), kind: 'click' as const, payload: storedClick(click) };
    const kept = await acknowledgeStored(stored, () => ack());
    if (kept) run(finishing(kept, () => onClick(deps, handlers, click, { arrival: kept.key, sentView })));
    // A click in a modal or App Home has no response address, so the refusal is shown in a modal.
    else if (!refuse(NOT_STORED)) run(() => onClick(deps, handlers, click, { refusal: NOT_STORED }));
  };
  const onSubmitted = async ({ submission, sentView }: Extract<Payload, { kind: 'submission' }>, ack: Acknowledge) => {
    const { answer, name, refusal, work } = onSubmission(deps, handlers, submission, sentView);
    const answered = deps.inWorkspaceNames(answer);
    if (!work) return ack(answered);
    const person = submission.user.id;
    if (!background.hasRoom(person)) return ack(refusal(BUSY));
    const form = { interaction: nameOfForm(submission), kind: 'form' as const, payload: storedForm(submission) };
    const kept = await acknowledgeStored(form, (isStored) => ack(isStored ? answered : refusal(NOT_STORED)));
    if (kept)
      background.run(
        'form',
        name,
        person,
        finishing(kept, () => work(kept.key)),
      );
  };
  const onShortcut = async (shortcut: ShortcutPayload, ack: Acknowledge) => {
    await ack();
    const { user } = shortcut;
    if (background.hasRoom(user.id))
      background.run('shortcut', shortcutName(shortcut), user.id, () => beginShortcut(deps, handlers, shortcut));
  };
  const onMessageShortcut = async ({ user, response_url: address }: MessageShortcutPayload, ack: Acknowledge) => {
    await ack();
    if (background.hasRoom(user.id))
      background.run('shortcut', 'message_action', user.id, () => () => answerMessageShortcut(deps, address));
  };
  const onMessage = (event: DirectedEvent) => {
    const message = readDirectedMessage(event, deps.botUserId, deps.clock.now());
    if (!message || !background.hasRoom(message.slackId)) return;
    const answering = {
      reply: createMessageReply(deps, message),
      answer: (question: Question) => answerQuestion(deps, handlers, question),
      commands: handlers.commands,
    };
    const name = message.isDirect ? 'direct_message' : 'mention';
    background.run('question', name, message.slackId, () => () => deps.answerMessage(message, answering));
  };

  /** It also joins channels by itself, for what somebody sets up there: then there is no inviter. */
  const onJoined = ({ user, channel, inviter }: JoinedChannel) => {
    if (user !== deps.botUserId || inviter === undefined || !background.hasRoom(inviter)) return;
    background.run('event', 'member_joined_channel', inviter, () => async () => {
      await Promise.all(deps.features.map(async (feature) => feature.onInvited?.(channel)));
      return 'done';
    });
  };

  return {
    handle: async (payload, ack) => {
      switch (payload.kind) {
        case 'command':
          return onCommand(payload.command, ack);
        case 'click':
          return onClicked(payload, ack);
        case 'submission':
          return onSubmitted(payload, ack);
        case 'shortcut':
          return onShortcut(payload.shortcut, ack);
        case 'message_shortcut':
          return onMessageShortcut(payload.shortcut, ack);
        case 'message':
          return onMessage(payload.event);
        case 'home': {
          const { opened } = payload;
          if (background.hasRoom(opened.user))
            background.run('home', 'app_home_opened', opened.user, () => () => deps.home.opened(opened));
          return undefined;
        }
        case 'joined':
          return onJoined(payload.joined);
        default:
          return payload satisfies never;
      }
    },
    jobs: [
      {
        name: 'resume-interactions',
        cron: '* * * * *',
        purpose: 'resumes clicks and forms that a stop interrupted',
        run: resume,
      },
    ],
    ask: async (question) => {
      const { name, slackId, reply } = question;
      if (!background.hasRoom(slackId)) {
        await reply.show(plainMessage(BUSY));
        return 'busy';
      }
      return background.perform('question', name, slackId, () => () => answerQuestion(deps, handlers, question));
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

function beginCommand(deps: RouterDeps, handlers: HandlersByName, typed: CommandPayload): () => Promise<string> {
  return beginInteraction(deps, planCommand(deps, handlers.commands, typed), {
    once: { interaction: `command:${typed.trigger_id}` },
    slackId: typed.user_id,
    triggerId: typed.trigger_id,
    channel: typed.channel_id,
    origin: { kind: 'message', responseUrl: typed.response_url, replacesOriginal: false },
    about: { command: typed.command, user: typed.user_id },
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
function beginShortcut(deps: RouterDeps, handlers: HandlersByName, payload: ShortcutPayload): () => Promise<string> {
  const line = shortcutOf(payload);
  return beginInteraction(deps, planCommand(deps, handlers.commands, line), {
    once: { interaction: `shortcut:${payload.trigger_id}` },
    slackId: payload.user.id,
    triggerId: payload.trigger_id,
    channel: '',
    origin: { kind: 'home' },
    about: { command: line.command, user: payload.user.id },
  });
}

/** Answers a shortcut from an older or another manifest. */
async function answerMessageShortcut({ postToResponseUrl }: RouterDeps, responseUrl: string): Promise<string> {
  const text = 'This version of Quartermaster has no shortcuts. Type /usage help to see what it does.';
  await postToResponseUrl(responseUrl, { response_type: 'ephemeral', replace_original: false, text });
  return 'unknown';
}
