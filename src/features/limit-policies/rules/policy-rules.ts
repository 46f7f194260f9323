import { z } from 'zod';
import type { LimitPeriod } from '../../../core/base/settings/config.ts';

/** Everybody, one user group of Slack, or one person. */
const subjectSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('everybody') }),
  z.object({ kind: z.literal('group'), id: z.string(), handle: z.string() }),
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

/** `default` sets a first limit; `automatic` approves raises; `schedule` does so only at some hours. */
export const rulesSchema = z.discriminatedUnion('kind', [defaultRules, automaticRules, scheduleRules]);
export type PolicyRules = z.infer<typeof rulesSchema>;
export type RaiseRules = Extract<PolicyRules, { kind: 'automatic' | 'schedule' }>;
export type DefaultRules = Extract<PolicyRules, { kind: 'default' }>;
export type PolicyKind = PolicyRules['kind'];

/** The policy that decides, in the version that a request met. */
export interface PolicyReference {
  id: string;
  name: string;
  version: number;
}

export interface PolicyVersion extends PolicyReference {
  rules: PolicyRules;
}

/** A version on which two admins agreed and which none of them released, as the decision sees it. */
export interface AgreedPolicy extends PolicyVersion {
  /** One admin paused, edited or deleted it: its people and its caps count, but a person decides. */
  isHeld: boolean;
  /** The period of limits that they agreed under; undefined if it was not known. */
  period: LimitPeriod | undefined;
  /** The amount above which two admins had to approve then. */
  secondAbove: number | undefined;
}

export const isRaiseRules = (rules: PolicyRules): rules is RaiseRules => rules.kind !== 'default';
