import { sql } from 'kysely';
import { HOUR_MS, MINUTE_MS } from '../base/time/durations.ts';
import type { Clock } from '../base/time/clock.ts';
import type { Logger } from '../base/log.ts';
import type { Database } from '../store/tables.ts';
import { withoutWaitingForDisk } from '../store/unhurried-writes.ts';
import type { RefusalEvidence } from './refusal-watch.ts';
import type { RefusalTables, SourceReadingTable } from './refusal-table.ts';

export type Source = SourceReadingTable['source'];

/** @param fault a sentence; undefined if it was read */
export type RecordReading = (source: Source, part: string, fault?: string) => void;

/** Of equal outcomes, one a minute is enough. */
const RECORD_EVERY_MS = MINUTE_MS;
/** Jobs try again within minutes: a part that nothing has tried since says nothing about now. */
const STALE_AFTER_MS = HOUR_MS / 2;

/** Records how readings end, for all processes. No reading waits for it, and none fails with it. */
export function createReadingRecord(deps: { db: Database; clock: Clock; log: Logger }): RecordReading {
  const latest = new Map<string, { atMs: number; isFault: boolean }>();
  return (source, part, fault) => {
    const now = deps.clock.now();
    const key = `${source} ${part}`;
    const isFault = fault !== undefined;
    const last = latest.get(key);
    if (last?.isFault === isFault && now.getTime() - last.atMs < RECORD_EVERY_MS) return;
    latest.set(key, { atMs: now.getTime(), isFault });
    withoutWaitingForDisk(() => writeReading(deps.db, { source, part, fault }, now)).catch((error: unknown) => {
      latest.delete(key);
      deps.log.warn({ err: error, source, part }, 'Recording how a reading ended failed');
    });
  };
}

export async function writeReading(
  base: Database,
  { source, part, fault }: { source: Source; part: string; fault: string | undefined },
  now: Date,
): Promise<void> {
  const db = base.withTables<RefusalTables>();
  const at = now.toISOString();
  const change =
    fault === undefined
      ? { readAt: at, failingSince: null, failedAt: null, lastError: null }
      : { failedAt: at, lastError: fault, failingSince: sql<string>`coalesce(source_readings.failing_since, ${at})` };
  await db
    .insertInto('sourceReadings')
    .values({ source, part, readAt: null, ...change, failingSince: fault === undefined ? null : at })
    .onConflict((conflict) => conflict.columns(['source', 'part']).doUpdateSet(change))
    .execute();
}

/** Returns since when a part of a source could not be read at any try over an hour, or when all could. */
export async function readSourceEvidence(base: Database, source: Source, now: Date): Promise<RefusalEvidence> {
  const rows = await base
    .withTables<RefusalTables>()
    .selectFrom('sourceReadings')
    .selectAll()
    .where('source', '=', source)
    .execute();
  return evidenceOfReadings(rows, now);
}

/** Pure. */
function evidenceOfReadings(
  rows: readonly Pick<SourceReadingTable, 'readAt' | 'failingSince' | 'failedAt' | 'lastError'>[],
  now: Date,
): RefusalEvidence {
  const unreadable = rows
    .flatMap(({ failingSince, failedAt, lastError }) =>
      failingSince === null || failedAt === null ? [] : [{ failingSince, failedAt, lastError }],
    )
    .filter(({ failingSince, failedAt }) => Date.parse(failedAt) - Date.parse(failingSince) >= HOUR_MS)
    .toSorted((a, b) => (a.failingSince < b.failingSince ? -1 : 1));
  const first = unreadable.find(({ failedAt }) => now.getTime() - Date.parse(failedAt) < STALE_AFTER_MS);
  if (first) {
    return { refusedSince: new Date(first.failingSince), acceptedAt: undefined, detail: first.lastError ?? undefined };
  }
  const lastReadAt = rows
    .flatMap(({ readAt }) => readAt ?? [])
    .toSorted()
    .at(-1);
  const isRead = lastReadAt !== undefined && unreadable.every(({ failedAt }) => failedAt < lastReadAt);
  return { refusedSince: undefined, acceptedAt: isRead ? new Date(lastReadAt) : undefined };
}
