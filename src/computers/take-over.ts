import type { Watch } from './computer-watch-table.ts';
import { carryOut, enqueueNotice, lookFor, NOT_CREATED, type Notice } from './creating.ts';
import type { ComputerParts } from './parts.ts';
import { follow } from './retry.ts';
import { listAbandoned, moveWatch } from './watches.ts';

/** A wish that is older than this is not carried out any more: who asked has gone on to something else. */
const TOO_LATE_MS = 60 * 60_000;

/** Goes on with what a dead process left, and finds out what came of requests whose answer was lost. */
export async function takeOver(parts: ComputerParts): Promise<void> {
  for (const watch of await listAbandoned(parts.db)) {
    try {
      await goOn(parts, watch);
    } catch (error) {
      parts.log.error({ err: error, watch: watch.id }, 'A wish for a computer could not be gone on with');
    }
  }
}

async function goOn(parts: ComputerParts, watch: Watch): Promise<void> {
  if (watch.state === 'wished') return carryOutLate(parts, watch);
  if (watch.state === 'retrying') return follow(parts, watch);
  await lookFor(parts, watch);
}

async function carryOutLate(parts: ComputerParts, watch: Watch): Promise<void> {
  const now = parts.clock.now();
  if (now.getTime() - new Date(watch.created_at).getTime() > TOO_LATE_MS) {
    return tell(parts, watch, 'late');
  }
  const creation = await carryOut(parts, watch.id, false);
  // Two replicas may both get here; the notice of that key is there once.
  if (creation.kind === 'refused') await tell(parts, watch, 'refused');
  if (creation.kind === 'asked') await tell(parts, watch, 'asked');
}

async function tell(parts: ComputerParts, watch: Watch, notice: Notice): Promise<void> {
  const now = parts.clock.now();
  await parts.db.transaction().execute(async (trx) => {
    const isOurs = notice !== 'late' || (await moveWatch(trx, { id: watch.id, from: ['wished'] }, NOT_CREATED, now));
    if (isOurs) await enqueueNotice(trx, watch, notice, now);
  });
  parts.wakeOutbox();
}
