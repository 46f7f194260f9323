import type { App } from '@slack/bolt';
import { z } from 'zod';
import type { ClickAction, Feature, Interaction, SlashCommand } from '../feature.ts';
import type { Logger } from '../log.ts';
import type { Clock } from '../schedule/clock.ts';
import type { Database } from '../store/database.ts';
import { actionIdOf } from './blocks.ts';
import { splitWords } from './command-words.ts';
import { tellFault } from './faults.ts';
import { faultMessage, helpMessage, plainMessage, roleSentence, RUN_COMMAND_ACTION } from './messages.ts';
import { hasRole, REFUSAL_SENTENCES, type People, type Person } from './people.ts';
import { createReply, type Reply } from './reply.ts';
import { isFirstTime } from './seen-events.ts';
import { createTurns } from './turns.ts';

const commandSchema = z.looseObject({
  command: z.string(),
  text: z.string().default(''),
  user_id: z.string(),
  channel_id: z.string().default(''),
  response_url: z.url(),
  trigger_id: z.string(),
});

const clickSchema = z.looseObject({
  user: z.looseObject({ id: z.string() }),
  channel: z.looseObject({ id: z.string() }).optional(),
  container: z.looseObject({ message_ts: z.string().optional(), is_ephemeral: z.boolean().optional() }).optional(),
  response_url: z.url().optional(),
  trigger_id: z.string().optional(),
  actions: z
    .array(z.looseObject({ action_id: z.string(), value: z.string().default(''), action_ts: z.string().default('') }))
    .min(1),
});

const runCommandValue = z.object({ command: z.string(), text: z.string() });

export interface RouterParts {
  features: readonly Feature[];
  people: People;
  db: Database;
  clock: Clock;
  log: Logger;
  /** Told of each command and click, for metrics. */
  observe?: (event: { kind: 'command' | 'click'; name: string; outcome: string; durationMs: number }) => void;
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
  const commands = new Map(
    parts.features.flatMap((feature) => feature.commands ?? []).map((one) => [one.help.command, one]),
  );
  const actions = new Map(parts.features.flatMap((feature) => feature.actions ?? []).map((one) => [one.actionId, one]));
  const running = new Set<Promise<void>>();
  const turn = createTurns();
  const background = (kind: 'command' | 'click', name: string, work: () => Promise<string>) => {
    const startedMs = performance.now();
    const promise = turn()
      .then(work)
      .catch((error: unknown) => {
        parts.log.error({ err: error, kind, name }, 'An interaction could not be answered');
        return 'unanswered';
      })
      .then((outcome) => parts.observe?.({ kind, name, outcome, durationMs: performance.now() - startedMs }))
      .finally(() => running.delete(promise));
    running.add(promise);
  };

  return {
    attach: (app) => {
      app.command(/.*/, async ({ ack, body }) => {
        await ack();
        background('command', body.command, () => onCommand(parts, commands, body));
      });
      app.action(/.*/, async ({ ack, body, action }) => {
        await ack();
        const name = 'action_id' in action ? actionIdOf(action.action_id) : 'unknown';
        background('click', name, () => onClick(parts, commands, actions, body));
      });
    },
    drain: async () => {
      await Promise.all(running);
    },
  };
}

async function onCommand(parts: RouterParts, commands: Map<string, SlashCommand>, body: unknown): Promise<string> {
  const payload = commandSchema.parse(body);
  if (!(await isFirstTime(parts.db, `command:${payload.trigger_id}`, parts.clock.now()))) return 'duplicate';
  const reply = makeReply(parts, payload.response_url, false);
  const about = { command: payload.command, user: payload.user_id };
  return answer(parts, reply, about, async () => {
    const person = await admit(parts.people, payload.user_id, reply);
    if (!person) return 'refused';
    const log = parts.log.child(about);
    return runCommand(parts, commands, payload, { person, channel: payload.channel_id, reply, log });
  });
}

async function runCommand(
  parts: RouterParts,
  commands: Map<string, SlashCommand>,
  typed: { command: string; text: string },
  interaction: Interaction,
): Promise<string> {
  const { person, reply } = interaction;
  const command = commands.get(typed.command);
  if (!command) {
    await reply.show(plainMessage(`This version of Quartermaster does not know ${typed.command}.`));
    return 'unknown';
  }
  if (!hasRole(person.role, command.role)) {
    await reply.show(plainMessage(roleSentence(typed.command, command.role)));
    return 'refused';
  }
  const read = command.read(splitWords(typed.text), parts.clock.now());
  if (read.kind === 'run') {
    await read.run(interaction);
    return 'answered';
  }
  await reply.show(helpMessage(command.help, read.kind === 'help' ? {} : read));
  return read.kind;
}

async function onClick(
  parts: RouterParts,
  commands: Map<string, SlashCommand>,
  actions: Map<string, ClickAction>,
  body: unknown,
): Promise<string> {
  const payload = clickSchema.parse(body);
  const action = payload.actions[0];
  // A button with an address is a link: Slack opens it, and there is nothing to do here.
  if (!action || !payload.response_url) return 'ignored';
  const key = `click:${payload.trigger_id ?? `${payload.user.id}:${action.action_ts}`}`;
  if (!(await isFirstTime(parts.db, key, parts.clock.now()))) return 'duplicate';
  const reply = makeReply(parts, payload.response_url, payload.container?.is_ephemeral === true);
  const actionId = actionIdOf(action.action_id);
  const about = { action: actionId, user: payload.user.id };
  return answer(parts, reply, about, async () => {
    const person = await admit(parts.people, payload.user.id, reply);
    if (!person) return 'refused';
    const channel = payload.channel?.id ?? '';
    const interaction = { person, channel, reply, log: parts.log.child(about) };
    if (actionId === RUN_COMMAND_ACTION) {
      return runCommand(parts, commands, runCommandValue.parse(JSON.parse(action.value)), interaction);
    }
    return runAction(actions.get(actionId), {
      ...interaction,
      value: action.value,
      messageTs: payload.container?.message_ts,
    });
  });
}

async function runAction(action: ClickAction | undefined, click: Parameters<ClickAction['run']>[0]): Promise<string> {
  if (!action) {
    await click.reply.show(
      plainMessage('This button belongs to another version of Quartermaster. Run the command again.'),
    );
    return 'unknown';
  }
  if (!hasRole(click.person.role, action.role)) {
    await click.reply.show(plainMessage(roleSentence('This button', action.role)));
    return 'refused';
  }
  await action.run(click);
  return 'answered';
}

/** Runs an answer; whatever it throws becomes one sentence for the person and everything for the log. */
async function answer(
  parts: RouterParts,
  reply: Reply,
  about: Record<string, unknown>,
  run: () => Promise<string>,
): Promise<string> {
  try {
    return await run();
  } catch (error) {
    await reply.show(faultMessage(tellFault(error, parts.log, about)));
    return 'fault';
  }
}

async function admit(people: People, slackId: string, reply: Reply): Promise<Person | undefined> {
  const identification = await people.identify(slackId);
  if (identification.kind === 'known') return identification.person;
  await reply.show(plainMessage(REFUSAL_SENTENCES[identification.reason]));
  return undefined;
}

function makeReply(parts: RouterParts, responseUrl: string, replacesOriginal: boolean): Reply {
  return createReply({ responseUrl, replacesOriginal, clock: parts.clock, log: parts.log });
}
