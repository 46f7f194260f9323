import type { Logger } from '../../base/log.ts';
import type { Clock } from '../../base/time/clock.ts';
import { withinTime } from '../../base/time/within-time.ts';

/** An answer without the names of people to ask is better than a late one. */
const PATIENCE_MS = 1_000;

/** None if Slack doesn’t answer in time. */
export async function readContacts(
  { clock, log }: { clock: Clock; log: Logger },
  read: () => Promise<string[]>,
): Promise<string[]> {
  const reading = read().catch((error: unknown) => {
    log.warn({ err: error }, 'Reading the admins failed, so an answer names none');
    return [];
  });
  return withinTime(clock, PATIENCE_MS, reading, []);
}
