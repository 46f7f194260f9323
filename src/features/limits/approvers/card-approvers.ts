import { markup, readerTime, type Markup } from '../../../core/base/text/markup.ts';
import { formatAmount } from '../../../core/base/text/amounts.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import type { LimitRequest } from '../core/limit-tables.ts';
import { isWaiting } from '../core/states.ts';
import { TEAM } from '../core/approver-tables.ts';
import { NO_RULES, readApproverRules, withTeam } from './approver-rules.ts';
import { endOfTurn, remainingApprovers } from './plan-turns.ts';
import { currentTurn, listTurns, stageOf } from './turns.ts';

type Asked = { name: string } | 'all admins';

export interface CardApprovers {
  /** Whether admins can give the request to another one. */
  isGivable: boolean;
  asked: Asked | undefined;
  next: { from: Date; asked: Asked } | undefined;
  secondAbove: number | undefined;
}

/** Returns undefined if it waits for no decision. Without the names, Slack could not be asked. */
export async function readCardApprovers(
  deps: Pick<LimitDeps, 'db' | 'people' | 'log'>,
  request: Pick<LimitRequest, 'id' | 'state' | 'requester' | 'firstApprovedBy'>,
): Promise<CardApprovers | undefined> {
  if (!isWaiting(request)) return undefined;
  const stage = stageOf(request);
  const turns = (await listTurns(deps.db, request.id)).filter((turn) => turn.stage === stage);
  const current = currentTurn(turns, stage);
  const rules = withTeam((await readApproverRules(deps.db)) ?? NO_RULES, current?.approver === TEAM);
  const nameOf = async (slackId: string | null | undefined): Promise<Asked> => {
    if (slackId === TEAM) return { name: 'the leads of the team' };
    return slackId ? { name: (await deps.people.describe(slackId))?.name ?? slackId } : 'all admins';
  };
  const facts = { isGivable: rules.approvers.length > 0, secondAbove: rules.secondAbove };
  try {
    const asked = current && (await nameOf(current.approver));
    if (!current?.approver) return { ...facts, asked, next: undefined };
    const nextApprover = remainingApprovers({ rules, turns }).find((slackId) => !isConcerned(request, slackId));
    const next = { from: endOfTurn(current, rules), asked: await nameOf(nextApprover) };
    return { ...facts, asked, next };
  } catch (error) {
    deps.log.warn({ err: error, request: request.id }, 'Reading the approvers failed, so a card names none');
    return { ...facts, asked: undefined, next: undefined };
  }
}

/** Whether an approver will be skipped for certain, because they made the request or approved it first. */
const isConcerned = (request: Pick<LimitRequest, 'requester' | 'firstApprovedBy'>, slackId: string): boolean =>
  slackId === request.requester || slackId === request.firstApprovedBy;

const askedWords = (asked: Asked): Markup => (asked === 'all admins' ? markup`${asked}` : markup`*${asked.name}*`);

/** Names without mentions: the admin who is asked has a message of their own. */
export function approverLines(approvers: CardApprovers | undefined): Markup[] {
  if (!approvers?.asked) return [];
  const { asked, next } = approvers;
  if (!next) return [markup`👉 Asked now: ${askedWords(asked)}.`];
  return [markup`👉 Asked now: ${askedWords(asked)}. Next, from ${readerTime(next.from)}: ${askedWords(next.asked)}.`];
}

/** Explains the second approval to the admin who gives the first one. */
export const secondApprovalSentence = (secondAbove: number): string =>
  `Above ${formatAmount(secondAbove)} credits in total, a second admin has to approve too, before anything is set.`;
