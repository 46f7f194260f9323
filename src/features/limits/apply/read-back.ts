import { shownIn } from '../../../core/platform/capabilities/shown-limit.ts';
import { formatAmount } from '../../../core/base/text/amounts.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { shownWords } from '../core/person-text.ts';
import type { BatchEntry } from './batches.ts';
import { isInForce } from './check-in-force.ts';
import type { Outcome } from './outcomes.ts';

/** How long the platform may take until it shows what it has set. */
const WAITS_MS = [10_000, 40_000];

/**
 * Compares what the platform confirmed with what it then shows; a difference that stays is no known outcome.
 *
 * @param keep renews the lease, because all waits together may take longer than one
 * @returns undefined if the lease was lost
 */
export async function readBack(
  { capabilities, clock }: Pick<LimitDeps, 'capabilities' | 'clock'>,
  part: readonly BatchEntry[],
  outcomes: ReadonlyMap<string, Outcome>,
  keep: () => Promise<boolean>,
): Promise<ReadonlyMap<string, Outcome> | undefined> {
  const confirmed = part.filter((entry) => isConfirmed(entry, outcomes.get(entry.email)));
  if (confirmed.length === 0) return outcomes;
  if (!(await keep())) return undefined;
  let reading = await capabilities.readLimits(0);
  for (const waitMs of WAITS_MS) {
    if (differences(confirmed, reading).size === 0) break;
    if (!(await keep())) return undefined;
    await clock.sleep(waitMs);
    reading = await capabilities.readLimits(0);
  }
  return new Map([...outcomes, ...differences(confirmed, reading)]);
}

const isConfirmed = ({ value, removes }: BatchEntry, outcome: Outcome | undefined) =>
  outcome?.state === 'set' && outcome.value === (removes ? null : value);

function differences(
  confirmed: readonly BatchEntry[],
  reading: Awaited<ReturnType<LimitDeps['capabilities']['readLimits']>>,
): Map<string, Outcome> {
  const unequal = new Map<string, Outcome>();
  // Then the answer of the platform is all that is known.
  if (reading.kind !== 'read') return unequal;
  for (const entry of confirmed) {
    const shown = shownIn(reading.limits, entry.email);
    if (isInForce(entry, shown)) continue;
    const sent = entry.removes ? 'the removal' : formatAmount(entry.value);
    unequal.set(entry.email, {
      state: 'unknown',
      error: `The platform confirmed ${sent}, but shows ${shownWords(shown)}.`,
    });
  }
  return unequal;
}
