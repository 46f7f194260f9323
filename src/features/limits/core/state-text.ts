import { BOT_ACTOR } from '../../../core/store/audit.ts';
import { LABELS } from './limit-buttons.ts';
import type { Refusal } from '../../../core/slack/blocks/messages.ts';
import { markup, mention, readerTime, type Markup } from '../../../core/base/text/markup.ts';
import { countOf, formatNumber } from '../../../core/base/text/numbers.ts';
import { formatAmount, formatShortAmount } from '../../../core/base/text/amounts.ts';
import type { LimitPerson, LimitRequest } from './limit-tables.ts';
import { approverName, isRemoval, nameOf, peopleWords } from './person-text.ts';
import type { PeopleCounts } from './requests.ts';
import { isWaiting, type RequestState, type TransitionRefusal } from './states.ts';
import type { VisibleRequest } from './visible.ts';

const time = (at: string | null) => readerTime(new Date(at ?? 0));

export function askLine(visible: VisibleRequest): Markup {
  const isBlocked = visible.request.isBlocked === 1 && isWaiting(visible.request);
  return isBlocked ? markup`🛑 Blocked now: ${subjectLine(visible)}` : subjectLine(visible);
}

function subjectLine(visible: VisibleRequest): Markup {
  const { request, people } = visible;
  const [first] = people;
  const who = mention(request.requester);
  if (request.kind === 'return')
    return markup`Temporary raise ended for ${forWhom(visible)} (request \`${request.parentId ?? ''}\`)`;
  if (request.kind === 'undo') return markup`Undo of request \`${request.parentId ?? ''}\` for ${forWhom(visible)}`;
  if (request.kind === 'policy')
    return markup`A policy sets a first credit limit${amountOf(people)} for ${forWhom(visible)}`;
  if (request.kind === 'import' && visible.extent === 'all')
    return markup`${who} requests credit limits for ${peopleWords(request.people)}, from a list`;
  if (request.kind === 'ask' && first?.removes === 1)
    return markup`${who} requests no own credit limit for ${forWhom(visible)}`;
  if (request.people === 1 && first?.slackId === request.requester)
    return markup`${who} requests a credit limit${amountOf(people)}`;
  return markup`${who} requests a credit limit${amountOf(people)} for ${forWhom(visible)}`;
}

/** A phone shows only the start, so a single amount comes first. */
function amountOf(people: VisibleRequest['people']): Markup {
  if (people.some(({ removes }) => removes === 1)) return markup``;
  const [only, ...others] = new Set(people.map(({ toValue: value }) => value));
  return only === undefined || others.length > 0 ? markup`` : markup` of ${formatShortAmount(only)}`;
}

function forWhom({ request: { people: count }, people: [first] }: VisibleRequest): Markup {
  return count === 1 && first ? nameOf(first) : markup`${peopleWords(count)}`;
}

export interface SetLimit {
  person: LimitPerson;
  amount: string;
  /** Undefined if equal to the amount that was set. */
  requestedAmount: string | undefined;
  /** Their own limit was removed. */
  isRemoved: boolean;
}

export function limitThatWasSet({ request, people: [person] }: VisibleRequest): SetLimit | undefined {
  if (request.state !== 'applied' || request.people !== 1 || person?.state !== 'set') return undefined;
  const amount = person.setValue ?? person.approvedValue ?? person.toValue;
  const requestedAmount = person.toValue === amount ? undefined : formatShortAmount(person.toValue);
  const isRemoved = isRemoval(person);
  return {
    person,
    amount: formatShortAmount(amount),
    requestedAmount: isRemoved ? undefined : requestedAmount,
    isRemoved,
  };
}

/** @example '6 M set (requested 12 M)' */
function setWords(visible: VisibleRequest): Markup {
  const limit = limitThatWasSet(visible);
  if (!limit) return markup`*Set*`;
  if (limit.isRemoved) return markup`*Own limit removed*`;
  const requestedClause =
    limit.requestedAmount === undefined ? markup`` : markup` (requested ${limit.requestedAmount})`;
  return markup`*${limit.amount} set*${requestedClause}`;
}

