import type { FailureReport } from '../../../core/outbox/message-duties.ts';
import type { MessageHandler } from '../../../core/outbox/message-kind.ts';
import { namesNobody } from '../../../core/outbox/poster.ts';
import type { Button } from '../../../core/slack/blocks/blocks.ts';
import { buttonRow, messageOf, prose } from '../../../core/slack/blocks/paragraphs.ts';
import { markup, mention, readerTime, type Markup } from '../../../core/base/text/markup.ts';
import { formatAmount } from '../../../core/base/text/amounts.ts';
import { returnNotice, stateNotice } from '../core/limit-messages.ts';
import { LABELS, askAgainButton, extendButton, showButton } from '../core/limit-buttons.ts';
import { MAX_PEOPLE_SHOWN } from './evidence.ts';
import { isFollowUp, withLimits, type LimitPerson } from '../core/limit-tables.ts';
import type { DatabaseTransaction } from '../../../core/store/tables.ts';
import { emailsOf, laterValues } from '../core/ledger.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { nameOf, peopleWords, personLine } from '../core/person-text.ts';
import { findRequest, peopleOf } from '../core/requests.ts';
import { deciderOf, limitThatWasSet, stateLine, untilLine, type SetLimit } from '../core/state-text.ts';
import { isWaiting } from '../core/states.ts';
import { readVisible, viewerOf } from '../rights/visible-requests.ts';
import { isRequester } from '../core/access.ts';
import type { VisibleRequest } from '../core/visible.ts';

export const statusMessages = (deps: LimitDeps): MessageHandler[] => [state(deps), returnSoon(deps)];

const GONE = 'Its request no longer exists.';
const NOT_THEIRS = 'The reader no longer has anything to do with it.';

const state = ({ db }: LimitDeps) =>
  stateNotice.handledBy({
    isRoleFresh: true,
    write: async ({ payload: { requestId, state: announcedState, round } }, reader) => {
      const request = await findRequest(db, requestId);
      if (!request) return { kind: 'skip', reason: GONE };
      if (request.state !== announcedState || request.round !== round)
        return { kind: 'skip', reason: 'A message about a newer state replaces it.' };
      const visible = await readVisible(db, requestId, viewerOf(reader), () =>
        peopleOf(db, requestId, MAX_PEOPLE_SHOWN),
      );
      if (!visible) return { kind: 'skip', reason: NOT_THEIRS };
      return { kind: 'send', message: namesNobody(statusMessage(visible)) };
    },
    report: (trx, { payload }) => report(trx, payload.requestId, 'The news about'),
  });

/** Reports to the requester, or to the admins if the message was for the requester. */
async function report(trx: DatabaseTransaction, requestId: string, what: string): Promise<readonly FailureReport[]> {
  const request = await findRequest(withLimits(trx), requestId);
  return [
    {
      owner: request?.requester ?? null,
      what: `${what} request ${requestId}`,
      command: { command: '/limits', words: ['show', requestId] },
    },
  ];
}

function statusMessage(visible: VisibleRequest) {
  const { request } = visible;
  const buttons: Button[] = [showButton(request.id)];
  const cameToNothing = request.state === 'expired' || request.state === 'denied';
  if (cameToNothing && isRequester(visible.involvement)) buttons.unshift(askAgainButton(request.id));
  return messageOf(prose(statusLines(visible)), buttonRow(...buttons));
}

const NOBODY_DECIDES =
  'You’re the only admin, and admins can’t decide their own requests. Ask the server operator to add another admin to ADMINS, or read about FOUR_EYES in the settings.';

const NOBODY_APPROVES =
  'Your request is approved, but no other admin can give the second approval. Ask the server operator to add another admin to ADMINS.';

function statusLines(visible: VisibleRequest): Markup[] {
  const { request, people } = visible;
  if (request.state === 'second_approval') return [markup`${NOBODY_APPROVES}`];
  if (isWaiting(request)) return [markup`${NOBODY_DECIDES}`];
  const until = request.state === 'applied' || request.state === 'partly_applied' ? untilLine(visible) : undefined;
  const rest = request.people - people.length;
  return [
    ...(limitLines(visible) ?? [markup`${subjectOf(request)}: ${stateLine(visible)}.`]),
    ...people.map((person) => markup`•  ${personLine(person)}`),
    ...(rest > 0 ? [markup`•  and ${peopleWords(rest)} more`] : []),
    ...(until ? [markup`${until}.`] : []),
    ...(request.comment === null || isFollowUp(request) ? [] : [markup`Comment: ${request.comment}`]),
  ];
}

