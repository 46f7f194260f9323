import type { DeliveryKind, Preparation } from '../../../outbox/attempt.ts';
import { deliveryOf } from '../../../outbox/delivery-kind.ts';
import type { Delivery } from '../../../outbox/delivery-table.ts';
import { enqueue } from '../../../outbox/deliveries.ts';
import { findDelivery } from '../../../outbox/past-deliveries.ts';
import { placeOfMessage, waitForMessage } from '../../../slack/outbound/posted-message.ts';
import type { DatabaseTransaction } from '../../../store/tables.ts';
import type { HookDeps } from '../core/deps.ts';
import {
  AGAIN_KIND,
  againKey,
  againPayload,
  cardPayload,
  MORNING_KIND,
  morningKey,
  morningPayload,
} from '../core/keys.ts';
import { quietUntil } from '../core/quiet.ts';
import { findHookSession, listHeldFor } from '../core/sessions.ts';
import { dueAt } from '../core/state.ts';
import { withHooks, type HookInbox, type HookSession } from '../core/tables.ts';
import { findInbox } from '../core/tokens.ts';
import { announce } from '../inbox/record.ts';
import { againMessage, cardMessage, fingerprintOf, morningMessage } from './message.ts';

const skip = (reason: string): Preparation => ({ kind: 'skip', reason });
const OFF = 'Its person turned it off.';
const NOT_ALLOWED = 'Its person may no longer use Quartermaster.';

/**
 * Posts the card of a session, or brings it up to date. Which delivery's message is the card is decided in the store before it is
 * posted, so there is one, whatever happens on the way.
 */
export function cardDelivery(deps: HookDeps): DeliveryKind {
  return {
    prepare: async (delivery) => {
      const { id, number } = cardPayload.parse(JSON.parse(delivery.payload));
      const session = await findHookSession(deps.db, id);
      if (!session || session.announced !== number) return skip('Something followed.');
      const now = deps.clock.now();
      const due = dueAt(session);
      // What its person clicked is shown at once.
      if (due > now && session.muted_at === null)
        return { kind: 'wait', until: due, reason: 'The agent may still go on.' };
      const reader = await readerOf(deps, session);
      if (typeof reader === 'string') return skip(reader);
      const isHeld = await holdIfQuiet(deps, session, reader);
      return prepareCard(deps, delivery, session, isHeld);
    },
    onSettled: async (trx, delivery, settlement, now) => {
      const session = await findHookSession(trx.withTables(), cardPayload.parse(JSON.parse(delivery.payload)).id);
      if (!session) return;
      if (settlement.state === 'sent') {
        await change(trx, session, { shown: delivery.memo });
        if (session.card_key !== delivery.key && session.state === 'waiting') await enqueueAgain(trx, session, now);
      }
      if (settlement.state !== 'failed' || session.card_key === delivery.key) return;
      // Its person deleted the card: what happens now is said by another one.
      await change(trx, session, { card_key: null, shown: null });
      await announce(trx.withTables(), session, now);
    },
  };
}

interface Reader {
  inbox: HookInbox;
  zone: string;
}

/** Whom it is told, as long as they want it and may; else why not. */
async function readerOf(deps: HookDeps, { owner }: Pick<HookSession, 'owner'>): Promise<Reader | string> {
  const inbox = await findInbox(deps.db, owner);
  if (!inbox) return OFF;
  const found = await deps.people.identify(owner);
  return found.kind === 'refused' ? NOT_ALLOWED : { inbox, zone: found.person.timeZone };
}

async function prepareCard(
  deps: HookDeps,
  delivery: Delivery,
  session: HookSession,
  isHeld: boolean,
): Promise<Preparation> {
  const card = session.card_key === null ? undefined : await findDelivery(deps.db, session.card_key);
  const place = placeOfMessage(card);
  const memo = fingerprintOf(session);
  const message = cardMessage(session, deps.config.hooksShowText);
  if (place) return session.shown === memo ? skip('The card says so already.') : { kind: 'edit', place, message, memo };
  const isOnItsWay = card && card.key !== delivery.key && card.state !== 'failed' && card.state !== 'skipped';
  if (isOnItsWay) return waitForMessage(deps, card, 'card');
  if (session.muted_at !== null) return skip('Its person muted the session.');
  if (session.state === 'working') return skip('The agent goes on.');
  if (isHeld) return skip('It is told when the quiet hours end.');
  if (await becomesCard(deps, session, delivery.key)) return { kind: 'send', message, memo };
  return { kind: 'wait', until: deps.clock.now(), reason: 'Another message becomes the card.' };
}

