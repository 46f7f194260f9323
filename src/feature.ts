import type { GroupSum } from './base/privacy/disclosure.ts';
import type { Day, Period } from './base/time/calendar.ts';
import type { Logger } from './base/log.ts';
import type { MessageHandler } from './outbox/message-duties.ts';
import type { SubscriptionKind } from './schedule/due-subscriptions.ts';
import type { Retention } from './store/retention.ts';
import type { Route } from './http/server.ts';
import type { Job } from './schedule/job.ts';
import type { AdmittedAmount } from './figures/groups/admission.ts';
import type { ForChannel, ForNamedChannel, Naming, Sentence } from './slack/people/audience.ts';
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
  /**
   * The right of its readers to see single people among those that it covers: of the person who reads it alone, or, for a
   * channel for which names were chosen, of the person who chose them.
   */
  naming: Naming | undefined;
  /** The same right for people that the digest does not cover, such as the group of a budget. */
  namingOfOthers: Naming | undefined;
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
  figures: Readonly<Record<string, AdmittedAmount>>;
  /** The sums of groups that it shows because the small-group check admitted them. */
  sums?: readonly GroupSum[];
  /** Why its readers may see nothing of it; its blocks say no more than this. */
  withheld?: string;
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
  /** Its figures are of the people that the digest covers; else they are the same for everybody. */
  isOfAudience: boolean;
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
  /** Opens the form that asks for a higher limit for oneself; the reason names what was used. */
  requestMoreButtons(used: number, period: Period): Button[];
  /** Opens the form with which a manager asks for limits of others, with a reason filled in. */
  requestLowerButton(reason: string): Button;
}

/** What features know and others show; features know nothing of each other. */
export interface Knowledge {
  /** What happened in a period; asked when figures are to be explained. */
  timeline: (period: Period) => Promise<TimelineEvent[]>;
  /** What is known of credit limits; nothing where no feature knows of them. */
  limits: () => LimitKnowledge | undefined;
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
  /** The kinds of message that it sends. */
  messages?: readonly MessageHandler[];
  retention?: readonly Retention[];
  /** The platform answers again after a fault: what waited for it need not wait longer. */
  onPlatformRecovered?(): Promise<void>;
  /** Finishes what it does beside its jobs and answers, and begins nothing more. */
  stop?(): Promise<void>;
}
