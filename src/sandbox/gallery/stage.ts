import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startDemo, type Demo, type DemoOptions } from '../demo/demo.ts';
import type { SandboxSlack } from '../slack/index.ts';
import type { MessageView, SlackEvent, ViewView } from '../slack/people/control-types.ts';
import { toWorkspaceNames } from '../../core/base/text/markup.ts';
import { actionOf, blocksOf, fieldOf, hasField, valuesIn, type Answers } from './elements.ts';
import type { Shot, SurfaceKind } from '../page/shot.ts';
import { skipWait, whileTimePasses } from './stage-time.ts';

/** An answer is complete when the bot is idle and nothing has been shown for this long. */
const QUIET_MS = 30;
const CHECK_EVERY_MS = 5;
/** Posts that wait for a condition may check it only every few seconds. */
const LONGEST_SKIP_TO_POST_MS = 15_000;
const TIMEOUT_MS = 150_000;
/** How often time is advanced during a wait. */
const STEP_EVERY_MS = 60;
/** A jump of the clock may abort a poll of the platform, and the next one is minutes later. */
const NUDGE_MS = 60_000;
const NUDGE_EVERY_MS = 1_500;
/** Texts of intermediate states: they are not the final answer. */
const PROGRESS =
  /…$|One moment …|(?:Setting it up|Checking it|Sending it|Denying it|Creating it|on the platform|Reading the list|Looking through the store|Beginning) …/;

export interface ActionEffects {
  /** The position in the sandbox’s log before the action. */
  since: number;
  /** The time after the last effect. */
  atMs: number;
  /** The last message that only this person sees. */
  answer?: MessageView;
  modal?: ViewView;
  home?: ViewView;
  /** Messages that were posted or edited in public, oldest first; each once, in its current form. */
  messages: readonly { message: MessageView; channel: string }[];
}

/** Parts of a text have to be in it, in any order. */
type Fits = RegExp | string | readonly string[];

export interface Stage extends Demo {
  /** Performs an action as a person, and waits until its effects end. */
  after(person: string, act: () => Promise<unknown>): Promise<ActionEffects>;
  type(person: string, command: string, text?: string, channel?: string): Promise<ActionEffects>;
  /** Presses a button of a message, or makes a choice in it, by its label. */
  press(person: string, message: MessageView, label: string, channel?: string, value?: string): Promise<ActionEffects>;
  pressIn(person: string, view: ViewView, label: string): Promise<ActionEffects>;
  fill(person: string, view: ViewView, answers: Answers): Promise<ActionEffects>;
  /** Chooses in a form without submitting it. */
  choose(person: string, view: ViewView, answers: Answers): Promise<ActionEffects>;
  openHome(person: string): Promise<ActionEffects>;
  /**
   * Waits for a post. Posts to one channel are a second apart, so it may come later than the answer.
   *
   * @param channel its name with `#`; any if left out
   */
  posted(effects: Pick<ActionEffects, 'since'>, fits: Fits, channel?: string): Promise<MessageView>;
  /** Advances time in steps until a message matches. */
  passUntil(effects: Pick<ActionEffects, 'since'>, fits: RegExp, stepMs: number): Promise<MessageView>;
  /** Advances time, and waits for the effects. */
  passTo(instant: string): Promise<ActionEffects>;
  /** Advances time where nobody will see anything of it. */
  passQuietly(durationMs: number): Promise<void>;
  closeModals(person: string): Promise<void>;
}