type DecidedRequest = Pick<LimitRequest, 'state' | 'decidedAlone' | 'firstApprovedBy' | 'policyName' | 'policyVersion'>;

/** The states that an approved request never reaches. */
const NOT_APPROVED = new Set<RequestState>(['denied', 'withdrawn', 'expired']);

/** Names both admins if two had to approve. */
export function deciderOf(
  by: string,
  { state, decidedAlone, firstApprovedBy: first, policyName, policyVersion }: DecidedRequest,
): Markup {
  if (first !== null && !NOT_APPROVED.has(state)) return markup`${mention(first)} and ${mention(by)}`;
  if (policyName !== null && by === BOT_ACTOR)
    return markup`the policy “${policyName}” (version ${policyVersion ?? 0})`;
  if (policyName !== null) return markup`${mention(by)} as a lead (“${policyName}”)`;
  return decidedAlone ? markup`${mention(by)} (decided alone)` : mention(by);
}

/** Describes the state in one line that claims only known facts. */
export function stateLine(visible: VisibleRequest): Markup {
  const { request, counts } = visible;
  const by = request.decidedBy === null ? markup`` : markup` by ${deciderOf(request.decidedBy, request)}`;
  const decision = request.kind === 'undo' ? markup`Undo${by}` : markup`Approved${by}`;
  switch (request.state) {
    case 'pending':
      return markup`⏳ Waiting for a decision until ${time(request.expiresAt)}`;
    case 'handed_on':
      return markup`⏳ Handed on, waiting for a decision until ${time(request.expiresAt)}`;
    case 'second_approval':
      return markup`⏳ *Approved by ${mention(request.firstApprovedBy ?? '')}*, waiting for a second approval until ${time(request.expiresAt)}`;
    case 'approved':
    case 'applying':
      return markup`⏳ *${decision}*, being set on the platform${sentSoFar(counts)}`;
    case 'applied':
      if (sentTotal(counts) === 0) return markup`❌ *Everyone was left out${by}*`;
      return markup`✅ ${setWords(visible)} ${time(request.finishedAt)}, confirmed by the platform · ${request.kind === 'undo' ? 'undo' : 'approved'}${by}`;
    case 'partly_applied':
      return markup`⚠️ *${partlySetWords(counts)}* ${decision}`;
    case 'outcome_unknown':
      return markup`⚠️ *Unconfirmed for ${peopleWords(counts.unknown ?? 0)}:* the platform’s answer was lost. ${retrySentence(request)} ${decision}`;
    case 'unsure':
      return markup`⚠️ *Not sent: an admin has to choose.* ${unsureLine(request)} ${decision}`;
    case 'left':
      return markup`⏸️ *Left as it is by ${approverName(request.chosenBy ?? '')}* ${time(request.chosenAt)}: nothing more is sent. ${decision}`;
    case 'denied':
      return markup`❌ *Denied${by}* ${time(request.decidedAt)}${firstApprovalClause(request)}`;
    case 'withdrawn':
      return markup`↩️ *Withdrawn${by}* ${time(request.decidedAt)}`;
    case 'expired':
      return request.firstApprovedBy === null
        ? markup`⌛ *Expired* ${time(request.finishedAt)}: not decided in time`
        : markup`⌛ *Expired* ${time(request.finishedAt)}: no second approval in time${firstApprovalClause(request)}`;
    default:
      return request.state satisfies never;
  }
}

/** For a request that ended without the second approval. */
const firstApprovalClause = ({ firstApprovedBy: first }: Pick<LimitRequest, 'firstApprovedBy'>): Markup =>
  first === null ? markup`` : markup`, after ${mention(first)} had approved it`;

