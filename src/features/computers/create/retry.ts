import { randomUUID } from 'node:crypto';
import type { Interaction } from '../../../core/slack/interactions/interactions.ts';
import { isPlatformError } from '../../../core/platform/errors.ts';
import type { Computer } from '../../../core/platform/endpoints/computers.ts';
import { statedSentence, reportError } from '../../../core/slack/blocks/faults.ts';
import type { Person } from '../../../core/slack/people/people.ts';
import type { OwnerDenial, Refusal } from '../../../core/slack/blocks/messages.ts';
import { markup } from '../../../core/base/text/markup.ts';
import { hasRole } from '../../../core/base/roles.ts';
import { enqueueEdit } from '../card/follow.ts';
import type { ComputerOrder } from '../core/computer-tables.ts';
import { enqueueCard } from './carry-out.ts';
import { isAwaitingRetry } from '../core/pace.ts';
import type { ComputerDeps } from '../core/computers-deps.ts';
import { isRetryable, rawFingerprint } from '../core/states.ts';
import { LEASE_MS, addOrder, findOrder, findOrderOf, moveAudited, moveOrder } from '../core/orders.ts';

export function mayRetry({ slackId, role }: Person, order: ComputerOrder | undefined): boolean {
  return hasRole(role, 'admin') || order?.person === slackId;
}

const NOT_THEIRS: OwnerDenial = {
  owner: markup`the person who requested this computer`,
  action: markup`retry its installation`,
  role: 'admin',
};
const AT_WORK = 'Nothing was done: the platform is still at work on it. “Details” shows how far it is.';
const TAKEN = 'Its dependencies are already being reinstalled; the card shows how it’s going.';

/** Of two clicks, the database lets one send the request. Returns one sentence for the person, or the refusal. */
export async function retryInstall(
  deps: ComputerDeps,
  computer: Computer,
  { person, log }: Interaction,
): Promise<Refusal> {
  const existing = await findOrderOf(deps.db, computer.id);
  if (!mayRetry(person, existing)) return NOT_THEIRS;
  if (!isRetryable(computer)) return AT_WORK;
  if (existing?.state === 'retrying') return TAKEN;
  if (existing?.state === 'following' && isAwaitingRetry(existing, computer, deps.clock.now())) return TAKEN;
  const order = await claim(deps, computer, existing, person.slackId);
  if (!order) return TAKEN;
  try {
    await deps.platform.computers.installDeps(computer.id);
  } catch (error) {
    if (!isPlatformError(error)) throw error;
    if (!error.outcomeUnknown) {
      await restoreOrder(deps, order, existing);
      const { reference } = reportError(error, log, { order: order.id });
      return `Its installation was not restarted. ${statedSentence(error)} (reference ${reference})`;
    }
    log.warn({ err: error, order: order.id }, 'The result of restarting an installation is unknown');
    await startFollowing(deps, order);
    return `Unconfirmed: the platform’s answer about reinstalling ${computer.name} was lost. Watch the card, and don’t retry until it changes.`;
  }
  await startFollowing(deps, order);
  return `The installation of ${computer.name} starts again. The card shows how it goes.`;
}

/** Restores the earlier state; a followed card is followed again. */
async function restoreOrder(
  deps: ComputerDeps,
  order: ComputerOrder,
  existing: ComputerOrder | undefined,
): Promise<void> {
  const { retriedAt, retriedFrom, followedSince, round, readyAfterMs } = existing ?? NEVER_RETRIED;
  const before = { retriedAt, retriedFrom, followedSince, round, readyAfterMs };
  if (existing?.state === 'following') return startFollowing(deps, order, before);
  const state = existing?.state ?? 'ended';
  await moveOrder(deps.db, retrying(order), { ...before, state, leaseMs: null }, deps.clock.now());
}

const NEVER_RETRIED = {
  retriedAt: null,
  retriedFrom: null,
  followedSince: null,
  round: 0,
  readyAfterMs: null,
} as const;

const retrying = ({ id }: ComputerOrder) => ({ id, from: ['retrying'] }) as const;

/** @returns undefined if another process is retrying it */
async function claim(
  deps: ComputerDeps,
  computer: Computer,
  existing: ComputerOrder | undefined,
  person: string,
): Promise<ComputerOrder | undefined> {
  const now = deps.clock.now();
  const retryFields = {
    retriedAt: now.toISOString(),
    retriedFrom: rawFingerprint(computer),
    followedSince: now.toISOString(),
    leaseMs: LEASE_MS,
  };
  const id = existing?.id ?? randomUUID();
  const action = { actor: person, action: 'retried', detail: `${computer.name} ${computer.id}` } as const;
  if (existing) {
    const to = { ...retryFields, state: 'retrying', round: existing.round + 1, readyAfterMs: null } as const;
    const move = { id, from: [existing.state], round: existing.round };
    const isOurs = await moveAudited(deps.db, move, to, action, now);
    return isOurs ? findOrder(deps.db, id) : undefined;
  }
  const { name, remoteUser, id: computerId } = computer;
  const of = { id, person, channel: person, body: null, name, remoteUser: remoteUser ?? '', computerId };
  if (!(await addOrder(deps.db, { ...of, state: 'retrying', leaseMs: LEASE_MS }, now))) return undefined;
  await moveAudited(deps.db, { id, from: ['retrying'] }, { ...retryFields, round: 1 }, action, now);
  return findOrder(deps.db, id);
}

/** Continues or creates the card; also after a process died between the request and its answer. */
export async function startFollowing(
  deps: ComputerDeps,
  order: ComputerOrder,
  besides: Partial<ComputerOrder> = {},
): Promise<void> {
  const now = deps.clock.now();
  const number = order.editNumber + 1;
  await deps.db.transaction().execute(async (trx) => {
    const to = { ...besides, state: 'following', leaseMs: null, editNumber: number } as const;
    if (!(await moveOrder(trx, retrying(order), to, now))) return;
    if (order.shown === null) await enqueueCard(trx, order, now);
    else await enqueueEdit(trx, { ...order, editNumber: number }, now);
  });
}
