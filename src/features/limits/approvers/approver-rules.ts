import { audit } from '../../../core/store/audit.ts';
import { TEAM } from '../core/approver-tables.ts';
import type { LimitDatabase, LimitTransaction } from '../core/limit-tables.ts';

/** Who is asked to decide requests. Without them, all admins are asked at once. */
export interface ApproverRules {
  /** Slack ids, in the order in which they are asked. Empty: all admins are asked at once. */
  approvers: readonly string[];
  /** How long each approver is asked before the next one. */
  hours: number;
  /** Above this many credits in total, two admins approve a request. */
  secondAbove: number | undefined;
  /** Whether approvers are skipped whose Slack status says that they are away. */
  skipsAway: boolean;
}

export const NO_RULES: ApproverRules = { approvers: [], hours: 4, secondAbove: undefined, skipsAway: false };

/** The leads of the team are asked before the approvers. */
export const withTeam = (rules: ApproverRules, hasTeam: boolean): ApproverRules =>
  hasTeam ? { ...rules, approvers: [TEAM, ...rules.approvers] } : rules;

export async function readApproverRules(db: LimitDatabase): Promise<ApproverRules | undefined> {
  const row = await db.selectFrom('limitApproverRules').selectAll().executeTakeFirst();
  if (!row) return undefined;
  const approvers = await db.selectFrom('limitApprovers').select('slackId').orderBy('position').execute();
  return {
    approvers: approvers.map(({ slackId }) => slackId),
    hours: row.hours,
    secondAbove: row.secondAbove ?? undefined,
    skipsAway: row.skipsAway === 1,
  };
}

/** Rules without approvers and without a second approval are removed. @param detail of the audit */
export async function saveApproverRules(
  trx: LimitTransaction,
  { approvers, hours, secondAbove, skipsAway }: ApproverRules,
  { by, detail }: { by: string; detail: string },
  now: Date,
): Promise<void> {
  await trx.deleteFrom('limitApprovers').execute();
  await trx.deleteFrom('limitApproverRules').execute();
  if (approvers.length > 0 || secondAbove !== undefined)
    await trx
      .insertInto('limitApproverRules')
      .values({
        place: 'here',
        hours,
        secondAbove: secondAbove ?? null,
        skipsAway: skipsAway ? 1 : 0,
        changedBy: by,
        at: now.toISOString(),
      })
      .execute();
  if (approvers.length > 0)
    await trx
      .insertInto('limitApprovers')
      .values(approvers.map((slackId, position) => ({ position, slackId })))
      .execute();
  await audit(trx, { about: 'limits:approvers', actor: by, action: 'set the approvers', detail }, now);
}
