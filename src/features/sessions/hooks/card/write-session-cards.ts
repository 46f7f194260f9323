import { placeOfMessage, waitForMessage } from '../../../../core/outbox/earlier-message.ts';
import {
  COVERED,
  type FailureReport,
  type StoredMessage,
  type WriteDecision,
} from '../../../../core/outbox/message-duties.ts';
import { type MessageHandler } from '../../../../core/outbox/message-kind.ts';
import { namesNobody } from '../../../../core/outbox/poster.ts';
import type { DatabaseTransaction } from '../../../../core/store/tables.ts';
import type { HookCardDeps, HookDeps } from '../core/hooks-deps.ts';
import { callKey, hookCall, hookCard, morningSummary, morningKey } from '../core/session-messages.ts';
import { findHookSession, cardsStillReferenced, listDeferred } from '../core/sessions.ts';
import { dueAt } from '../core/state.ts';
import { withHooks, type HookSession, type HookInbox } from '../core/session-tables.ts';
import { findInbox } from '../core/tokens.ts';
import { announce } from '../inbox/record.ts';
import { callMessage, cardMessage, fingerprintOf, morningMessage } from './session-card.ts';
import type { Reader } from '../../../../core/outbox/reader.ts';
import { quietUntil } from '../core/quiet.ts';

/** Cards are still edited, because an edit makes no sound. Returns whether the news was deferred. */
async function deferToQuietEnd(
  { db, clock }: Pick<HookDeps, 'db' | 'clock'>,
  { id, owner, state, mutedAt }: HookSession,
  { quietFrom: from, quietUntil: until }: HookInbox,
  reader: Reader,
): Promise<boolean> {
  if (from === null || until === null || state === 'working' || mutedAt !== null) return false;
  const now = clock.now();
  const zone = reader.kind === 'person' ? reader.timeZone : 'UTC';
  const end = quietUntil({ from, until }, zone, now);
  if (!end) return false;
  const key = morningKey(owner, end.at);
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('hookSessions').set({ heldFor: key }).where('id', '=', id).execute();
    const payload = { until: end.at.toISOString() };
    await morningSummary.enqueue(trx, { key, to: owner, payload, dueAt: end.at }, now);
  });
  return true;
}

export const hookMessages = (deps: HookCardDeps): MessageHandler[] => [card(deps), call(deps), morning(deps)];

const skip = (reason: string): WriteDecision => ({ kind: 'skip', reason });
const OFF = 'Its person turned it off.';

/** Before a post, the store decides which message is the card, so that there is only one, even after a crash. */
const card = (deps: HookCardDeps) =>
  hookCard.handledBy({
    write: async (message, reader) => {
      const { id, number } = message.payload;
      const session = await findHookSession(deps.db, id);
      if (!session || session.announced !== number) return skip('Something followed.');
      const now = deps.clock.now();
      const due = dueAt(session);
      // The person’s own click is shown at once.
      if (due > now && session.mutedAt === null)
        return { kind: 'wait', until: due, reason: 'The agent may still resume.' };
      const inbox = await findInbox(deps.db, session.owner, deps.clock.now());
      if (!inbox) return skip(OFF);
      const isDeferred = await deferToQuietEnd(deps, session, inbox, reader);
      return writeCard(deps, message, session, isDeferred);
    },
    whenSent: async (trx, { key, memo, payload }, now) => {
      const session = await findHookSession(trx.withTables(), payload.id);
      if (!session) return;
      await updateSession(trx, session, { shown: memo });
      if (session.cardKey !== key && session.state === 'waiting') await enqueueCall(trx, session, now);
    },
    whenFailed: async (trx, { key, payload }, _failure, now) => {
      const session = await findHookSession(trx.withTables(), payload.id);
      if (!session || session.cardKey === key) return;
      // The person deleted the card, so a new one replaces it.
      await updateSession(trx, session, { cardKey: null, shown: null });
      await announce(trx.withTables(), session, now);
    },
    report: async (trx, { key, payload, channel }) => {
      const session = await findHookSession(trx.withTables(), payload.id);
      // A new card replaces one that could not be edited.
      if (session?.cardKey !== key) return COVERED;
      // Each event of the session tries again.
      const once = `session-card:${payload.id}`;
      return reportTo(channel, 'The card of an agent’s session').map((report) => ({ ...report, once }));
    },
    keysStillReferenced: cardsStillReferenced,
  });

const reportTo = (owner: string, what: string): readonly FailureReport[] => [{ owner, what }];

