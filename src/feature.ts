import type { Logger } from './log.ts';
import type { DeliveryKind } from './outbox/attempt.ts';
import type { SubscriptionKind } from './schedule/due-subscriptions.ts';
import type { ForChannel, ForNamedChannel, Sentence } from './slack/audience.ts';
import type { Block, BlockMessage } from './slack/blocks.ts';
import type { CommandHelp } from './slack/command-words.ts';
import type { FreshPerson, Person, Role } from './slack/people.ts';
import type { Day, Period } from './slack/periods.ts';
import type { Reply } from './slack/reply.ts';
import type { Markup } from './slack/text.ts';
import type { FormState, ModalView } from './slack/views.ts';

/** One command, click or submission of a person who may use the bot. It has been acknowledged already. */
export interface Interaction<Who extends Person = Person> {
  person: Who;
  /** Where it happened; empty in a modal and in App Home. */
  channel: string;
  /** Answers in the conversation. From App Home and from inside a modal, where there is none, the answer is shown as a modal. */
  reply: Reply;
  log: Logger;
  /** Shows the person's App Home anew; call it after what changes something there. Never throws. */
  refreshHome(): Promise<void>;
}

/** A modal that stands open in front of the person. */
export interface OpenModal {
  /** Shows something else in it. */
  show(view: ModalView): Promise<void>;
}

/** A click, besides what every interaction has. */
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
}

/** A deed that anybody may do whose role, as the caches have it, is enough. */
interface Usual<Run> {
  isRoleFresh?: false;
  run: Run;
}

/** A deed before which Slack is asked for the person's role, whatever the caches say: only it gets a `FreshPerson`. */
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

/** What the words after a command amount to. */
export type ReadCommand =
  | ({ kind: 'run' } & Runs)
  /** Opens a modal at once, with a loading view, because the right to open one ends after three seconds. */
  | ({ kind: 'modal'; title: string } & RunsInModal)
  | { kind: 'help'; isRoleFresh?: false }
  | { kind: 'misunderstood'; isRoleFresh?: false; sentence: string; corrected?: string };

export interface SlashCommand {
  help: CommandHelp;
  /** Whoever has less is refused before anything is read. */
  role: Role;
  read(words: readonly string[], now: Date): ReadCommand;
}

interface ActionBase {
  /** Constant, begins with the feature's name. */
  actionId: string;
  role: Role;
  /** It changes something: so it is kept before it is acknowledged, and goes on after a crash. Doing it twice must do no harm. */
  isKept?: true;
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

/** A form that people submit. */
export interface Form {
  /** Constant, begins with the feature's name. */
  callbackId: string;
  role: Role;
  /** @param metadata what the modal was opened with. Anybody can send anything: parse both. */
  read(state: FormState, metadata: string, now: Date): FormReading;
}

/** Work that is looked at every minute, by every replica: it must let the database decide who does it. */
export interface Job {
  name: string;
  run(): Promise<void>;
}

/** Work with a rhythm of its own, from the start of the program to its end. */
export interface Service {
  name: string;
  start(): void;
  /** Finishes what is under way. */
  stop(): Promise<void>;
}

/** What a digest is about. */
export interface DigestWish {
  /** UTC days, both ends included. */
  period: Period;
  /** Where a comparison is possible. */
  comparedWith: Period | undefined;
  /** E-mails in lower case; missing: the whole organization. */
  people: readonly string[] | undefined;
  /** Who that is, in words: `the organization`, `@web-team`. */
  about: string;
  /** It is about one person, whom its owner chose by name. */
  isOnePerson: boolean;
  log: Logger;
}

/** What a feature has to say in a digest. */
export type SectionReading = ReadSection | { kind: 'unreadable'; sentence: string; reference: string };

export interface ReadSection {
  /** `unpublished`: the platform has not published (all of) the period; `blocks` show what there is. */
  kind: 'ready' | 'unpublished';
  /** One sentence that a manager can repeat. The digest begins with the first section's that has one. */
  point?: string;
  blocks: Block[];
  /** What the blocks say. */
  text: Markup;
  /** More of it, for the thread. */
  detail?: BlockMessage;
  /** By name, such as `Standard Credits`. When one of them changes later, the digest is corrected. */
  figures: Readonly<Record<string, number>>;
  /** Nothing left its usual band. */
  isQuiet: boolean;
}

interface DigestSectionBase {
  /** Constant; kept with each digest that holds it. */
  id: string;
  title: string;
  /** One line for whoever chooses it. */
  description: string;
  /** Chosen already in a new digest. */
  isDefault: boolean;
}

/** Only a section that says that it names people, and was chosen so, can. */
export type DigestSection =
  | (DigestSectionBase & { namesPeople: false; read(wish: DigestWish, readers: ForChannel): Promise<SectionReading> })
  /** It shows figures by person: whoever sets up a digest for a channel is told so. */
  | (DigestSectionBase & {
      namesPeople: true;
      read(wish: DigestWish, readers: ForNamedChannel): Promise<SectionReading>;
    });

/** A part of App Home. */
export interface HomeSection {
  /** Smaller comes first. */
  order: number;
  /** Whoever has less does not see it. */
  role: Role;
  read(person: Person, log: Logger): Promise<Block[]>;
}

/** Something that happened and may explain figures: a change of the controls or of a limit. */
export interface Happening extends Sentence {
  day: Day;
}

/** What a feature gives to the app. Features know nothing of each other; what crosses goes through here. */
export interface Feature {
  name: string;
  commands?: readonly SlashCommand[];
  actions?: readonly ClickAction[];
  forms?: readonly Form[];
  jobs?: readonly Job[];
  services?: readonly Service[];
  digestSections?: readonly DigestSection[];
  homeSections?: readonly HomeSection[];
  /** What happened in a period, oldest first; for managers. */
  happenings?: (period: Period) => Promise<readonly Happening[]>;
  subscriptionKinds?: Readonly<Record<string, SubscriptionKind>>;
  deliveryKinds?: Readonly<Record<string, DeliveryKind>>;
  /** Finishes what it does beside its jobs and answers, and begins nothing more. */
  stop?(): Promise<void>;
}
