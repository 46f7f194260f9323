import { z } from 'zod';
import type { DatabaseTransaction } from '../../../core/store/tables.ts';
import type { Pool } from '../rules/decide-team.ts';
import type { TeamPolicy, TeamRules } from '../rules/policy-rules.ts';
import { declareOwnerNotice } from '../../../core/outbox/owner-notices.ts';

const pauseReason = z.enum(['admin', 'stopped', 'grants_a_day', 'credits_a_period', 'gap']);

const bounds = z.object({ pool: z.number().nullable(), cap: z.number() });

const noticeSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('paused'), reason: pauseReason, by: z.string().nullable(), names: z.array(z.string()) }),
  /** It waits for a second admin. */
  z.object({ event: z.literal('tested'), id: z.string(), version: z.int() }),
  /** Its people and caps wait for a second admin. */
  z.object({ event: z.literal('removed'), id: z.string() }),
  z.object({ event: z.literal('activated'), id: z.string(), version: z.int() }),
  /** A lead lowered what bounds the leads of a team. */
  z.object({
    event: z.literal('lowered'),
    id: z.string(),
    version: z.int(),
    by: z.string(),
    before: bounds,
    after: bounds,
  }),
  /** Most of the pool of a team is granted. `until`: the last day of the period. */
  z.object({ event: z.literal('pool'), id: z.string(), until: z.iso.date(), charged: z.number() }),
  /** The period of limits from `first` to `last` is over. */
  z.object({
    event: z.literal('summary'),
    id: z.string(),
    first: z.iso.date(),
    last: z.iso.date(),
    pool: z.number().nullable(),
  }),
]);
export type PolicyNotice = z.infer<typeof noticeSchema>;

/** From this share on, leads and admins are told once a period. */
const POOL_WARNING = 0.8;

/** In the transaction that charges the pool. */
export async function warnAboutPool(
  trx: DatabaseTransaction,
  { id, rules }: Pick<TeamPolicy, 'id' | 'rules'>,
  { period, charged }: Pick<Pool, 'period' | 'charged'>,
  now: Date,
): Promise<void> {
  if (rules.pool === null || charged < rules.pool * POOL_WARNING) return;
  const key = `limit-pool:${id}:${period.first}`;
  const payload = { event: 'pool' as const, id, until: period.last, charged };
  await policyNotice.notify(trx, null, { key, payload }, now);
  for (const lead of rules.leads) await policyNotice.notify(trx, lead, { key: `${key}:${lead}`, payload }, now);
}

/** Tells the admins and the other leads, in the transaction that lowers the pool or the highest limit. */
export async function tellLowered(
  trx: DatabaseTransaction,
  { leads }: Pick<TeamRules, 'leads'>,
  payload: Extract<PolicyNotice, { event: 'lowered' }>,
  now: Date,
): Promise<void> {
  const key = `limit-policy:lowered:${payload.id}:${payload.version}`;
  await policyNotice.notify(trx, null, { key, payload }, now);
  for (const lead of leads)
    if (lead !== payload.by) await policyNotice.notify(trx, lead, { key: `${key}:${lead}`, payload }, now);
}

export const policyNotice = declareOwnerNotice('limit-policy', noticeSchema);
