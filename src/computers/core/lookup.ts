import type { Computer } from '../../platform/endpoints/computers.ts';
import type { ComputerOrder } from './tables.ts';
import { instantOf } from './states.ts';
import { knownIdsOf } from './orders.ts';

/** The clocks of the platform and of this machine may differ by this much. */
const CLOCK_DIFFERENCE_MS = 10 * 60_000;

const earliest = (computer: Computer) => instantOf(computer.createdAt)?.getTime() ?? Infinity;

/**
 * Those that may be what came of a request whose answer was lost, the oldest first: of its name and remote user, not there
 * before, and created since. Pure.
 */
export function findCreated(all: readonly Computer[], order: ComputerOrder): Computer[] {
  const known = new Set(knownIdsOf(order));
  const sinceMs = new Date(order.sent_at ?? order.created_at).getTime() - CLOCK_DIFFERENCE_MS;
  return all
    .filter((computer) => computer.name === order.name && !known.has(computer.id))
    .filter(({ remoteUser }) => (remoteUser ?? order.remote_user) === order.remote_user)
    .filter((computer) => earliest(computer) >= sinceMs)
    .toSorted((a, b) => earliest(a) - earliest(b));
}

export function sameNamed(all: readonly Computer[], name: string): Computer[] {
  return all.filter((computer) => computer.name.toLowerCase() === name.toLowerCase());
}

/** The list is read a second time after so long; a little less than the minute between two ticks. */
const SURE_AFTER_MS = 55_000;

/** What a list without the computer means. Pure. */
export function decideAbsent(order: ComputerOrder, now: Date): 'first_time' | 'too_early' | 'not_created' {
  if (order.absent_since === null) return 'first_time';
  return now.getTime() - new Date(order.absent_since).getTime() >= SURE_AFTER_MS ? 'not_created' : 'too_early';
}