async function becomesCard({ db }: HookDeps, { id, card_key: known }: HookSession, key: string): Promise<boolean> {
  const updated = await db
    .updateTable('hook_sessions')
    .set({ card_key: key })
    .where('id', '=', id)
    .where('card_key', known === null ? 'is' : '=', known)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

async function change(
  trx: DatabaseTransaction,
  { id }: HookSession,
  to: Partial<Pick<HookSession, 'card_key' | 'shown'>>,
): Promise<void> {
  await withHooks(trx).updateTable('hook_sessions').set(to).where('id', '=', id).execute();
}

/** In quiet hours it is told with everything else when they end. An edit makes no sound, so a card is right meanwhile. */
async function holdIfQuiet({ db, clock }: HookDeps, session: HookSession, { inbox, zone }: Reader): Promise<boolean> {
  const { id, owner, state, muted_at: mutedAt } = session;
  const { quiet_from: from, quiet_until: until } = inbox;
  if (from === null || until === null || state === 'working' || mutedAt !== null) return false;
  const now = clock.now();
  const end = quietUntil({ from, until }, zone, now);
  if (!end) return false;
  const key = morningKey(owner, end.at);
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('hook_sessions').set({ held_for: key }).where('id', '=', id).execute();
    const payload = { until: end.at.toISOString() };
    await enqueue(trx, { key, kind: MORNING_KIND, channel: owner, payload, dueAt: end.at }, now);
  });
  return true;
}

/** An edit makes no sound: somebody who is not at the keyboard is called when the agent has waited for so long. */
const CALL_AFTER_MS = 60_000;

const callAt = (since: string) => new Date(Date.parse(since) + CALL_AFTER_MS);

async function enqueueAgain(trx: DatabaseTransaction, { id, owner, since }: HookSession, now: Date): Promise<void> {
  const delivery = { kind: AGAIN_KIND, channel: owner, payload: { id, since }, dueAt: callAt(since) };
  await enqueue(trx, { ...delivery, key: againKey(id, since) }, now);
}

/** Calls the person in the thread of a card that was edited, where the agent still waits. */
export const againDelivery = (deps: HookDeps) =>
  deliveryOf(againPayload, async ({ id, since }) => {
    const session = await findHookSession(deps.db, id);
    if (session?.state !== 'waiting' || session.since !== since) return skip('The agent no longer waits.');
    if (session.muted_at !== null) return skip('Its person muted the session.');
    const until = callAt(since);
    if (until > deps.clock.now()) return { kind: 'wait', until, reason: 'Its person may be at the keyboard.' };
    const reader = await readerOf(deps, session);
    if (typeof reader === 'string') return skip(reader);
    if (await holdIfQuiet(deps, session, reader)) return skip('It is told when the quiet hours end.');
    const replyTo = placeOfMessage(await findDelivery(deps.db, session.card_key ?? ''));
    if (!replyTo) return skip('Its card is gone.');
    return { kind: 'send', message: { ...againMessage(session), replyTo } };
  });

export const morningDelivery = (deps: HookDeps) =>
  deliveryOf(morningPayload, async (about, { key, channel: owner }) => {
    const until = new Date(about.until);
    if (until > deps.clock.now()) return { kind: 'wait', until, reason: 'The quiet hours are not over.' };
    const reader = await readerOf(deps, { owner });
    if (typeof reader === 'string') return skip(reader);
    const held = await listHeldFor(deps.db, key);
    const shown = held.filter(({ state, muted_at: mutedAt }) => state !== 'working' && mutedAt === null);
    return shown.length === 0 ? skip('Nothing is left to say.') : { kind: 'send', message: morningMessage(shown) };
  });
