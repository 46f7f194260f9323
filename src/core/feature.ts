import type { ShownTo } from './figures/groups/gate.ts';
import type { GroupSum } from './base/privacy/disclosure.ts';
import type { KnownLimit } from './figures/known-limit.ts';
import type { Day, Period } from './base/time/calendar.ts';
import type { Logger } from './base/log.ts';
import type { MessageHandler } from './outbox/message-kind.ts';
import type { Job } from './schedule/job.ts';
import type { ExplainedPart } from './figures/explanation/explanation.ts';
import type { AdmittedAmount } from './figures/groups/admission.ts';
import type { FreshPerson } from './slack/people/people.ts';
import type { ForChannel, ForNamedChannel, NamingPermission, Sentence } from './slack/people/audience.ts';
import type { Block, BlockMessage, Button } from './slack/blocks/blocks.ts';
import type { AnyParagraph } from './slack/blocks/paragraphs.ts';
import type { OpenModal } from './slack/blocks/views.ts';
import type { Interaction, Interactions } from './slack/interactions/interactions.ts';
import type { Markup } from './base/text/markup.ts';

/** Runs in its own rhythm, from the start of the program to its end. */
export interface Service {
  name: string;
  start(): void;
  /** Finishes what is under way. */
  stop(): Promise<void>;
}

export interface DigestQuery {
  /** UTC days, both ends included. */
  period: Period;
  comparedWith: Period | undefined;
  /** E-mails in lower case; missing: the whole organization. */
  people: readonly string[] | undefined;
  /** `the organization`, `@web-team`. */
  about: string;
  /** Whether it is about one person, chosen by name by its owner. */
  isOnePerson: boolean;
  /** The right of the only reader or, in a channel, of the person who chose names; covers people of the digest. */
  rightToName: NamingPermission | undefined;
  /** The same right for people that the digest does not cover, such as the group of a budget. */
  rightToNameOthers: NamingPermission | undefined;
  shownTo: ShownTo;
  log: Logger;
}

export type SectionReading = ReadSection | { kind: 'unreadable'; sentence: string; reference: string };

/** @example { title: 'Top people', names: ['mia@acme.example', 'max@acme.example'] } */
export interface Ranking {
  title: string;
  names: readonly string[];
}

export interface ReadSection {
  /** `unpublished`: the platform has not published (all of) the period; `blocks` show the available part. */
  kind: 'ready' | 'unpublished';
  /** One sentence that a manager can repeat. The digest begins with the first one among its sections. */
  point?: string;
  blocks: Block[];
  text: Markup;
  /** Details for the thread. */
  detail?: BlockMessage;
  /** By name, such as `Standard Credits`. If one of them changes later, the digest is corrected. */
  figures: Readonly<Record<string, AdmittedAmount>>;
  /** The group sums that it shows because the small-group check permitted them. */
  sums?: readonly GroupSum[];
  /** Why its readers may see nothing of it; its blocks say the same. */
  withheld?: string;
  /** Names in the order in which they are shown. If the order changes later, the digest is corrected. */
  ranking?: Ranking;
  /** How its figures were worked out. */
  explanation?: readonly ExplainedPart[];
  /** Whether every figure is within its usual band. */
  isQuiet: boolean;
  /** Whether a digest that is sent only when needed is sent because of it. */
  needsAttention?: boolean;
  /** The unchanged subject, such as `readiness`; a digest combines such sections into one line. */
  unchanged?: string;
}

interface DigestSectionBase {
  /** Never changes: each digest with the section stores it. */
  id: string;
  title: string;
  /** One line for the person who chooses it. */
  description: string;
  isDefault: boolean;
  /** In every digest if it has anything to say; the form does not offer it. */
  isAlways?: true;
  /** Whether its figures are of the people that the digest covers; else they are the same for everyone. */
  coversAudienceOnly: boolean;
}

/** A section names people only if it declares so and was chosen for that. */
export type DigestSection =
  | (DigestSectionBase & { namesPeople: false; read(query: DigestQuery, readers: ForChannel): Promise<SectionReading> })
  /** Shows figures by person; the form says so to the person who sets up a digest for a channel. */
  | (DigestSectionBase & {
      namesPeople: true;
      read(query: DigestQuery, readers: ForNamedChannel): Promise<SectionReading>;
    });

/** An event that may explain figures: a change of the controls or of a limit. */
export interface TimelineEvent extends Sentence {
  day: Day;
}

/** `over`: it ended without a limit that was set. */
export interface BlockedRequest {
  id: string;
  state: 'waiting' | 'set' | 'over';
  /** When the limit was set; undefined before. */
  setAt: Date | undefined;
}

export interface LimitKnowledge {
  /** @param email in lower case */
  limitOf(email: string): Promise<KnownLimit>;
  /** The e-mails of everyone with a limit that was set here, in lower case. */
  emailsWithLimit(): Promise<string[]>;
  /** How many of these people have no limit of their own; `areShown`: the platform shows limits. */
  countWithoutOwn(emails: readonly string[]): Promise<{ count: number; areShown: boolean }>;
  /** Opens the form that requests a higher limit for oneself; the reason names the used credits. */
  requestMoreButtons(used: number, period: Period): Button[];
  /** Opens the filled form of a person who hit their limit, from the card of an agent’s session or from anywhere. */
  blockedButton(sessionKey?: string): Button;
  /** The request that was made from the card of an agent’s session. */
  blockedRequestOf(sessionKey: string): Promise<BlockedRequest | undefined>;
  /** Opens the form in which a manager requests limits for others, with a reason filled in. */
  requestLowerButton(reason: string): Button;
}

export interface Knowledge {
  timeline: (period: Period) => Promise<TimelineEvent[]>;
  limits: LimitKnowledge;
}

/** The answer to “Will I run out?”, only for the person who asks. */
export interface OwnLimitLine {
  line: AnyParagraph;
  /** With the button that explains it. */
  buttons: Button[];
  /** The same without that button. */
  actionButtons: Button[];
  /** `short`: the limit is reached, or would be at this pace; `unknown`: the limit, its period or its use is. */
  state: 'short' | 'lasts' | 'unknown';
  /** How it was worked out; empty if its state is `unknown`. */
  explanation: readonly ExplainedPart[];
}

export interface AdminCommand {
  title: string;
  run(by: Interaction<FreshPerson>, opened: OpenModal): Promise<void>;
}

/** What every feature may have. What one feature needs of another is handed to it as a value. */
export interface Feature extends Interactions {
  jobs?: readonly Job[];
  services?: readonly Service[];
  digestSections?: readonly DigestSection[];
  /** Oldest first; for managers. */
  timeline?: (period: Period) => Promise<readonly TimelineEvent[]>;
  /** What admins see in `/quartermaster` while it needs them. */
  adminStatus?: () => Promise<readonly AnyParagraph[]>;
  /** What `/quartermaster details` shows to admins: the state of what works. */
  adminDetails?: () => Promise<readonly AnyParagraph[]>;
  adminCommands?: Readonly<Record<string, AdminCommand>>;
  messages?: readonly MessageHandler[];
  /** Finishes the work outside of its jobs and answers, and starts nothing new. */
  stop?(): Promise<void>;
}
