import type { Logger } from '../base/log.ts';
import type { Names } from '../base/privacy/disclosure.ts';
import type { Block, BlockMessage } from './blocks/blocks.ts';
import type { Refusal } from './blocks/messages.ts';
import type { CommandHelp } from './commands/command-words.ts';
import type { FreshPerson, Person } from './people/people.ts';
import type { RequiredRole } from '../base/roles.ts';
import type { Reply } from './inbound/reply.ts';
import type { FormState, OpenModal } from './blocks/views.ts';

/** One command, click or submission of a person who may use the bot. It has been acknowledged already. */
export interface Interaction<Who extends Person = Person> {
  person: Who;
  /** Where it happened; empty in a modal and in App Home. */
  channel: string;
  /** Answers in the conversation. From App Home and from inside a modal, where there is none, the answer is shown as a modal. */
  reply: Reply;
  log: Logger;
  /** Why the person is refused, in words; if they lack a role, with the admins to ask. */
  refusal: (why: Refusal) => Promise<BlockMessage>;
  /** Leaves a message in the person's direct messages, for when a modal is closed. It names nobody. */
  leave: (message: BlockMessage) => Promise<void>;
  /** Shows the person's App Home again; call it after what changes something there. Never throws. */
  refreshHome(): Promise<void>;
}

export interface Click<Who extends Person = Person> extends Interaction<Who> {
  /** When it was clicked, by Slack’s clock: the same when it goes on after a crash. */
  clickedAt: Date;
  /** The button's value, or what was chosen. Anybody can send anything: parse it. */
  value: string;
  /** The message that holds the button; an ephemeral one has an id too, though it cannot be updated by it. */
  messageTs: string | undefined;
  /** The thread that the message stands in, or begins. */
  threadTs: string | undefined;
  /** Whether the person alone sees the message. */
  isEphemeral: boolean;
  /** The fields of the form at a choice in it; empty outside of a form. */
  form: { state: FormState; metadata: string };
}

/** What anybody may do whose role, as the caches have it, is enough. */
interface Usual<Run> {
  isRoleFresh?: false;
  run: Run;
}

/** What may be done only after Slack was asked for the person's role, whatever the caches say: only it gets a `FreshPerson`. */
interface Careful<Run> {
  isRoleFresh: true;
  run: Run;
}

type Runs =
  | Usual<(interaction: Interaction) => Promise<void>>
  | Careful<(by: Interaction<FreshPerson>) => Promise<void>>;
export type RunInModal = (interaction: Interaction, modal: OpenModal) => Promise<void>;
export type RunsInModal =
  | Usual<RunInModal>
  | Careful<(by: Interaction<FreshPerson>, modal: OpenModal) => Promise<void>>;

export type ReadCommand =
  | ({ kind: 'run' } & Runs)
  /** Opens a modal at once, with a loading view, because the right to open one ends after three seconds. */
  | ({ kind: 'modal'; title: string } & RunsInModal)
  | { kind: 'help'; isRoleFresh?: false }
  | { kind: 'misunderstood'; isRoleFresh?: false; sentence: string; corrected?: string };

export interface SlashCommand {
  help: CommandHelp;
  /** Somebody with less is refused before anything is read. */
  role: RequiredRole;
  read(words: readonly string[], now: Date): ReadCommand;
}

interface ActionBase {
  /** Constant, begins with the feature's name. */
  actionId: string;
  role: RequiredRole;
  /** It changes something: so it is kept before it is acknowledged, and goes on after a crash. Doing it twice must do no harm. */
  isKept?: true;
  /** A guest may press it too, without any role: only to stop what comes to them. */
  mayBeGuest?: true;
}

/** A button or a menu in a message, a modal or App Home. */
export type ClickAction =
  | (ActionBase & (Usual<(click: Click) => Promise<void>> | Careful<(click: Click<FreshPerson>) => Promise<void>>))
  /** Opens a modal of this title, at once and with a loading view; a click inside a modal goes on in that one. */
  | (ActionBase & { modalTitle: string; isRoleFresh?: false; runInModal: ClickInModal<Person> })
  | (ActionBase & { modalTitle: string; isRoleFresh: true; runInModal: ClickInModal<FreshPerson> });

type ClickInModal<Who extends Person> = (click: Click<Who>, modal: OpenModal) => Promise<void>;

/** What a submitted form amounts to: decided from what was typed alone, before it is acknowledged. */
export type FormReading =
  /** By the `block_id` of the input: one sentence each, shown at the field. */
  | { kind: 'errors'; isRoleFresh?: false; errors: Readonly<Record<string, string>> }
  /** `run` does it and shows in the modal, which stays open, what came of it. `working` is shown meanwhile. */
  | ({ kind: 'accepted'; working: string } & RunsInModal);

export interface Form {
  /** Constant, begins with the feature's name. */
  callbackId: string;
  role: RequiredRole;
  /** @param metadata what the modal was opened with. Anybody can send anything: parse both. */
  read(state: FormState, metadata: string, now: Date): FormReading;
}

export interface HomeSection {
  /** Smaller comes first. */
  order: number;
  /** Somebody with less does not see it. */
  role: RequiredRole;
  read(person: Person, log: Logger): Promise<Block[] | HomePart>;
}

/** A part of App Home that shows figures of other people by name. */
export interface HomePart {
  blocks: Block[];
  names: Names;
}

export interface Interactions {
  name: string;
  commands?: readonly SlashCommand[];
  actions?: readonly ClickAction[];
  forms?: readonly Form[];
  homeSections?: readonly HomeSection[];
}
