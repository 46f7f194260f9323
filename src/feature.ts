import type { Logger } from './log.ts';
import type { DeliveryKind } from './outbox/attempt.ts';
import type { SubscriptionKind } from './schedule/subscriptions.ts';
import type { Block } from './slack/blocks.ts';
import type { CommandHelp } from './slack/command-words.ts';
import type { Person, Role } from './slack/people.ts';
import type { Day } from './slack/periods.ts';
import type { Reply } from './slack/reply.ts';

/** One command, click or submission of a person who may use the bot. It has been acknowledged already. */
export interface Interaction {
  person: Person;
  /** Where it happened. */
  channel: string;
  reply: Reply;
  log: Logger;
}

/** A click, besides what every interaction has. */
export interface Click extends Interaction {
  /** The button's value, or what was chosen. Anybody can send anything: parse it. */
  value: string;
  /** The message that holds the button; an ephemeral one has an id too, though it cannot be updated by it. */
  messageTs: string | undefined;
}

/** What the words after a command amount to. */
export type ReadCommand =
  | { kind: 'run'; run: (interaction: Interaction) => Promise<void> }
  | { kind: 'help' }
  | { kind: 'misunderstood'; sentence: string; corrected?: string };

export interface SlashCommand {
  help: CommandHelp;
  /** Whoever has less is refused before anything is read. */
  role: Role;
  read(words: readonly string[], now: Date): ReadCommand;
}

export interface ClickAction {
  /** Constant, begins with the feature's name. */
  actionId: string;
  role: Role;
  run(click: Click): Promise<void>;
}

/** Work that is looked at every minute, by every replica: it must let the database decide who does it. */
export interface Job {
  name: string;
  run(): Promise<void>;
}

/** What a feature has to say about one day in a digest. */
export type SectionReading =
  | { kind: 'ready'; blocks: Block[]; text: string }
  /** The platform has not published (all of) the day; `blocks` show what there is. */
  | { kind: 'unpublished'; blocks: Block[]; text: string }
  | { kind: 'unreadable'; sentence: string; reference: string };

export interface DigestSection {
  id: string;
  title: string;
  read(day: Day): Promise<SectionReading>;
}

/** What a feature gives to the app. Features know nothing of each other; what crosses goes through here. */
export interface Feature {
  name: string;
  commands?: readonly SlashCommand[];
  actions?: readonly ClickAction[];
  jobs?: readonly Job[];
  digestSections?: readonly DigestSection[];
  subscriptionKinds?: Readonly<Record<string, SubscriptionKind>>;
  deliveryKinds?: Readonly<Record<string, DeliveryKind>>;
}
