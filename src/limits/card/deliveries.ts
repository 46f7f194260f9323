import type { DeliveryKind } from '../../outbox/attempt.ts';
import { deliveryOf } from '../../outbox/delivery-kind.ts';
import type { Delivery } from '../../outbox/delivery-table.ts';
import { findDelivery } from '../../outbox/past-deliveries.ts';
import { placeOfMessage, prepareAfter } from '../../slack/outbound/posted-message.ts';
import { actions, message, section } from '../../slack/blocks/blocks.ts';
import { createCache } from '../../base/cache.ts';
import { hasRole } from '../../base/roles.ts';
import { markup } from '../../base/text/markup.ts';
import {
  aboutCard,
  aboutRequest,
  announceCopy,
  announceToAdmins,
  notifyState,
  type CardPlace,
} from '../core/notify.ts';
import { reviewButton } from '../core/buttons.ts';
import { cardMessage } from './message.ts';
import { noteEvidenceLook } from './evidence.ts';
import { readCardFacts } from './facts.ts';
import type { LimitDeps } from '../core/deps.ts';
import { readAdmins } from '../core/deciders.ts';
import { findRequest, ownRowsOf } from '../core/requests.ts';
import { denialOf, involvementOf } from '../core/access.ts';
import { ageWords } from '../core/state-text.ts';
import { viewerOf } from '../core/visible-requests.ts';
import type { Viewer } from '../core/visible.ts';

const GONE = 'Its request no longer exists.';
const NO_ADMIN = 'The reader is no longer an admin.';
const PLACE_LIFE_MS = 5 * 60_000;

/** Where cards go: to the channel of the settings, if the bot can be there; else to each admin. */
export function createCardPlace(deps: Pick<LimitDeps, 'config' | 'clock' | 'channels' | 'log'>) {
  const { limitsChannel } = deps.config;
  const places = createCache(deps.clock, PLACE_LIFE_MS, async (reference: string): Promise<CardPlace> => {
    const entry = await deps.channels.enter(reference);
    if (entry.kind === 'entered') return { kind: 'channel', channel: entry.channel };
    deps.log.error({ channel: reference, sentence: entry.sentence }, 'LIMITS_CHANNEL cannot be used');
    return { kind: 'admins', fallbackReason: entry.sentence };
  });
  return (): Promise<CardPlace> =>
    limitsChannel === undefined
      ? Promise.resolve({ kind: 'admins', fallbackReason: undefined })
      : places.get(limitsChannel);
}

/** Who reads a card: the channel of the settings, or an admin, as long as they are one. */
export async function readerOf({ people }: LimitDeps, channel: string): Promise<Viewer | undefined> {
  if (!/^[UW]/.test(channel)) return 'reviewers';
  const viewer = await viewerOf(people, channel);
  return hasRole(viewer.role, 'admin') ? viewer : undefined;
}

/** The message of a card, from what is true by now; or why there is none. */
async function writeCard(deps: LimitDeps, { channel, payload }: Delivery) {
  const reader = await readerOf(deps, channel);
  if (!reader) return { kind: 'skip' as const, reason: NO_ADMIN };
  const { requestId, fallbackReason } = aboutRequest.parse(JSON.parse(payload));
  const facts = await readCardFacts(deps, requestId, reader);
  if (!facts) return { kind: 'skip' as const, reason: GONE };
  await noteEvidenceLook(deps, channel, facts.evidence);
  return { kind: 'written' as const, message: cardMessage({ ...facts, fallbackReason }) };
}

/** A card, in the channel or as the copy of one admin. */
export function cardDelivery(deps: LimitDeps): DeliveryKind {
  return {
    prepare: async (delivery) => {
      const card = await writeCard(deps, delivery);
      return card.kind === 'skip' ? card : { kind: 'send', message: card.message };
    },
    // A request that nobody sees is a request that is lost.
    onSettled: async (trx, { key, payload }, settlement, now) => {
      if (settlement.state !== 'failed' || !key.endsWith(':channel')) return;
      const about = aboutRequest.parse(JSON.parse(payload));
      await announceToAdmins(trx.withTables(), { ...about, fallbackReason: settlement.reason }, now);
    },
  };
}

/** Posts nothing itself, but makes a copy for each admin who may decide. */
export const cardCopiesDelivery = (deps: LimitDeps) =>
  deliveryOf(aboutRequest, async (about) => {
    const request = await findRequest(deps.db, about.requestId);
    if (!request) return { kind: 'skip', reason: GONE };
    const admins = await readAdmins(deps.people);
    const deciders: string[] = [];
    for (const admin of admins) {
      const own = await ownRowsOf(deps.db, request.id, admin);
      const denial = denialOf({ action: 'decide', involvement: involvementOf(request, own.length, admin) }, admin);
      if (request.kind === 'return' || about.topic !== undefined || !denial) deciders.push(admin.slackId);
    }
    const now = deps.clock.now();
    await deps.db.transaction().execute(async (trx) => {
      for (const admin of deciders) await announceCopy(trx, about, admin, now);
      if (deciders.length === 0) await notifyState(trx, request, request.state, [request.requester], now);
    });
    return { kind: 'skip', reason: `Given to ${deciders.length} admins, each by direct message.` };
  });

/** Writes a card again, from what is true by then: several changes in a row end in the same card. */
export const cardEditDelivery = (deps: LimitDeps) =>
  deliveryOf(aboutCard, ({ cardKey }) =>
    prepareAfter(deps, { key: cardKey, what: 'card' }, async (place, original) => {
      const card = await writeCard(deps, original);
      return card.kind === 'skip' ? card : { kind: 'edit', place, message: card.message };
    }),
  );

export const reminderDelivery = (deps: LimitDeps) =>
  deliveryOf(aboutCard, async ({ requestId, cardKey }) => {
    const [request, card] = await Promise.all([findRequest(deps.db, requestId), findDelivery(deps.db, cardKey)]);
    const replyTo = placeOfMessage(card);
    if (!request || request.state !== 'pending' || !replyTo)
      return { kind: 'skip', reason: 'It no longer waits for a decision.' };
    const line = markup`This request still waits for a decision; it was ${ageWords(request.created_at, deps.clock.now())}.`;
    const blocks = [section(line), actions(reviewButton(requestId))];
    return { kind: 'send', message: { ...message(line, blocks), replyTo } };
  });
