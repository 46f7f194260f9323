import type { BlockMessage, Button } from '../../../core/slack/blocks/blocks.ts';
import { buttonRow, messageOf, prose, rule, smallPrint } from '../../../core/slack/blocks/paragraphs.ts';
import { markup, readerTime, type Markup } from '../../../core/base/text/markup.ts';
import {
  LABELS,
  choiceButtons,
  denyButton,
  giveButton,
  questionButton,
  retryButton,
  reviewButton,
  showButton,
  undoButton,
} from '../core/limit-buttons.ts';
import { approverLines, type CardApprovers } from '../approvers/card-approvers.ts';
import type { CardDeciders } from '../approvers/deciders-on-card.ts';
import { MAX_PEOPLE_SHOWN, type EvidenceReading } from './evidence.ts';
import { evidenceLines, evidenceNote, type LimitHistory } from './evidence-text.ts';
import type { OpenElsewhere } from '../core/ledger.ts';
import { isFollowUp, type LimitRequest } from '../core/limit-tables.ts';
import { effectOfRemoval } from '../core/own-limit-removal.ts';
import { fallbackSentences } from '../core/limit-messages.ts';
import { faultGroupLine, peopleWords, personLine, requestedWords } from '../core/person-text.ts';
import type { FaultGroup, RequestTotals } from '../core/requests.ts';
import { askLine, stateLine, untilLine } from '../core/state-text.ts';
import { budgetLines, type BudgetAtRequest } from './budget-lines.ts';
import { approveButtons } from './quick-approval.ts';
import { approvedLines, costLines, outlierLines, totalsLine, type RequestCosts } from './totals-text.ts';
import type { PolicyOnCard } from '../core/request-policies.ts';
import type { VisibleRequest } from '../core/visible.ts';

export interface CardFacts extends VisibleRequest {
  faults: readonly FaultGroup[];
  totals: RequestTotals;
  /** Only while a decision is pending. */
  evidence: EvidenceReading | undefined;
  history: ReadonlyMap<string, LimitHistory>;
  /** What the requested credits and the use of the evidence cost; undefined without a price. */
  costs?: RequestCosts | undefined;
  /** The budgets that hold its people; only while a decision is pending. */
  budgets?: readonly BudgetAtRequest[] | undefined;
  open: readonly OpenElsewhere[];
  /** Only while a decision is pending. */
  deciders?: CardDeciders | undefined;
  /** Only while a decision is pending. */
  approvers?: CardApprovers | undefined;
  undo?: VisibleRequest | undefined;
  undoEffect?: Markup | undefined;
  /** The limit in effect for everybody, if own limits are to be removed. */
  everybody?: number | undefined;
  /** What limit policies decided about it, and would have decided. */
  policy?: PolicyOnCard | undefined;
  /** Why the card is a direct message. */
  fallbackReason?: string | undefined;
}

/** The card for the admins who decide, with the most important lines first for phones. */
export function cardMessage(facts: CardFacts): BlockMessage {
  const evidence = facts.evidence ? evidenceLines(facts.evidence, facts.people, facts.history) : [];
  return messageOf(
    prose([
      markup`*${askLine(facts)}*`,
      stateLine(facts),
      ...approverLines(facts.approvers),
      ...deciderLines(facts),
      ...(facts.policy?.lines ?? []),
      ...undoLines(facts),
    ]),
    prose(requestLines(facts)),
    prose([
      ...costLines(facts),
      ...budgetLines(facts.budgets ?? []),
      ...concernLines(facts.evidence, MAX_PEOPLE_SHOWN),
    ]),
    ...(evidence.length > 0 ? [rule(), prose(evidence, '\n\n')] : []),
    ...notesOf(facts).map((note) => smallPrint(note)),
    buttonRow(...approveButtons(facts), ...buttonsOf(facts.request), ...giveButtons(facts), ...undoButtons(facts)),
  );
}

export function concernLines(reading: EvidenceReading | undefined, most: number): Markup[] {
  if (reading?.kind !== 'read') return [];
  const { evidence } = reading;
  return [...(evidence.total.people > 1 ? [totalsLine(evidence)] : []), ...outlierLines(evidence, most)];
}

