import type { Day, Period } from './base/time/calendar.ts';
import type { Logger } from './base/log.ts';
import type { DeliveryKind } from './outbox/attempt.ts';
import type { SubscriptionKind } from './schedule/due-subscriptions.ts';
import type { Retention } from './store/retention.ts';
import type { Route } from './http/server.ts';
import type { Job } from './schedule/job.ts';
import type { ForChannel, ForNamedChannel, Sentence } from './slack/people/audience.ts';
import type { Block, BlockMessage, Button } from './slack/blocks/blocks.ts';
import type { OpenModal } from './slack/blocks/views.ts';
import type { Interaction, Interactions } from './slack/interactions.ts';
import type { FreshPerson } from './slack/people/people.ts';
import type { Markup } from './base/text/markup.ts';

/** Work with a rhythm of its own, from the start of the program to its end. */
export interface Service {
  name: string;
  start(): void;
  /** Finishes what is under way. */
  stop(): Promise<void>;
}

export interface DigestQuery {
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
  /** The people were chosen by name, by somebody who may show their figures. */
  areChosen: boolean;
  /** It goes to nobody but a person who may see single people. */
  readersSeePeople: boolean;
  log: Logger;
}

export type SectionReading = ReadSection | { kind: 'unreadable'; sentence: string; reference: string };

/** @example { title: 'Top people', names: ['mia@acme.example', 'max@acme.example'] } */
export interface Ranking {
  title: string;
  names: readonly string[];
}

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
  /** Names in the order in which they are shown. When they change places later, the digest is corrected. */
  ranking?: Ranking;
  /** Nothing left its usual band. */
  isQuiet: boolean;
  /** What it is that did not change, such as `readiness`; a digest puts such sections into one line. */
  unchanged?: string;
}

interface DigestSectionBase {
  /** Constant; kept with each digest that holds it. */
  id: string;
  title: string;
  /** One line for the person who chooses it. */
  description: string;
  /** Chosen already in a new digest. */
  isDefault: boolean;
}

/** Only a section that says that it names people, and was chosen so, can. */
export type DigestSection =
  | (DigestSectionBase & { namesPeople: false; read(query: DigestQuery, readers: ForChannel): Promise<SectionReading> })
  /** It shows figures by person: the person who sets up a digest for a channel is told so. */
  | (DigestSectionBase & {
      namesPeople: true;
      read(query: DigestQuery, readers: ForNamedChannel): Promise<SectionReading>;
    });

/** Something that happened and may explain figures: a change of the controls or of a limit. */
export interface TimelineEvent extends Sentence {
  day: Day;
}

/** What is known of somebody's credit limit: what was set here last. */
export interface KnownLimit {
  value: number;
  /** UTC. */
  setOn: Day;
}

/** What one feature knows of credit limits, for others to show. */
export interface LimitKnowledge {
  /** @param email in lower case */
  limitOf(email: string): Promise<KnownLimit | undefined>;
  /** Opens the form that asks for a limit of one's own, with a reason filled in. */
  requestButton(reason: string): Button;
  /** Opens the form with which a manager asks for limits of others, with a reason filled in. */
  requestLowerButton(reason: string): Button;
}

/** A word after `/quartermaster`, which opens a form. */
export interface AdminCommand {
  /** Of the modal that it opens. */
  title: string;
  run(by: Interaction<FreshPerson>, opened: OpenModal): Promise<void>;
}

/** What a feature gives to the app. Features know nothing of each other; what crosses goes through here. */
export interface Feature extends Interactions {
  jobs?: readonly Job[];
  services?: readonly Service[];
  digestSections?: readonly DigestSection[];
  /** What happened in a period, oldest first; for managers. */
  timeline?: (period: Period) => Promise<readonly TimelineEvent[]>;
  limits?: LimitKnowledge;
  /** Words after `/quartermaster`, for admins. */
  adminCommands?: Readonly<Record<string, AdminCommand>>;
  /** What is answered on HOOKS_PORT. */
  hooksRoute?: Route;
  subscriptionKinds?: Readonly<Record<string, SubscriptionKind>>;
  deliveryKinds?: Readonly<Record<string, DeliveryKind>>;
  retention?: readonly Retention[];
  /** Finishes what it does beside its jobs and answers, and begins nothing more. */
  stop?(): Promise<void>;
}
