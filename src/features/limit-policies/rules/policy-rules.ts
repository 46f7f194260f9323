import { z } from 'zod';
import type { LimitPeriod } from '../../../core/base/time/limit-period-days.ts';

const groupSchema = z.object({ kind: z.literal('group'), id: z.string(), handle: z.string() });

/** Everybody, one user group of Slack, or one person. */
const subjectSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('everybody') }),
  groupSchema,
  z.object({ kind: z.literal('person'), slackId: z.string() }),
]);
export type PolicySubject = z.infer<typeof subjectSchema>;

const common = {
  subject: subjectSchema,
  /** The most grants of all policies together in 24 hours. The lowest of the active policies counts. */
  grantsADay: z.int().min(1),
  /** The most credits that all policies together release in a period. The lowest of the active policies counts. */
  creditsAPeriod: z.number().positive(),
  dryRunDays: z.int().min(0),
};

const raise = {
  ...common,
  /** By how much of the permanent limit a request may raise it. */
  percent: z.number().positive(),
  /** No raise exceeds this limit. */
  cap: z.number().positive(),
  /** The most grants a person in `days` days, counted over all policies. */
  times: z.int().min(1),
  days: z.int().min(1),
};

const defaultRules = z.object({
  kind: z.literal('default'),
  ...common,
  limit: z.number().positive(),
  /** Only people whose first day with use is at most this many days ago; null: any member of the subject. */
  firstSeenDays: z.int().min(1).nullable(),
  when: z.enum(['first_seen', 'period_start']),
});
const automaticRules = z.object({ kind: z.literal('automatic'), ...raise });
const scheduleRules = z.object({
  kind: z.literal('schedule'),
  ...raise,
  /** 1 is Monday. */
  weekdays: z.array(z.int().min(1).max(7)).min(1).readonly(),
  /** `HH:MM` in `TIMEZONE`; the policy acts from `from` until just before `to`. */
  from: z.string(),
  to: z.string(),
});

/** The people of more leads could not be shown on a card. */
export const MAX_LEADS = 10;
export const MAX_ORDER = 99;

const teamRules = z.object({
  kind: z.literal('team'),
  subject: groupSchema,
  /** The most credits that can be charged to the team in a period of limits; null: only `cap` bounds the leads. */
  pool: z.number().positive().nullable(),
  /** Leads set no limit above this. */
  cap: z.number().positive(),
  /** Slack ids. They decide only while they are members of the group. */
  leads: z.array(z.string().max(20)).min(1).max(MAX_LEADS).readonly(),
  /** Where requests of the team are decided, too. */
  channel: z.string().max(20).nullable(),
  /** A person in several teams counts in the one with the lowest number. */
  order: z.int().min(1).max(MAX_ORDER),
  /** The lead who lowered the pool or the highest limit last, since two admins agreed on the rules. */
  lowered: z.object({ by: z.string().max(20), at: z.iso.datetime() }).optional(),
});

/**
 * `default` sets a first limit; `automatic` approves raises; `schedule` does so only at some hours; `team` lets the leads
 * of a team decide within a pool of credits.
 */
export const rulesSchema = z.discriminatedUnion('kind', [defaultRules, automaticRules, scheduleRules, teamRules]);
export type PolicyRules = z.infer<typeof rulesSchema>;
export type TeamRules = Extract<PolicyRules, { kind: 'team' }>;
/** The kinds that decide without a person. */
export type ActingRules = Exclude<PolicyRules, TeamRules>;
export type RaiseRules = Extract<PolicyRules, { kind: 'automatic' | 'schedule' }>;
export type DefaultRules = Extract<PolicyRules, { kind: 'default' }>;
export type PolicyKind = PolicyRules['kind'];

/** The policy that decides, in the version that a request met. */
export interface PolicyReference {
  id: string;
  name: string;
  version: number;
}

export interface PolicyVersion<Rules extends PolicyRules = PolicyRules> extends PolicyReference {
  rules: Rules;
}

/** A version on which two admins agreed and which none of them released, as the decision sees it. */
export interface AgreedPolicy<Rules extends PolicyRules = PolicyRules> extends PolicyVersion<Rules> {
  /** One admin paused, edited or deleted it: its people and its caps count, but a person decides. */
  isHeld: boolean;
  /** The period of limits that they agreed under; undefined if it was not known. */
  period: LimitPeriod | undefined;
  /** The amount above which two admins had to approve then. */
  secondAbove: number | undefined;
}

export type ActingPolicy = AgreedPolicy<ActingRules>;
export type TeamPolicy = AgreedPolicy<TeamRules>;

/** What can be charged in a period; infinite without a pool. */
export const poolOf = ({ pool }: Pick<TeamRules, 'pool'>): number => pool ?? Infinity;

export const isTeamRules = (rules: PolicyRules): rules is TeamRules => rules.kind === 'team';
export const isActingRules = (rules: PolicyRules): rules is ActingRules => !isTeamRules(rules);

/** Those that decide without a person. */
export const actingOf = (policies: readonly AgreedPolicy[]): ActingPolicy[] =>
  policies.flatMap((policy) => (isActingRules(policy.rules) ? { ...policy, rules: policy.rules } : []));
export const teamsIn = (policies: readonly AgreedPolicy[]): TeamPolicy[] =>
  policies.flatMap((policy) => (isTeamRules(policy.rules) ? { ...policy, rules: policy.rules } : []));

export const isRaiseRules = (rules: PolicyRules): rules is RaiseRules =>
  rules.kind === 'automatic' || rules.kind === 'schedule';
