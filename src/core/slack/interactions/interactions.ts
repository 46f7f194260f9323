import type { Markup } from '../../base/text/markup.ts';
import type { Logger } from '../../base/log.ts';
import type { Names } from '../../base/privacy/disclosure.ts';
import type { Block, BlockMessage, Button } from '../blocks/blocks.ts';
import type { Refusal, RoleDenial } from '../blocks/messages.ts';
import type { CommandHelp } from '../commands/command-text.ts';
import type { FreshPerson, Person } from '../people/people.ts';
import type { RequiredRole } from '../../base/roles.ts';
import type { DirectedMessage } from './directed-messages.ts';
import type { AskQuestion } from './question.ts';
import type { Reply } from '../outbound/reply.ts';
import type { FormState, OpenModal } from '../blocks/views.ts';

export interface Interaction<Who extends Person = Person> {
  person: Who;
  /** Empty in a modal and in App Home. */
  channel: string;
  /** Answers in the conversation. In App Home and in a modal there is none, so the answer is shown as a modal. */
  reply: Reply;
  log: Logger;
  /** If the person lacks a role, it names the admins to ask. */
  refusal: (why: Refusal) => Promise<BlockMessage>;
  /** Sends a message to the person's direct messages, for when a modal is closed. It names no other people. */
  sendDirectMessage: (message: BlockMessage) => Promise<void>;
  /** Call it after a change that appears in App Home. Never throws. */
  refreshHome(): Promise<void>;
}

export interface Click<Who extends Person = Person> extends Interaction<Who> {
  /** The time of the click by Slack’s clock; it stays the same after a crash. */
  clickedAt: Date;
  /** The button's value, or the choice. A client can send any text: parse it. */
  value: string;
  /** An ephemeral message has an id too, but cannot be updated by it. */
  messageTs: string | undefined;
  /** The thread that contains the message, or begins with it. */
  threadTs: string | undefined;
  isEphemeral: boolean;
  form: { state: FormState; metadata: string };
}

interface RunsWithCachedRole<Run> {
  isRoleFresh?: false;
  run: Run;
}

/** Only it gets a `FreshPerson`. */
interface RunsWithFreshRole<Run> {
  isRoleFresh: true;
  run: Run;
}

export type Run<Who extends Person = Person> = (by: Interaction<Who>) => Promise<void>;
type Runs = RunsWithCachedRole<Run> | RunsWithFreshRole<Run<FreshPerson>>;
export type RunInModal<Who extends Person = Person> = (by: Interaction<Who>, modal: OpenModal) => Promise<void>;
export type RunsInModal = RunsWithCachedRole<RunInModal> | RunsWithFreshRole<RunInModal<FreshPerson>>;

/** Users without this role are refused before anything is read; unset if the role of the command is enough. */
interface OfRole {
  onlyFor?: RoleDenial | undefined;
  /**
   * Whether the answer would be a refusal, such as for figures of others. Only for what is offered: the command itself
   * refuses with its reason.
   */
  refuses?: (person: Person, channel: string) => boolean;
}

export type ReadCommand =
  /** `isQuestion`: it only reads. Words and tools of other programs run no other commands. `isFile`: it sends a file. */
  | ({ kind: 'run'; isQuestion?: boolean; isFile?: boolean } & OfRole & Runs)
  /** Opens a modal at once, with a loading view, because its trigger expires after three seconds. */
  | ({ kind: 'modal'; title: string } & OfRole & RunsInModal)
  | { kind: 'help'; isRoleFresh?: false }
  | { kind: 'misunderstood'; isRoleFresh?: false; sentence: string; corrected?: string };

export interface SlashCommand {
  help: CommandHelp;
  /** Users below this role are refused before anything is read. */
  role: RequiredRole;
  read(words: readonly string[], now: Date): ReadCommand;
}

interface ActionBase {
  /** Constant, begins with the feature's name. */
  actionId: string;
  role: RequiredRole;
  /** It changes something, so it is stored before its acknowledgement, resumed after a crash, and safe to repeat. */
  isKept?: true;
  /** Guests may press it too, without any role. Only for buttons that stop messages to the person. */
  mayBeGuest?: true;
}

