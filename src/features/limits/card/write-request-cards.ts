import { countOf } from '../../../core/base/text/numbers.ts';
import { hasRole } from '../../../core/base/roles.ts';
import { markup, type Markup } from '../../../core/base/text/markup.ts';
import { COVERED, type Failure, type FailureReport, type WriteDecision } from '../../../core/outbox/message-duties.ts';
import { type MessageHandler } from '../../../core/outbox/message-kind.ts';
import { recordDeletedMessage } from '../../../core/outbox/past-deliveries.ts';
import { namesNobody } from '../../../core/outbox/poster.ts';
import { isPersonAddress, type Reader } from '../../../core/outbox/reader.ts';
import { actions, message, section } from '../../../core/slack/blocks/blocks.ts';
import { isDeletedMessage } from '../../../core/slack/client/refusal-codes.ts';
import type { DatabaseTransaction } from '../../../core/store/tables.ts';
import { reviewButton, showButton } from '../core/limit-buttons.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import {
  cardCopies,
  cardEdit,
  cardOutcome,
  cardReminder,
  directReminder,
  limitCard,
  type AboutRequest,
} from '../core/limit-messages.ts';
import { announceCopy, announceOutcome, announceToAdmins, listCards, notifyState } from '../core/notify.ts';
import { findRequest, peopleOf } from '../core/requests.ts';
import { ageWords, stateLine } from '../core/state-text.ts';
import { hasEnded, isWaiting } from '../core/states.ts';
import { isAskedInTurns, listAsked } from '../approvers/turns.ts';
import type { LimitRequest } from '../core/limit-tables.ts';
import type { Actor } from '../core/access.ts';
import type { Viewer } from '../core/visible.ts';
import { readVisible, viewerOf } from '../rights/visible-requests.ts';
import { cardsStillReferenced } from '../limit-retention.ts';
import { listDeciders, nameDeciders } from '../approvers/deciders-on-card.ts';
import { MAX_PEOPLE_SHOWN, namesInEvidence } from './evidence.ts';
import { readCardFacts } from './request-facts.ts';
import { cardMessage } from './request-card.ts';

const GONE = 'Its request no longer exists.';
const NO_ADMIN = 'The reader is no longer an admin, and leads no team of this request.';
const DECIDED = 'It no longer waits for a decision.';

export const cardMessages = (deps: LimitDeps): MessageHandler[] => [
  card(deps),
  copies(deps),
  edit(deps),
  outcome(deps),
  reminder(deps),
  ...directReminder.handledBy(deps, async ({ payload: { requestId } }) => {
    const request = await findPending(deps, requestId);
    if (!request) return { kind: 'skip', reason: DECIDED };
    return { kind: 'send', message: reminderMessage(deps, request, markup`Request \`${requestId}\``) };
  }),
];

async function writeCard(
  deps: LimitDeps,
  { requestId, fallbackReason, turn }: AboutRequest,
  reader: Reader,
): Promise<WriteDecision> {
  const viewer = await viewerOfCard(deps, requestId, reader);
  if (!viewer) return { kind: 'skip', reason: NO_ADMIN };
  // The channel of a team is not the one for decisions, whose people may see figures.
  const isTeamChannel = reader.kind === 'channel' && turn !== undefined;
  const maySeeUse = reader.kind === 'channel' ? reader.managersSeePeople && !isTeamChannel : reader.seesPeople;
  const facts = await readCardFacts(deps, requestId, viewer, maySeeUse, reader.kind === 'channel' ? 'channel' : reader);
  if (!facts) return { kind: 'skip', reason: GONE };
  const deciders = isWaiting(facts.request) ? await nameDeciders(deps, facts.request) : undefined;
  return {
    kind: 'send',
    message: { ...cardMessage({ ...facts, deciders, fallbackReason }), names: namesInEvidence(facts.evidence) },
  };
}

/** What is about everybody is for the configured channel and for current admins. Pure. */
export const mayRead = (reader: Reader): boolean => reader.kind === 'channel' || hasRole(reader.role, 'admin');

/** A card is for the configured channel, for current admins, and for those who lead the team of the request now. */
export async function viewerOfCard(
  { policies }: Pick<LimitDeps, 'policies'>,
  requestId: string,
  reader: Reader,
): Promise<Viewer | undefined> {
  if (reader.kind === 'channel') return viewerOf(reader);
  if (mayRead(reader)) return reader;
  const lead = await policies.asLead<Actor>(reader, requestId);
  return lead.isLead ? lead : undefined;
}

const card = (deps: LimitDeps) =>
  limitCard.handledBy({
    isRoleFresh: true,
    write: ({ payload }, reader) => writeCard(deps, payload, reader),
    whenFailed: async (trx, { channel, payload, dueAt: since }, { reason }, now) => {
      if (isPersonAddress(channel)) return;
      await announceToAdmins(trx.withTables(), { ...payload, since, fallbackReason: reason }, now);
    },
    report: async (trx, { channel, payload }) => {
      // Each admin gets a copy instead of the card in the channel.
      if (!isPersonAddress(channel)) return COVERED;
      // A request without any card gets a new one.
      const others = await listCards(trx.withTables(), payload.requestId);
      return others.length === 0 ? COVERED : [reportOf(payload.requestId, 'card')];
    },
    keysStillReferenced: cardsStillReferenced,
  });

const reportOf = (requestId: string, what: string): FailureReport => ({
  owner: null,
  what: `The ${what} of request ${requestId}`,
  command: { command: '/limits', words: ['show', requestId] },
});

