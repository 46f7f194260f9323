import type { Logger } from '../../base/log.ts';
import type { Clock } from '../../base/time/clock.ts';

/** An answer without the names of people to ask is better than a late one. */
const PATIENCE_MS = 1_000;

const nobody = (): string[] => [];

/** None if Slack doesn’t answer in time. */
export async function readContacts(
  { clock, log }: { clock: Clock; log: Logger },
  read: () => Promise<string[]>,
): Promise<string[]> {
  const waiting = new AbortController();
  const reading = read().catch((error: unknown) => {
    log.warn({ err: error }, 'Reading the admins failed, so an answer names none');
    return nobody();
  });
  const contacts = await Promise.race([reading, clock.sleep(PATIENCE_MS, waiting.signal).then(nobody, nobody)]);
  waiting.abort();
  return contacts;
}