/** Names without mentions, because a mention would notify each admin of each request. */
function deciderLines({ request, deciders, approvers }: CardFacts): Markup[] {
  if (!deciders) return [];
  const { names, count } = deciders;
  if (count === 0)
    return [
      markup`⚠️ No ${request.state === 'second_approval' ? 'other admin can give the second approval' : 'admin can decide this'} now. Ask the server operator to add another admin to ADMINS.`,
    ];
  const rest = count - names.length;
  const head = approvers?.asked ? markup`Can decide at any time` : markup`Can decide`;
  return [markup`${head}: ${names.join(', ')}${rest > 0 ? markup` and ${rest} more` : markup``}`];
}

const giveButtons = ({ request, approvers }: CardFacts): Button[] =>
  approvers?.isGivable ? [giveButton(request.id)] : [];

const undoLines = ({ undo }: CardFacts): Markup[] =>
  undo ? [markup`↩️ *${LABELS.undo}* (\`${undo.request.id}\`): ${stateLine(undo)}`] : [];

function undoButtons({ request, undo, undoEffect }: CardFacts): Button[] {
  if (undo) return isRetryable(undo.request) ? [retryButton(undo.request.id)] : [];
  return undoEffect ? [undoButton(request.id, undoEffect)] : [];
}

const isRetryable = ({ state }: Pick<LimitRequest, 'state'>) =>
  state === 'partly_applied' || state === 'outcome_unknown';

function requestLines(facts: CardFacts): Markup[] {
  const { request, open } = facts;
  const until = untilLine(facts);
  return [
    ...peopleLines(facts).map((line) => markup`•  ${line}`),
    ...(isFollowUp(request) ? [] : approvedLines(request.people, facts.totals)),
    ...removalLines(facts),
    ...openLines(open),
    ...(until ? [until] : []),
    ...(isFollowUp(request) || request.reason === null ? [] : [markup`Why: ${request.reason}`]),
    ...(request.comment === null || isFollowUp(request) ? [] : [markup`Comment: ${request.comment}`]),
  ];
}

/** Lists each person if there are few; otherwise, after sending, only the faults. */
function peopleLines({ request, people, faults }: CardFacts): Markup[] {
  const isOver = request.state === 'partly_applied' || request.state === 'outcome_unknown';
  if (isOver && request.people > MAX_PEOPLE_SHOWN) return faults.map((group) => faultGroupLine(group));
  const rest = request.people - people.length;
  return [
    ...people.map((person) => personLine(person)),
    ...(rest > 0 ? [markup`and ${peopleWords(rest)} more: \`/limits show ${request.id}\``] : []),
  ];
}

/** Only while a decision is pending. */
export const removalLines = ({ everybody }: CardFacts): Markup[] =>
  everybody === undefined ? [] : [effectOfRemoval(everybody)];

/** An admin who decides one of two requests for a person needs to know about the other. */
export function openLines(open: readonly OpenElsewhere[]): Markup[] {
  return open.map(
    (one) =>
      markup`Also open for ${one.email}: \`${one.requestId}\`, for ${requestedWords(one)}. What is decided later wins.`,
  );
}

function notesOf({ request, evidence, policy, fallbackReason }: CardFacts): Markup[] {
  return [
    ...(evidence?.kind === 'read' ? [evidenceNote(evidence.evidence)] : []),
    markup`Request \`${request.id}\`, sent ${readerTime(new Date(request.createdAt))}. Amounts are in credits.`,
    ...(policy?.note ? [policy.note] : []),
    ...(fallbackReason === undefined ? [] : [markup`${fallbackSentences(fallbackReason)}`]),
  ];
}

function buttonsOf({ id, state, undoneAt }: Pick<LimitRequest, 'id' | 'state' | 'undoneAt'>): Button[] {
  switch (state) {
    case 'pending':
    case 'handed_on':
    case 'second_approval':
      return [reviewButton(id), denyButton(id), questionButton(id)];
    case 'partly_applied':
    case 'outcome_unknown':
      return [...(undoneAt === null ? [retryButton(id)] : []), showButton(id)];
    case 'unsure':
      return [...choiceButtons(id), showButton(id)];
    case 'approved':
    case 'applying':
    case 'applied':
    case 'left':
    case 'denied':
    case 'withdrawn':
    case 'expired':
      return [];
    default:
      return state satisfies never;
  }
}