function unsureLine({ unsureSince: since, unsureUntil: until }: Pick<LimitRequest, 'unsureSince' | 'unsureUntil'>) {
  if (since === null)
    return markup`The raise of a policy ended, but it is not the newest limit that was set here. Sending its end would replace that limit.`;
  return markup`Quartermaster’s store holds nothing from ${time(since)} to ${time(until)}: it was not running, or a backup was restored. This may have been set in that time, and another limit after it, which sending would undo.`;
}

function sentSoFar(counts: PeopleCounts): string {
  const total = sentTotal(counts);
  return total > 1 ? `: ${formatNumber(counts.set ?? 0)} of ${formatNumber(total)} so far` : '';
}

const sentTotal = (counts: PeopleCounts) =>
  Object.entries(counts).reduce((sum, [state, count]) => (state === 'left_out' ? sum : sum + count), 0);

function partlySetWords(counts: PeopleCounts): string {
  const set = counts.set ?? 0;
  const total = sentTotal(counts);
  if (set === 0) return total === 1 ? 'Not set.' : `Not set: none of ${formatNumber(total)}.`;
  return `Partly set: ${formatNumber(set)} of ${formatNumber(total)}.`;
}

function retrySentence({ nextAttemptAt: next }: Pick<LimitRequest, 'nextAttemptAt'>): Markup {
  return next === null
    ? markup`An admin can safely send it again.`
    : markup`Quartermaster will safely retry ${time(next)}.`;
}

export function untilLine({ request, people }: VisibleRequest): Markup | undefined {
  if (request.until === null) return undefined;
  const returnValues = [...new Set(people.map(({ returnValue: value }) => value))];
  const [only] = returnValues;
  const to =
    returnValues.length === 1 && only !== null && only !== undefined
      ? `to ${formatAmount(only)}`
      : 'to the values before';
  return markup`Until ${time(request.until)}, then back ${to}`;
}

/** Uses the same words for an unknown id and for a request that the reader may not see. */
export const unknownRequest = (id: string) =>
  `There is no request “${id}” that you can see. /limits lists those that you can.`;

type StatusRequest = Omit<LimitRequest, 'reason' | 'evidence'>;

/** Explains a refusal in one sentence that names the person who acted first. @param reader the Slack id of its reader */
export function refusalOf(reason: TransitionRefusal, request: StatusRequest, reader: string): Refusal {
  const id = markup`\`${request.id}\``;
  switch (reason) {
    case 'managers_only':
      return { what: 'This', role: 'manager' };
    case 'admins_only':
      return { what: 'This', role: 'admin' };
    case 'own_request':
      return markup`Admins can’t decide their own request or limit. Another admin has to review ${id}.`;
    case 'own_as_lead':
      return markup`Leads can’t decide their own request or limit. Another lead or an admin has to review ${id}.`;
    case 'not_theirs':
      return {
        owner: markup`${mention(request.requester)}, the requester`,
        action: markup`withdraw ${id}`,
        role: 'admin',
      };
    case 'not_pending':
      return alreadyLine(request, reader);
    case 'expired':
    case 'not_expired_yet':
      return expiredLine(request);
    case 'end_passed':
      return markup`The request ${id} was until ${time(request.until)}, which has passed. Request it again if you still need it.`;
    case 'nobody_left':
      return markup`This leaves no one to approve. Deny the request instead.`;
    case 'own_limit':
      return markup`Admins can’t undo a request that set their own limit. Another admin has to undo ${id}.`;
    case 'undone':
      return markup`${mention(request.undoneBy ?? '')} already undid the request ${id} ${time(request.undoneAt)}.`;
    case 'nothing_to_undo':
      return markup`There is nothing to undo: ${id} has set no limit.`;
    case 'undo_too_late':
      return request.undoUntil === null
        ? markup`A request can be undone for ten minutes, and ${id} was set ${time(request.finishedAt)}. Request another limit instead.`
        : markup`${id} could be undone until ${time(request.undoUntil)}. Request another limit instead.`;
    case 'earlier_unknown':
      return markup`${id} can’t be undone: Quartermaster doesn’t know a permanent limit from before. Request another limit instead.`;
    case 'changed_since':
      return markup`${id} can’t be undone: another request has changed one of its limits since, or may do so.`;
    case 'not_confirmed':
      return markup`You made the request ${id}, and there is no other admin. Press *${LABELS.review}* to confirm that you decide it alone.`;
    case 'second_needed':
      return markup`${mention(request.firstApprovedBy ?? '')} approved ${id} in the meantime. It needs a second approval: press *${LABELS.review}* to see the approved amounts.`;
    case 'same_approver':
      return markup`You gave the first approval of ${id}. Another admin has to give the second one; you can only deny it.`;
    case 'receiver_cannot_decide':
      return markup`This admin can’t decide ${id}. Choose another one.`;
    case 'already_asked':
      return markup`This admin is already asked to decide ${id}.`;
    case 'not_approved':
    case 'not_applying':
    case 'nothing_to_retry':
      return markup`There is nothing to send again: ${stateWord(request)}.`;
    case 'not_unsure':
      return chosenLine(request);
    case 'beyond_team':
      return markup`This goes to an admin: the leads of the team can’t approve ${id} now.`;
    default:
      return reason satisfies never;
  }
}

