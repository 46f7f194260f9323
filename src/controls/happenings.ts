import type { Happening } from '../feature.ts';
import type { EnterpriseControlChange } from '../platform/controls.ts';
import type { PlatformClient } from '../platform/client.ts';
import { dayOf, type Period } from '../slack/periods.ts';

/**
 * The changes of the enterprise controls in a period, oldest first: which revision, and by whom. What was changed stays
 * where it is: settings hold secrets.
 *
 * @throws PlatformError
 */
export async function readChanges(platform: PlatformClient, { first, last }: Period): Promise<Happening[]> {
  const found: Happening[] = [];
  // Newest first, so the history is read no further back than the period reaches.
  for await (const change of platform.controls.eachChange()) {
    const changedAt = new Date(change.updatedAt);
    // A time that cannot be read belongs to no day.
    if (Number.isNaN(changedAt.getTime())) continue;
    const day = dayOf(changedAt);
    if (day < first) break;
    if (day <= last) found.push({ day, sentence: sentenceOf(change) });
  }
  return found.toReversed();
}

function sentenceOf({ revision, user }: EnterpriseControlChange): string {
  const who = user?.name || user?.email || 'somebody';
  return `the enterprise controls were changed by ${who} (revision ${revision})`;
}