function subjectOf({ id, kind, parentId }: VisibleRequest['request']): Markup {
  switch (kind) {
    case 'return':
      return markup`Your temporary raise ended (request \`${parentId ?? ''}\`)`;
    case 'undo':
      return markup`The undo of request \`${parentId ?? ''}\``;
    case 'policy':
      return markup`Your credit limit (request \`${id}\`)`;
    case 'ask':
    case 'import':
      return markup`Your request \`${id}\``;
    default:
      return kind satisfies never;
  }
}

/** A phone shows only the start, so the amount comes first. */
function limitLines(visible: VisibleRequest): Markup[] | undefined {
  const { request, involvement } = visible;
  const limit = request.kind === 'return' ? undefined : limitThatWasSet(visible);
  if (!limit) return undefined;
  const isFromReader = isRequester(involvement);
  const isForOther = isFromReader && limit.person.slackId !== request.requester;
  const whose = isForOther ? markup`The limit of ${nameOf(limit.person)}` : markup`Your limit`;
  const asker = isFromReader ? markup`you` : mention(request.requester);
  const requestedClause =
    limit.requestedAmount === undefined ? markup`` : markup` (${asker} requested ${limit.requestedAmount})`;
  if (request.kind === 'undo') return undoneLines(visible, whose, limit);
  const by = request.decidedBy === null ? markup`` : markup`approved by ${deciderOf(request.decidedBy, request)}, `;
  const at = readerTime(new Date(request.finishedAt ?? 0));
  return [
    limit.isRemoved
      ? markup`✅ *${isForOther ? markup`The own limit of ${nameOf(limit.person)}` : markup`Your own limit`} is removed.*`
      : markup`✅ *${whose} is now ${limit.amount}*${requestedClause}.`,
    markup`Request \`${request.id}\`: ${by}confirmed by the platform ${at}.`,
  ];
}

function undoneLines({ request }: VisibleRequest, whose: Markup, { amount, isRemoved }: SetLimit): Markup[] {
  const at = readerTime(new Date(request.finishedAt ?? 0));
  const by = mention(request.decidedBy ?? '');
  return [
    isRemoved ? markup`↩️ *${whose} is removed again.*` : markup`↩️ *${whose} is ${amount} again.*`,
    markup`${by} undid the request \`${request.parentId ?? ''}\`; confirmed by the platform ${at}.`,
  ];
}

const returnSoon = ({ db, clock }: LimitDeps) =>
  returnNotice.handledBy({
    isRoleFresh: true,
    write: async ({ payload: { requestId } }, reader) => {
      const request = await findRequest(db, requestId);
      if (!request || request.until === null) return { kind: 'skip', reason: GONE };
      if (new Date(request.until) <= clock.now()) return { kind: 'skip', reason: 'Its end date has passed.' };
      const visible = await readVisible(db, requestId, viewerOf(reader), peopleOf);
      if (!visible) return { kind: 'skip', reason: NOT_THEIRS };
      const people = visible.people.filter((person) => person.state === 'set' || person.state === 'unknown');
      const since = { decidedAt: request.decidedAt ?? '', except: [requestId] };
      const laterEntries = await laterValues(db, emailsOf(people), since);
      const raisedPeople = people.filter(({ email }) => !laterEntries.has(email));
      if (raisedPeople.length === 0)
        return { kind: 'skip', reason: 'The values were changed since, so nothing goes back.' };
      return { kind: 'send', message: namesNobody(soonMessage(visible, raisedPeople)) };
    },
    report: (trx, { payload }) => report(trx, payload.requestId, 'The notice about the end of'),
  });

function soonMessage({ request }: VisibleRequest, raisedPeople: readonly LimitPerson[]) {
  const [only] = raisedPeople;
  const who = raisedPeople.length === 1 && only ? nameOf(only) : markup`${peopleWords(raisedPeople.length)}`;
  const end = readerTime(new Date(request.until ?? 0));
  const lines = [
    markup`The temporary raise for ${who} ends ${end}. ${returnSentence(raisedPeople)}, as approved in request \`${request.id}\`.`,
    markup`Still need it? *${LABELS.extend}* opens a new request.`,
  ];
  return messageOf(prose(lines), buttonRow(extendButton(request.id), showButton(request.id)));
}

function returnSentence(raisedPeople: readonly LimitPerson[]): Markup {
  const values = new Set(raisedPeople.map(({ returnValue: value }) => value));
  const [only] = values;
  const isOne = values.size === 1 && only !== null && only !== undefined;
  return isOne ? markup`The limit then goes back to ${formatAmount(only)}` : markup`The limits then go back`;
}