export type ClickAction =
  | (ActionBase & (RunsWithCachedRole<RunOnClick> | RunsWithFreshRole<RunOnClick<FreshPerson>>))
  /** Opens a modal of this title at once, with a loading view. A click inside a modal stays in that modal. */
  | (ActionBase & { modalTitle: string; isRoleFresh?: false; runInModal: ClickInModal })
  | (ActionBase & { modalTitle: string; isRoleFresh: true; runInModal: ClickInModal<FreshPerson> });

export type RunOnClick<Who extends Person = Person> = (click: Click<Who>) => Promise<void>;
export type ClickInModal<Who extends Person = Person> = (click: Click<Who>, modal: OpenModal) => Promise<void>;

/** Read from the values alone, before the acknowledgement. */
export type FormReading =
  /** One sentence per input, by its `block_id`, shown at the field. */
  | { kind: 'errors'; isRoleFresh?: false; errors: Readonly<Record<string, string>> }
  /** `working` is shown in the modal until `run` has shown its result there. */
  | ({ kind: 'accepted'; working: string } & RunsInModal);

export interface Form {
  /** Constant, begins with the feature's name. */
  callbackId: string;
  role: RequiredRole;
  /** A client can send any values: parse both. */
  read(state: FormState, metadata: string, now: Date): FormReading;
}

/** Something that waits for the reader, without names and figures of people: they are in the section that it leads to. */
export interface AttentionItem {
  line: Markup;
  button?: Button;
}

/** A feature's part of *Needs attention*, which comes first on App Home. */
export interface AttentionSource {
  role: RequiredRole;
  read(person: Person, log: Logger): Promise<readonly AttentionItem[]>;
}

/** Messages that come to a channel or a person by themselves: a digest, a watch, a budget, a personal warning. */
export interface RecurringPost {
  /** What comes, whose it is, when it comes next, and the last result. It holds no figures. */
  lines: readonly Markup[];
  /** Each needs the right to change or see this one. */
  buttons: readonly Button[];
}

/** Somebody who left; at least one of both is known. */
export interface Leaver {
  slackId: string | undefined;
  /** In lower case. */
  email: string | undefined;
}

/** What belongs to a person, with the buttons that an admin may press. */
export type Belongings = (leaver: Leaver, admin: Person) => Promise<readonly RecurringPost[]>;

export interface HomeSection {
  /** Sections with smaller numbers come first. */
  order: number;
  role: RequiredRole;
  read(person: Person, log: Logger): Promise<Block[] | HomePart>;
}

/** Shows figures of other people by name. */
export interface HomePart {
  blocks: Block[];
  names: Names;
}

/** Answers a message that a person wrote to the bot. @returns the outcome for the metrics */
export type AnswerMessage = (
  message: DirectedMessage,
  answering: { reply: Reply; answer: AskQuestion; commands: ReadonlyMap<string, SlashCommand> },
) => Promise<string>;

/** What words that their command does not understand may mean. */
export interface Meanings {
  /** Each runs a command. */
  buttons: readonly Button[];
  /** All words have a place in the first one, and no other one is as near. */
  isClear: boolean;
}

/** Reads what was typed after a command like a message. */
export type OfferMeanings = (
  typed: { command: string; text: string },
  reader: { person: Person; channel: string },
  commands: ReadonlyMap<string, SlashCommand>,
) => Promise<Meanings>;

export interface Interactions {
  name: string;
  commands?: readonly SlashCommand[];
  actions?: readonly ClickAction[];
  forms?: readonly Form[];
  homeSections?: readonly HomeSection[];
  attention?: readonly AttentionSource[];
  /** A person invited the bot to a channel. */
  onInvited?: (channel: string) => Promise<void>;
  /** @param place a channel, or the person’s own Slack id; only what the person may see. */
  recurringPosts?: (place: string, person: Person) => Promise<readonly RecurringPost[]>;
  /** For `/quartermaster left`. */
  belongingsOf?: Belongings;
}
