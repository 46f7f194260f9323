import { markup, type Markup } from '../base/text/markup.ts';
import { findNewest, lastDeliveryWords, type NewestQuery } from '../outbox/past-deliveries.ts';
import type { Database } from '../store/tables.ts';

/** The next message of something that a person paused. */
export const AFTER_PAUSE = 'after it is resumed';

/**
 * Says when the next message comes, and how the last one ended.
 *
 * @param next what has to happen: `when a threshold is reached`
 */
export const nextAndLast = async (db: Database, query: NewestQuery, next: string): Promise<Markup> =>
  (await readLast(db, query))(next);

/** The same for several with one last message. */
export async function readLast(db: Database, query: NewestQuery): Promise<(next: string) => Markup> {
  const last = await findNewest(db, query);
  return (next) => markup`Next ${next} · ${lastDeliveryWords(last)}`;
}
