import type { ReadCommand } from '../../../core/slack/interactions/interactions.ts';
import type { Markup } from '../../../core/base/text/markup.ts';
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

/**
 * What limit policies decide about requests. The feature of policies stands above this one and reads its requests, so
 * the app hands this in.
 */
export interface RequestPolicies {
  /** Reads the words after `/limits policies`. */
  readCommand(words: readonly string[]): ReadCommand;
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
  /** The policies that decided about requests, by the ids of these. */
  versionsOf(requestIds: readonly string[]): Promise<ReadonlyMap<string, PolicyVersion>>;
}
