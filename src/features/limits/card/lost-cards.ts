import { backOffMs } from '../../../core/base/time/back-off.ts';
import { MINUTE_MS } from '../../../core/base/time/durations.ts';
import { isOpen, type Delivery } from '../../../core/outbox/delivery-table.ts';
import { isPersonAddress } from '../../../core/outbox/reader.ts';
import { announceRequest, type CardTarget } from '../core/notify.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { cardCopies, limitCard } from '../core/limit-messages.ts';
import { listRequests } from '../core/requests.ts';
import { TEAM } from '../core/approver-tables.ts';
import { isWaiting, WAITING, type RequestState } from '../core/states.ts';
import type { LimitRequest, LimitTransaction } from '../core/limit-tables.ts';

/** The states in which a person has to decide. */
const AWAITING: readonly RequestState[] = [...WAITING, 'unsure'];

/** The first pause is short, because temporary refusals are often over within two minutes. */
const PAUSES = { firstMs: 2 * MINUTE_MS, longestMs: 30 * MINUTE_MS };

/** A message that shows a request, or creates its copies. */
export interface CardAttempt extends Pick<Delivery, 'state' | 'createdAt'> {
  shows: 'card' | 'copies';
  /** From 0. */
  round: number;
  /** It went to a person who is no longer an admin. */
  hasLostReader?: boolean;
}

export interface CardRound {
  /** From 1. */
  round: number;
  /** Depends on the failed rounds alone, so that a restored store finds posts made since then. */
  dueAt: Date;
}

/** Returns undefined while a card exists or is on its way. The pauses grow with each failed card. */
export function nextRound(attempts: readonly CardAttempt[], requestedAt: string): CardRound | undefined {
  const isShown = attempts.some(
    (one) => isOpen(one) || (one.shows === 'card' && one.state === 'sent' && !one.hasLostReader),
  );
  if (isShown) return undefined;
  const round = 1 + Math.max(0, ...attempts.map((one) => one.round));
  const [last = requestedAt] = attempts
    .map((one) => one.createdAt)
    .toSorted()
    .toReversed();
  return { round, dueAt: new Date(Date.parse(last) + backOffMs({ ...PAUSES, attempt: round })) };
}

/** A waiting request has no card if its cards could not be posted, or all admins who got one have left. */
export async function replaceLostCards(deps: LimitDeps, cardTarget: () => Promise<CardTarget>): Promise<void> {
  const now = deps.clock.now();
  const requests = await listRequests(deps.db, AWAITING);
  if (requests.length === 0) return;
  const hasLeft = await createHasLeft(deps);
  for (const request of requests) {
    if (isWaiting(request) && request.expiresAt <= now.toISOString()) continue;
    const lostRound = await deps.db.transaction().execute((trx) => dueRound(trx, request, now, hasLeft));
    if (!lostRound) continue;
    const target = await cardTarget();
    await deps.db.transaction().execute(async (trx) => {
      // Another replica may do the same with another place; the second one then finds the first one’s card.
      if (!(await lockIfWaiting(trx, request))) return;
      const due = await dueRound(trx, request, now, hasLeft);
      if (!due) return;
      const topic = request.state === 'unsure' ? { topic: `unsure-${request.round}` } : {};
      await announceRequest(trx, { requestId: request.id, ...topic, cardRound: due.round }, target, now, due.dueAt);
    });
    deps.log.warn({ request: request.id, round: lostRound.round }, 'A request had no card; a new one is sent');
  }
}

type HasLeft = (address: string) => boolean;

/** Whether a card went to a person who is no longer an admin. While Slack does not name any admin, none of them has left. */
async function createHasLeft({ people, log }: Pick<LimitDeps, 'people' | 'log'>): Promise<HasLeft> {
  const admins = await people.admins().catch((error: unknown): string[] => {
    log.warn({ err: error }, 'Slack did not give the admins; their cards count as seen for now');
    return [];
  });
  return (address) => admins.length > 0 && isPersonAddress(address) && !admins.includes(address);
}

/** The turn of a team: its leads are no admins, and the next approvers are asked if none of them can decide. */
async function findTeamTurn(trx: LimitTransaction, requestId: string): Promise<number | undefined> {
  const row = await trx
    .selectFrom('limitTurns')
    .select('turn')
    .where((where) => where.and({ requestId, approver: TEAM }))
    .executeTakeFirst();
  return row?.turn;
}

async function dueRound(
  trx: LimitTransaction,
  { id, createdAt: requestedAt }: Pick<LimitRequest, 'id' | 'createdAt'>,
  now: Date,
  hasLeft: HasLeft,
): Promise<CardRound | undefined> {
  const cards = await limitCard.listAbout(trx, id);
  const copies = await cardCopies.listAbout(trx, id);
  const teamTurn = await findTeamTurn(trx, id);
  const attempts = [
    ...cards.map((card) => ({ ...card, shows: 'card' as const })),
    ...copies.map((copy) => ({ ...copy, shows: 'copies' as const })),
  ].map(({ shows, state, createdAt, payload, channel }) => ({
    shows,
    state,
    createdAt,
    round: payload.cardRound ?? 0,
    hasLostReader: (teamTurn === undefined || payload.turn !== teamTurn) && hasLeft(channel),
  }));
  const next = nextRound(attempts, requestedAt);
  return next && next.dueAt <= now ? next : undefined;
}

/** @returns `false` if it no longer waits */
async function lockIfWaiting(
  trx: LimitTransaction,
  { id, version }: Pick<LimitRequest, 'id' | 'version'>,
): Promise<boolean> {
  const updated = await trx
    .updateTable('limitRequests')
    .set((set) => ({ version: set.ref('version') }))
    .where((where) => where.and({ id, version }))
    .where('state', 'in', AWAITING)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}
