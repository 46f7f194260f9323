import type { Kysely, Selectable, Transaction } from 'kysely';
import { DAY_MS } from '../../../core/base/time/durations.ts';
import { isAmong, type PoliciesOf } from '../../../core/store/table-policy.ts';
import type { Tables } from '../../../core/store/tables.ts';
import type { LimitTables, LimitTransaction } from '../../limits/core/limit-tables.ts';
import { rowRetention } from '../../../core/store/row-retention.ts';
import type { PauseReason, PolicyState } from '../rules/policy-states.ts';

/** All times are ISO 8601 in UTC with milliseconds. */
type LimitPolicyTable = {
  id: string;
  name: string;
  state: PolicyState;
  /** Of the newest rules; each edit adds one. */
  version: number;
  createdAt: string;
  activatedBy: string | null;
  activatedAt: string | null;
  /** 1 if the admin who wrote it also activated it, because there was no other admin. */
  activatedAlone: number | null;
  /** Until then, cards only say what it would do. */
  dryRunUntil: string | null;
  /** When an admin activated or resumed it, by the clock of the store. */
  confirmedAt: string | null;
  /** Null if Quartermaster paused it. */
  pausedBy: string | null;
  pausedAt: string | null;
  pauseReason: PauseReason | null;
  /** The admin who deleted it. */
  removedBy: string | null;
  removedAt: string | null;
};

type LimitPolicyVersionTable = {
  policyId: string;
  version: number;
  /** JSON. */
  rules: string;
  draftedBy: string;
  draftedAt: string;
  /** JSON; null before the first back-test. */
  backTest: string | null;
  backTestedAt: string | null;
  /** Requests that it approved until then are not sent by themselves. */
  haltedAt: string | null;
  /** When it begins to decide; null if two admins never agreed on it. Until it is released, it holds its people. */
  inForceFrom: string | null;
  /** The period of limits that the admins agreed under; null if that was not recorded yet. */
  agreedPeriod: string | null;
  /** The amount above which two admins had to approve then; null if one admin was enough. */
  agreedSecondAbove: number | null;
  /** The second admin who released its people and caps. */
  releasedBy: string | null;
  releasedAt: string | null;
};

/**
 * `grant`: sent without a person. `prepare`: one click approves it. `lead`: the leads of a team are asked first. `person`:
 * decided as without policies.
 */
export type PolicyOutcome = 'grant' | 'prepare' | 'lead' | 'person';

/** One row a request that a policy could have decided. */
type LimitPolicyDecisionTable = {
  requestId: string;
  email: string;
  slackId: string | null;
  outcome: PolicyOutcome;
  /** Why a person decides. */
  reason: string | null;
  policyId: string | null;
  policyName: string | null;
  policyVersion: number | null;
  /** How much a grant releases. */
  credits: number;
  /** JSON: what a policy in its dry run would have done. */
  dryRun: string | null;
  /** The end that the request had before a policy approved it, and the limit afterwards. */
  requestedUntil: string | null;
  requestedReturn: number | null;
  /** By the clock of the store. */
  at: string;
};

/** What the pool of a team paid for. The policy is the one of the team. */
type LimitTeamChargeTable = {
  requestId: string;
  policyId: string;
  policyVersion: number;
  /** Lower case. */
  email: string;
  slackId: string | null;
  credits: number;
  /** 1: a first limit, which has no end. */
  isFirst: number;
  /** When the raise is to end. */
  until: string | null;
  /** The lead; null: a policy for the group of the team. */
  chargedBy: string | null;
  /** By the clock of the store. */
  at: string;
};

type LimitPolicySettingsTable = {
  place: 'here';
  /** Its update lets only one transaction at a time decide by policies. */
  turn: number;
  /** The admin who declared that limits are set nowhere else. */
  onlyHereBy: string | null;
  onlyHereAt: string | null;
  /** The end of the last daily line. */
  linedUntil: string | null;
};

export type PolicyTables = {
  limitPolicies: LimitPolicyTable;
  limitPolicyVersions: LimitPolicyVersionTable;
  limitPolicyDecisions: LimitPolicyDecisionTable;
  limitPolicySettings: LimitPolicySettingsTable;
  limitTeamCharges: LimitTeamChargeTable;
};

/** The tables of policies, and those of the requests about which they decide. */
export type PolicyDatabase = Kysely<Tables & LimitTables & PolicyTables>;
export type PolicyTransaction = Transaction<Tables & LimitTables & PolicyTables>;

export function withPolicies(db: Transaction<Tables>): PolicyTransaction;
export function withPolicies(db: Kysely<Tables>): PolicyDatabase;
export function withPolicies(db: Kysely<Tables>): PolicyDatabase {
  return db.withTables<LimitTables & PolicyTables>();
}

/** The same transaction without the tables of policies, for the feature of limits. */
export const limitsIn = (trx: PolicyTransaction): LimitTransaction => trx.$omitTables<keyof PolicyTables>();

export type PolicyDecisionRow = Selectable<LimitPolicyDecisionTable>;

/** A cap counts at most over a year. */
const YEAR_MS = 366 * DAY_MS;
const CHARGES = { table: 'limit_team_charges', key: ['request_id'], column: 'until' };
const DECISIONS = { table: 'limit_policy_decisions', key: ['request_id'], column: 'at' };

export const policyTablePolicies: PoliciesOf<PolicyTables> = {
  limitPolicies: { what: 'limit policies', reasonToKeep: 'the policies are used' },
  limitPolicyVersions: { what: 'versions of limit policies', reasonToKeep: 'grants can be proved' },
  limitPolicyDecisions: {
    what: 'what limit policies decided',
    reasonToKeep: 'the caps count them',
    people: {
      where: (email) => isAmong('email', [email]),
      read: ({ email, slackId }) => [{ email, slackId }],
    },
    retention: [rowRetention('audit', DECISIONS, (before) => new Date(before.getTime() - YEAR_MS).toISOString())],
  },
  limitTeamCharges: {
    what: 'what the pools of teams paid for',
    reasonToKeep: 'the pools count it',
    people: {
      where: (email) => isAmong('email', [email]),
      read: ({ email, slackId }) => [{ email, slackId }],
    },
    retention: [rowRetention('audit', CHARGES, (before) => new Date(before.getTime() - YEAR_MS).toISOString())],
  },
  limitPolicySettings: { what: 'who declared that limits are set only here', reasonToKeep: 'the declaration is used' },
};