export async function openStage(options: Omit<DemoOptions, 'folder' | 'port'>): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-gallery-'));
  let fatal = '';
  const demo = await startDemo({ ...options, folder, port: 0, movesAreDowntime: true }, (reason) => (fatal = reason));
  const { slack } = demo;

  const after = async (person: string, act: () => Promise<unknown>, isEnough = isAnything): Promise<ActionEffects> => {
    const since = slack.mark();
    await act();
    const personId = slack.workspace.findPerson(person)?.id ?? '';
    await untilQuiet(
      demo,
      since,
      () => fatal,
      (events) => isEnough(collectEffects(events, personId)),
    );
    return { since, atMs: demo.clock.now().getTime(), ...collectEffects(slack.events.since(since), personId) };
  };
  const pressIn: Stage['pressIn'] = (as, { id, view }, label) => {
    const { actionId, blockId } = actionOf(blocksOf(view), label);
    return after(as, () => slack.control.click({ as, source: { in: 'modal', viewId: id }, actionId, blockId }));
  };
  /** Types what is shown first, then makes a choice that shows other fields, and at last opens *More options*. */
  const choose: Stage['choose'] = async (as, view, answers) => {
    const blocks = blocksOf(view.view);
    const entries = Object.entries(answers);
    const isSent = (label: string) => hasField(blocks, label) && fieldOf(blocks, label).isSent;
    const typed = entries.filter(([label]) => hasField(blocks, label) && !isSent(label));
    const choice = entries.find(([label]) => isSent(label));
    const remaining = entries.filter((entry) => !typed.includes(entry) && entry !== choice);
    const enter = (values: typeof entries) =>
      slack.control.type({ as, viewId: view.id, values: valuesIn(view.view, Object.fromEntries(values)) });
    await enter(typed);
    if (!choice && remaining.length === 0)
      return { since: slack.mark(), atMs: demo.clock.now().getTime(), messages: [], modal: view };
    const effects = choice ? await after(as, () => enter([choice])) : await pressIn(as, view, 'More options');
    const next = effects.modal ?? view;
    return remaining.length === 0 ? { ...effects, modal: next } : choose(as, next, Object.fromEntries(remaining));
  };
  return {
    ...demo,
    after,
    type: (as, command, text = '', channel = 'general') =>
      after(
        as,
        () =>
          slack.control.command({ as, channel, command: toWorkspaceNames(command, options.commandPrefix ?? ''), text }),
        isAnswered,
      ),
    press: async (as, message, label, channel = 'general', value) => {
      const source = { in: 'message' as const, channel, ts: message.ts };
      const { actionId, blockId } = actionOf((await presentMessage(slack, as, message)).blocks, label);
      return after(as, () =>
        slack.control.click({ as, source, actionId, blockId, ...(value === undefined ? {} : { value }) }),
      );
    },
    pressIn,
    fill: async (as, view, answers) => {
      const { modal = view } = await choose(as, view, answers);
      return after(as, () => slack.control.submit({ as, viewId: modal.id, values: {} }));
    },
    choose,
    openHome: (as) => after(as, () => slack.control.openHome({ as }), isAnswered),
    posted: (effects, fits, channel) => nextPost(demo, effects.since, fits, channel),
    passUntil: ({ since }, fits, stepMs) =>
      whileTimePasses(demo, nextPost(demo, since, fits), { everyMs: STEP_EVERY_MS, stepMs }),
    passTo: async (instant) => {
      const since = slack.mark();
      const move = () => {
        // On a slow machine, earlier waits may have passed the instant: a clock that goes back would delay everything due.
        demo.clock.moveTo(new Date(Math.max(new Date(instant).getTime(), demo.clock.now().getTime())));
        return Promise.resolve();
      };
      const isStill = () => !slack.events.since(since).some((event) => isShown(event));
      return whileTimePasses(demo, after('', move), { everyMs: NUDGE_EVERY_MS, stepMs: NUDGE_MS, isStill });
    },
    passQuietly: async (durationMs) => {
      demo.clock.moveTo(new Date(demo.clock.now().getTime() + durationMs));
      do await delay(QUIET_MS);
      while (!(await demo.isIdle()));
    },
    closeModals: async (as) => {
      await slack.control.close({ as, all: true });
    },
    stop: async () => {
      await demo.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether an event shows on a person’s screen. */
const isShown = (event: SlackEvent) =>
  ['message', 'message_updated', 'ephemeral', 'view_opened', 'view_updated', 'view_closed', 'home_published'].includes(
    event.kind,
  );

const isProgress = (event: SlackEvent | undefined) =>
  (event?.kind === 'ephemeral' && PROGRESS.test(event.message.text)) ||
  ((event?.kind === 'view_opened' || event?.kind === 'view_updated' || event?.kind === 'home_published') &&
    PROGRESS.test(JSON.stringify(event.view.view)));

type VisibleEffects = Omit<ActionEffects, 'since' | 'atMs'>;
const isAnything = (_effects: VisibleEffects) => true;
/** Messages to others may arrive in the meantime. */
const isAnswered = ({ answer, modal, home }: VisibleEffects) =>
  answer === undefined ? modal !== undefined || isShownHome(home) : !PROGRESS.test(answer.text);
const isShownHome = (home: ViewView | undefined) => home !== undefined && !PROGRESS.test(JSON.stringify(home.view));

/** The same message as its reader sees it now: an edit gives its blocks other ids. */
async function presentMessage({ control }: SandboxSlack, as: string, message: MessageView): Promise<MessageView> {
  const { channels } = await control.state({ as });
  return channels.flatMap(({ messages }) => messages).find(({ ts }) => ts === message.ts) ?? message;
}

async function nextPost(demo: Demo, since: number, fits: Fits, channel?: string): Promise<MessageView> {
  const { slack } = demo;
  const matchesText = (text: string) =>
    fits instanceof RegExp ? fits.test(text) : [fits].flat().every((part) => text.includes(part));
  const isIt = ({ message, channelName }: { message: MessageView; channelName: string }) =>
    !message.isEphemeral && matchesText(wholeText(message)) && (channel === undefined || channel === `#${channelName}`);
  const options = { since, timeoutMs: TIMEOUT_MS };
  const skipping = setInterval(() => skipWait(demo, LONGEST_SKIP_TO_POST_MS), CHECK_EVERY_MS);
  try {
    return (await slack.next(['message', 'message_updated'], isIt, options)).message;
  } finally {
    clearInterval(skipping);
  }
}

async function untilQuiet(
  demo: Demo,
  since: number,
  fatal: () => string,
  isEnough: (events: readonly SlackEvent[]) => boolean,
): Promise<void> {
  const { slack } = demo;
  const startMs = performance.now();
  let count = 0;
  let changedMs = startMs;
  for (;;) {
    const visibleEvents = slack.events.since(since).filter((event) => isShown(event));
    const nowMs = performance.now();
    if (visibleEvents.length !== count) changedMs = nowMs;
    count = visibleEvents.length;
    const isOver =
      count > 0 && !isProgress(visibleEvents.at(-1)) && isEnough(visibleEvents) && nowMs - changedMs >= QUIET_MS;
    if (isOver && (await demo.isIdle())) return;
    if (nowMs - startMs > TIMEOUT_MS) {
      const texts = visibleEvents.map((event) => ('message' in event ? event.message.text : event.kind));
      throw new Error(`No end after ${TIMEOUT_MS} ms. ${fatal()} What was shown: ${texts.join(' / ')}`);
    }
    skipWait(demo);
    await delay(CHECK_EVERY_MS);
  }
}

function collectEffects(events: readonly SlackEvent[], personId: string): VisibleEffects {
  const messages = new Map<string, { message: MessageView; channel: string }>();
  const latest: Omit<VisibleEffects, 'messages'> = {};
  for (const event of events) {
    if (event.kind === 'ephemeral' && event.to === personId) latest.answer = event.message;
    if (event.kind === 'message' || event.kind === 'message_updated') {
      const { message, channelName: channel } = event;
      if (message.isEphemeral) latest.answer = message;
      else messages.set(message.ts, { message, channel });
    }
    if ((event.kind === 'view_opened' || event.kind === 'view_updated') && event.person === personId)
      latest.modal = event.view;
    if (event.kind === 'home_published' && event.person === personId) latest.home = event.view;
  }
  return { ...latest, messages: [...messages.values()] };
}

const wholeText = ({ text, blocks }: MessageView) => `${text} ${JSON.stringify(blocks)}`;

export function viewOf({ modal }: ActionEffects): ViewView {
  if (!modal) throw new Error('No form was opened');
  return modal;
}

type Label = Pick<Shot, 'screen' | 'state' | 'reader'>;

/** @throws if nothing was shown: the gallery would silently lack a screen */
function present<Value>(value: Value | undefined, { screen, state }: Label, kind: SurfaceKind): Value {
  if (value === undefined) throw new Error(`${screen}, ${state}: no ${kind} was shown`);
  return value;
}

export function answerShot(label: Label, effects: ActionEffects): Shot {
  return messageShot(label, present(effects.answer, label, 'answer'), 'answer');
}

function messageShot(label: Label, message: MessageView, surface: SurfaceKind): Shot {
  const atMs = Number(message.editedTs ?? message.ts) * 1_000;
  return { ...label, surface, atMs, text: message.text, blocks: message.blocks, files: message.files };
}

/** @param fits selects one of several by its text */
export async function postedShot(stage: Stage, label: Label, effects: ActionEffects, fits = /./): Promise<Shot> {
  return messageIn(label, await stage.posted(effects, fits, label.reader.startsWith('#') ? label.reader : undefined));
}

/** A public message, or a reply in its thread. */
export function messageIn(label: Label, message: MessageView): Shot {
  const isReply = message.threadTs !== null && message.threadTs !== message.ts;
  return messageShot(label, message, isReply ? 'thread' : 'message');
}

export function modalShot(label: Label, effects: ActionEffects): Shot {
  const { view } = present(effects.modal, label, 'modal');
  const title = view['title'];
  const text = typeof title === 'object' && title !== null && 'text' in title ? String(title.text) : '';
  return { ...label, surface: 'modal', atMs: effects.atMs, text, blocks: blocksOf(view), view, files: [] };
}

export function homeShot(label: Label, effects: ActionEffects): Shot {
  const { view } = present(effects.home, label, 'home');
  return { ...label, surface: 'home', atMs: effects.atMs, text: 'Home', blocks: blocksOf(view), files: [] };
}