const copies = (deps: LimitDeps) =>
  cardCopies.handledBy({
    spread: async ({ payload: about }) => {
      const request = await findRequest(deps.db, about.requestId);
      if (!request) return GONE;
      const readers = await listReaders(deps, request, about);
      if (!readers) return 'The approvers are asked one after another, each by direct message.';
      const now = deps.clock.now();
      await deps.db.transaction().execute(async (trx) => {
        for (const admin of readers) await announceCopy(trx, about, admin, now);
        if (readers.length === 0 && about.turn === undefined)
          await notifyState(trx, request, request.state, [request.requester], now);
      });
      return `Given to ${countOf(readers.length, 'admin')}, each by direct message.`;
    },
    // A request without any card gets a new one.
    report: () => Promise.resolve(COVERED),
  });

/**
 * Returns the admins who get a copy: all of them, if the card waits for no decision about the request itself. Undefined
 * if the approvers get one after the other. A card that replaces a lost one is for all who can decide.
 */
async function listReaders(
  deps: LimitDeps,
  request: LimitRequest,
  { topic, turn, cardRound }: AboutRequest,
): Promise<string[] | undefined> {
  if (request.kind === 'return' || (topic !== undefined && turn === undefined)) return deps.people.admins();
  const isInTurns = turn === undefined && cardRound === undefined && (await isAskedInTurns(deps, request));
  if (isInTurns) return undefined;
  const alreadyAsked = turn === undefined ? [] : await listAsked(deps.db, request);
  return (await listDeciders(deps, request)).flatMap(({ slackId }) => (alreadyAsked.includes(slackId) ? [] : slackId));
}

/** After several changes in a row all edits show the same card, because each writes the state at sending time. */
const edit = (deps: LimitDeps) =>
  cardEdit.handledBy({
    isRoleFresh: true,
    follows: ({ cardKey: key }) => ({ key, what: 'card', as: 'edit' }),
    write: async (_message, reader, earlierMessage) =>
      earlierMessage
        ? writeCard(deps, limitCard.parse(earlierMessage.delivery).payload, reader)
        : { kind: 'skip', reason: 'Its card was not posted.' },
    whenFailed: async (trx, message, failure, now) => {
      const { requestId, cardKey: key } = message.payload;
      if (isDeletedMessage(failure.code)) return recordDeletedCard(trx, message, failure, now);
      const request = await findRequest(trx.withTables(), requestId);
      if (request && hasEnded(request))
        await announceOutcome(trx.withTables(), { key, channel: message.channel }, request, now);
    },
    // A deleted card cannot be out of date, and one notice is enough for all copies and edits of a request.
    report: (_trx, { payload: { requestId } }, { code }) =>
      Promise.resolve(
        isDeletedMessage(code)
          ? COVERED
          : [{ ...reportOf(requestId, 'update of the card'), once: `limit-card:${requestId}:edits` }],
      ),
  });

const outcome = (deps: LimitDeps) =>
  cardOutcome.handledBy({
    isRoleFresh: true,
    follows: ({ cardKey: key }) => ({ key, what: 'card', as: 'reply' }),
    write: async ({ payload: { requestId } }, reader) => {
      const viewer = await viewerOfCard(deps, requestId, reader);
      const visible =
        viewer &&
        (await readVisible(deps.db, requestId, viewer, (from) => peopleOf(from, requestId, MAX_PEOPLE_SHOWN)));
      if (!visible) return { kind: 'skip', reason: NO_ADMIN };
      const line = markup`This card can’t be updated. ${stateLine(visible)}.`;
      return { kind: 'send', message: namesNobody(message(line, [section(line), actions(showButton(requestId))])) };
    },
    whenFailed: recordDeletedCard,
    // The notice about the edit that failed was sent.
    report: () => Promise.resolve(COVERED),
  });

const reminder = (deps: LimitDeps) =>
  cardReminder.handledBy({
    isRoleFresh: true,
    follows: ({ cardKey: key }) => ({ key, what: 'card', as: 'reply' }),
    write: async ({ payload: { requestId } }, reader) => {
      if (!(await viewerOfCard(deps, requestId, reader))) return { kind: 'skip', reason: NO_ADMIN };
      const request = await findPending(deps, requestId);
      if (!request) return { kind: 'skip', reason: DECIDED };
      return { kind: 'send', message: reminderMessage(deps, request, markup`This request`) };
    },
    whenFailed: recordDeletedCard,
    // A request whose card was deleted gets a new one.
    report: (_trx, { payload }, { code }) =>
      Promise.resolve(isDeletedMessage(code) ? COVERED : [reportOf(payload.requestId, 'reminder')]),
  });

/** Records the deletion if a reply or edit finds that its card is gone. */
export async function recordDeletedCard(
  trx: DatabaseTransaction,
  { payload }: { payload: { cardKey: string } },
  { code }: Failure,
  now: Date,
): Promise<void> {
  if (isDeletedMessage(code)) await recordDeletedMessage(trx, payload.cardKey, now);
}

async function findPending({ db }: LimitDeps, id: string): Promise<LimitRequest | undefined> {
  const request = await findRequest(db, id);
  return request && isWaiting(request) ? request : undefined;
}

function reminderMessage({ clock }: LimitDeps, { id, state, createdAt }: LimitRequest, subject: Markup) {
  const what = state === 'second_approval' ? 'a second approval' : 'a decision';
  const line = markup`${subject} still waits for ${what}; it was ${ageWords(createdAt, clock.now())}.`;
  return namesNobody(message(line, [section(line), actions(reviewButton(id))]));
}
