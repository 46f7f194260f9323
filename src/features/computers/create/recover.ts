import type { ComputerOrder } from '../core/computer-tables.ts';
import { carryOut, enqueueNotice, resolveResult, NOT_CREATED, type Notice } from './carry-out.ts';
import type { ComputerDeps } from '../core/computers-deps.ts';
import { startFollowing } from './retry.ts';
import { listAbandoned, moveOrder } from '../core/orders.ts';

/** An older order is no longer carried out, because the requester has moved on. */
const TOO_LATE_MS = 60 * 60_000;

/** Continues the work of dead processes, and finds the results of requests without an answer. */
export async function resumeAbandoned(deps: ComputerDeps): Promise<void> {
  for (const order of await listAbandoned(deps.db)) {
    try {
      await continueOrder(deps, order);
    } catch (error) {
      deps.log.error({ err: error, order: order.id }, 'Resuming an order for a computer failed');
    }
  }
}

async function continueOrder(deps: ComputerDeps, order: ComputerOrder): Promise<void> {
  if (order.state === 'requested') return carryOutLate(deps, order);
  if (order.state === 'retrying') return startFollowing(deps, order);
  await resolveResult(deps, order);
}

async function carryOutLate(deps: ComputerDeps, order: ComputerOrder): Promise<void> {
  const now = deps.clock.now();
  if (now.getTime() - new Date(order.createdAt).getTime() > TOO_LATE_MS) {
    return notifyRequester(deps, order, 'late');
  }
  const creation = await carryOut(deps, order.id, false);
  // If two replicas get here, the notice’s key keeps it single.
  if (creation.kind === 'refused') await notifyRequester(deps, order, 'refused');
  if (creation.kind === 'asked') await notifyRequester(deps, order, 'asked');
}

async function notifyRequester(deps: ComputerDeps, order: ComputerOrder, notice: Notice): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (trx) => {
    const isOurs = notice !== 'late' || (await moveOrder(trx, { id: order.id, from: ['requested'] }, NOT_CREATED, now));
    if (isOurs) await enqueueNotice(trx, order, notice, now);
  });
}
