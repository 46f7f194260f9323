import type { ReadCommand } from '../../../core/slack/interactions/interactions.ts';
import type { Markup } from '../../../core/base/text/markup.ts';
import type { Actor, NamedPerson } from './access.ts';
import type { MaybeLead } from './lead.ts';
import type { LimitRequest, LimitTransaction } from './limit-tables.ts';
import type { CardTarget } from './notify.ts';
import type { NewRequest, RequestContents } from './requests.ts';

/** What the card of a request shows of policies. */
export interface PolicyOnCard {
  lines: readonly Markup[];
  /** Whether one click approves it, because a policy would have granted it. */
  isPrepared: boolean;
  /** The declaration that limits are set only here. */
  note: Markup | undefined;
}

/** A limit that is about to be sent. `isUnsure`: an earlier sending has no known outcome. */
export interface Sending {
  email: string;
  isUnsure: boolean;
}

/** Decides in the transaction that creates the request. @returns whether a policy granted it, so that it needs no card */
export type DecideByPolicies = (trx: LimitTransaction, request: NewRequest, now: Date) => Promise<boolean>;

/** The policy that decided, in the version that it had then. */
export interface PolicyVersion {
  policyId: string;
  policyName: string | null;
  policyVersion: number | null;
}

/** The team whose leads were asked first about a request. */
export interface TeamOfRequest {
  /** Of the user group; undefined if the person is in no team any more. */
  handle: string | undefined;
  /** Slack ids of those who can approve it now. */
  leads: readonly string[];
  /** Where it is shown, too. */
  channel: string | null;
}

/**
 * What limit policies decide about requests. The feature of policies stands above this one and reads its requests, so
 * the app hands this in.
 */
export interface RequestPolicies {
  /** Reads the words after `/limits policies`. */
  readCommand(words: readonly string[]): ReadCommand;
  /** Reads the words after `/limits teams`. */
  readTeamsCommand(words: readonly string[]): ReadCommand;
  /** `/limits team`, also about one user group. */
  readTeamCommand(groupId: string | undefined): ReadCommand;
  /** Reads what a transaction can't wait for; undefined if no policy can decide. */
  prepare(contents: RequestContents): Promise<DecideByPolicies | undefined>;
  /**
   * Runs under the lease, right before the request leaves. Withholds a request whose policy was stopped since, and the
   * end of a raise that is no longer the newest limit; a person then decides. @returns whether it was withheld
   */
  withhold(
    request: LimitRequest,
    sendings: readonly Sending[],
    cardTarget: () => Promise<CardTarget>,
  ): Promise<boolean>;
  onCard(request: Pick<LimitRequest, 'id' | 'kind' | 'state' | 'policyId' | 'until'>): Promise<PolicyOnCard>;
  /** What the pool of a team has left. @param about `@web-team` */
  poolLineOf(about: string): Promise<Markup | undefined>;
  /** Whether the leads of a team are asked first. */
  isForTeam(requestId: string): Promise<boolean>;
  teamOf(request: LimitRequest): Promise<TeamOfRequest | undefined>;
  /** Adds `isLead` to a person who leads the team of the request now. */
  asLead<Person extends Actor>(person: Person, requestId: string): Promise<Person & MaybeLead>;
  /** Whether they lead the teams of all these people now; without people, any team. */
  leadsAll(person: Pick<Actor, 'slackId'>, people: readonly NamedPerson[]): Promise<boolean>;
  /** The pool of a team no longer pays for the request. */
  releaseCharge(trx: LimitTransaction, requestId: string): Promise<void>;
  /** The policies that decided about requests, by the ids of these. */
  versionsOf(requestIds: readonly string[]): Promise<ReadonlyMap<string, PolicyVersion>>;
}
