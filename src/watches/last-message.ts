import { clip, markup, readerTime, type Markup } from '../base/text/markup.ts';
import { findNewest, type NewestQuery } from '../outbox/past-deliveries.ts';
import type { Database } from '../store/tables.ts';

const MAX_REASON_LENGTH = 200;

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
  return (next) => markup`Next ${next} · ${lastWords(last)}`;
}

function lastWords(last: Awaited<ReturnType<typeof findNewest>>): Markup {
  if (!last) return markup`none sent yet`;
  switch (last.state) {
    case 'sent':
      return markup`✅ last sent ${readerTime(new Date(last.sentAt ?? last.dueAt))}`;
    case 'failed':
      return markup`❌ last one failed: ${clip(last.reason ?? 'the log says why', MAX_REASON_LENGTH)}`;
    case 'skipped':
      return markup`last one was skipped: ${clip(last.reason ?? '', MAX_REASON_LENGTH)}`;
    case 'waiting':
    case 'claimed':
    case 'posting':
    case 'unknown':
      return markup`⏳ one is on its way`;
    default:
      return last.state satisfies never;
  }
}
