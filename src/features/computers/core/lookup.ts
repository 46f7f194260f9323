import type { Computer } from '../../../core/platform/endpoints/computers.ts';
import type { ComputerOrder } from './computer-tables.ts';
import { instantOf } from './states.ts';
import { knownIdsOf } from './orders.ts';

/** The largest expected difference between the platform’s clock and this machine’s. */
const CLOCK_DIFFERENCE_MS = 10 * 60_000;

const earliest = (computer: Computer) => instantOf(computer.createdAt)?.getTime() ?? Infinity;

/**
 * Matches name, time and remote user among computers that were not present before; returns the oldest first. A platform may
 * give all its own machines one account, whichever the request named: then the user says nothing.
 */
export function findCreated(all: readonly Computer[], order: ComputerOrder): Computer[] {
  const knownIds = new Set(knownIdsOf(order));
  const sinceMs = new Date(order.sentAt ?? order.createdAt).getTime() - CLOCK_DIFFERENCE_MS;
  return all
    .filter((computer) => computer.name === order.name && !knownIds.has(computer.id))
    .filter(
      ({ remoteUser, providerType }) =>
        (remoteUser ?? order.remoteUser) === order.remoteUser || (providerType !== OWN_MACHINE && hasOneAccount(all)),
    )
    .filter((computer) => earliest(computer) >= sinceMs)
    .toSorted((a, b) => earliest(a) - earliest(b));
}

const OWN_MACHINE = 'byom';

const managedIn = (all: readonly Computer[]) => all.filter(({ providerType }) => providerType !== OWN_MACHINE);

const hasOneAccount = (all: readonly Computer[]): boolean =>
  new Set(managedIn(all).map(({ remoteUser }) => remoteUser)).size === 1;

/** The name that the platform shows for its own machines, newest first; the contract's if it shows none. */
export function managedProvider(all: readonly Computer[]): string {
  const [newest] = managedIn(all).toSorted((a, b) => earliest(b) - earliest(a));
  return newest?.providerType ?? 'hosted';
}

export function sameNamed(all: readonly Computer[], name: string): Computer[] {
  return all.filter((computer) => computer.name.toLowerCase() === name.toLowerCase());
}

/** The list is read again after this time, a little less than the minute between two ticks. */
const SURE_AFTER_MS = 55_000;

export function decideAbsent(order: ComputerOrder, now: Date): 'first_time' | 'too_early' | 'not_created' {
  if (order.absentSince === null) return 'first_time';
  return now.getTime() - new Date(order.absentSince).getTime() >= SURE_AFTER_MS ? 'not_created' : 'too_early';
}