async function writeCard(
  deps: HookCardDeps,
  message: StoredMessage<unknown>,
  session: HookSession,
  isDeferred: boolean,
): Promise<WriteDecision> {
  const posted = session.cardKey === null ? undefined : await hookCard.find(deps.db, session.cardKey);
  const place = placeOfMessage(posted);
  const blocked = await deps.limits.blockedRequestOf(session.id);
  const memo = fingerprintOf(session, blocked);
  const written = namesNobody(
    cardMessage(session, deps.config.hooksShowText, blocked, (key) => deps.limits.blockedButton(key)),
  );
  if (place)
    return session.shown === memo ? skip('The card says so already.') : { kind: 'edit', place, message: written, memo };
  const isOnItsWay = posted && posted.key !== message.key && posted.state !== 'failed' && posted.state !== 'skipped';
  if (isOnItsWay) return waitForMessage(deps, posted, 'card');
  if (session.mutedAt !== null) return skip('Its person muted the session.');
  if (session.state === 'working') return skip('The agent continues.');
  if (isDeferred) return skip('It is sent when the quiet hours end.');
  if (await claimCardKey(deps, session, message.key)) return { kind: 'send', message: written, memo };
  return { kind: 'wait', until: deps.clock.now(), reason: 'Another message becomes the card.' };
}

async function claimCardKey(
  { db }: HookDeps,
  { id, cardKey: previousKey }: HookSession,
  key: string,
): Promise<boolean> {
  const updated = await db
    .updateTable('hookSessions')
    .set({ cardKey: key })
    .where('id', '=', id)
    .where('cardKey', previousKey === null ? 'is' : '=', previousKey)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

async function updateSession(
  trx: DatabaseTransaction,
  { id }: HookSession,
  to: Partial<Pick<HookSession, 'cardKey' | 'shown'>>,
): Promise<void> {
  await withHooks(trx).updateTable('hookSessions').set(to).where('id', '=', id).execute();
}

/** An edit makes no sound, so a person who is away is called after the agent has waited this long. */
const CALL_AFTER_MS = 60_000;

const callAt = (since: string) => new Date(Date.parse(since) + CALL_AFTER_MS);

async function enqueueCall(trx: DatabaseTransaction, { id, owner, since }: HookSession, now: Date): Promise<void> {
  const call = { key: callKey(id, since), to: owner, payload: { id, since }, about: id, dueAt: callAt(since) };
  await hookCall.enqueue(trx, call, now);
}

/** Calls the person in the thread of an edited card, while the agent still waits. */
const call = (deps: HookDeps) =>
  hookCall.handledBy({
    write: async ({ payload: { id, since } }, reader) => {
      const session = await findHookSession(deps.db, id);
      if (session?.state !== 'waiting' || session.since !== since) return skip('The agent no longer waits.');
      if (session.mutedAt !== null) return skip('Its person muted the session.');
      const until = callAt(since);
      if (until > deps.clock.now()) return { kind: 'wait', until, reason: 'Its person may be at the keyboard.' };
      const inbox = await findInbox(deps.db, session.owner, deps.clock.now());
      if (!inbox) return skip(OFF);
      if (await deferToQuietEnd(deps, session, inbox, reader)) return skip('It is sent when the quiet hours end.');
      const replyTo = placeOfMessage(await hookCard.find(deps.db, session.cardKey ?? ''));
      if (!replyTo) return skip('Its card is gone.');
      return { kind: 'send', message: namesNobody({ ...callMessage(session), replyTo }) };
    },
    report: (_trx, { channel }) => Promise.resolve(reportTo(channel, 'The call of an agent that waits')),
  });

const morning = (deps: HookDeps) =>
  morningSummary.handledBy({
    write: async ({ key, channel: owner, payload }) => {
      const until = new Date(payload.until);
      if (until > deps.clock.now()) return { kind: 'wait', until, reason: 'The quiet hours are not over.' };
      if (!(await findInbox(deps.db, owner, deps.clock.now()))) return skip(OFF);
      const deferred = await listDeferred(deps.db, key);
      const reportable = deferred.filter(({ state, mutedAt }) => state !== 'working' && mutedAt === null);
      if (reportable.length === 0) return skip('Nothing is left to say.');
      return { kind: 'send', message: namesNobody(morningMessage(reportable)) };
    },
    report: (_trx, { channel }) => Promise.resolve(reportTo(channel, 'The summary of an agent’s quiet hours')),
  });