const expiredLine = ({ id, expiresAt: at, firstApprovedBy: first }: StatusRequest) =>
  first === null
    ? markup`The request \`${id}\` expired ${time(at)}: not decided in time. Request it again if you still need it.`
    : markup`The request \`${id}\` expired ${time(at)}: ${mention(first)} asked for a second admin, and none approved in time. Request it again if you still need it.`;

function alreadyLine(request: StatusRequest, reader: string): Markup {
  const id = markup`\`${request.id}\``;
  const who = request.decidedBy === null ? markup`Another admin` : deciderOf(request.decidedBy, request);
  switch (request.state) {
    case 'expired':
      return expiredLine(request);
    case 'denied':
      return markup`${who} already denied the request ${id} ${time(request.decidedAt)}.`;
    case 'withdrawn':
      return request.decidedBy === reader
        ? markup`You withdrew the request ${id} ${time(request.decidedAt)}.`
        : markup`${who} already withdrew the request ${id} ${time(request.decidedAt)}.`;
    case 'second_approval':
      return markup`${mention(request.firstApprovedBy ?? '')} approved the request ${id} and asked for a second admin.`;
    case 'pending':
    case 'handed_on':
    case 'approved':
    case 'applying':
    case 'applied':
    case 'partly_applied':
    case 'outcome_unknown':
    case 'unsure':
    case 'left':
      return markup`${who} already approved the request ${id} ${time(request.decidedAt)}.`;
    default:
      return request.state satisfies never;
  }
}

function chosenLine({ id, state, chosenBy: by, chosenAt: at }: StatusRequest): Markup {
  if (by === null) return markup`There is nothing to choose: the request \`${id}\` is known to the store.`;
  const [did, how] = state === 'left' ? ['left', 'as it is'] : ['sent', 'again'];
  return markup`${mention(by)} already ${did} the request \`${id}\` ${how} ${time(at)}.`;
}

function stateWord({ state }: StatusRequest): string {
  return state === 'applied' ? 'the platform has set all of it' : 'it is being sent, or was never approved';
}

/** @example ageWords('2026-03-02T07:00:00Z', new Date('2026-03-02T12:00:00Z')) // 'sent 5 hours ago' */
export function ageWords(since: string, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - new Date(since).getTime()) / 60_000));
  if (minutes < 1) return 'sent just now';
  if (minutes < 60) return `sent ${countOf(minutes, 'minute')} ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `sent ${countOf(hours, 'hour')} ago` : `sent ${countOf(Math.floor(hours / 24), 'day')} ago`;
}
