import type { RawBuilder } from 'kysely';
import type { Day, Period } from '../../base/time/calendar.ts';
import { batchesOf, eachBatch } from '../../base/batches.ts';
import { eachInTurns } from '../../base/time/turns.ts';
import type { Logger } from '../../base/log.ts';
import type { Database, DatabaseTransaction } from '../../store/tables.ts';
import { prepareQuery } from '../../store/prepared-query.ts';
import type { DayParts } from './day-parts.ts';
import { withPseudonyms } from './with-pseudonyms.ts';
import { TOTALS, type AnalyticsDayTable, type Resource } from './analytics-day-table.ts';

export interface StoredDay {
  day: Day;
  state: 'fresh' | 'settled' | 'rolled_up';
  readAt: Date;
}

/** A stored day, and the version of its texts. */
export interface FoundDay extends StoredDay {
  /** A hash of its parts as they were read. */
  fingerprint: string;
  /** The number of erasures that were finished when it was found: each may have changed what is stored. */
  erasures: number;
}

const findDays = prepareQuery(['resource', 'first', 'last'], (db, parameter) =>
  db
    .selectFrom('analyticsDays')
    .select((select) => [
      'day',
      'state',
      'readAt',
      'fingerprint',
      select
        .selectFrom('erasures')
        .where('state', '=', 'done')
        .select(({ fn }) => fn.countAll().as('count'))
        .as('erasures'),
    ])
    .where('resource', '=', parameter<Resource>('resource'))
    .where('part', '=', 0)
    .where('day', '>=', parameter<Day>('first'))
    .where('day', '<=', parameter<Day>('last')),
);

export async function readStoredDays(
  db: Database,
  resource: Resource,
  { first, last }: Period,
): Promise<Map<Day, FoundDay>> {
  const rows = await findDays(db, { resource, first, last });
  return new Map(
    rows.map(({ day, state, readAt, fingerprint, erasures }) => [
      day,
      { day, state, readAt: new Date(readAt), fingerprint, erasures: Number(erasures) },
    ]),
  );
}

export async function firstParts(db: Database, resource: Resource): Promise<string[]> {
  const rows = await db
    .selectFrom('analyticsDays')
    .select('facts')
    .where((where) => where.and({ resource, part: 0 }))
    .execute();
  return rows.map(({ facts }) => facts);
}

/** Returns the stored facts of days, one text for each part. */
export async function loadParts(
  db: Database,
  resource: Resource,
  days: readonly Day[],
  which: 'first' | 'all',
): Promise<Map<Day, string[]>> {
  const rows = await db
    .selectFrom('analyticsDays')
    .select(['day', 'facts'])
    .where('resource', '=', resource)
    .where('day', 'in', days)
    .$if(which === 'first', (query) => query.where('part', '=', 0))
    .orderBy('day')
    .orderBy('part')
    .execute();
  const parts = new Map(days.map((day): [Day, string[]] => [day, []]));
  for (const { day, facts } of rows) parts.get(day)?.push(facts);
  return parts;
}

/** So few that they are garbage before the collector counts them as old, and seldom looks at them. */
const PARTS_AT_ONCE = 16;

/**
 * Loads the parts of a large day, a few at a time.
 * @throws Error if another reading replaced the day during this one: the rest may not fit what was loaded
 */
export async function* eachPart(db: Database, resource: Resource, day: Day): AsyncGenerator<string, void, undefined> {
  let fingerprint: string | undefined;
  for (let from = 1; ; from += PARTS_AT_ONCE) {
    const someParts = Array.from({ length: PARTS_AT_ONCE }, (_, index) => from + index);
    const [first, ...rows] = await db
      .selectFrom('analyticsDays')
      .select(['fingerprint', 'facts'])
      .where((where) => where.and({ resource, day }))
      .where('part', 'in', [0, ...someParts])
      .orderBy('part')
      .execute();
    if (fingerprint === undefined && first) yield first.facts;
    else if (first?.fingerprint !== fingerprint) throw new Error(`${day} changed while it was loaded`);
    fingerprint = first?.fingerprint;
    for (const { facts } of rows) yield facts;
    if (rows.length < PARTS_AT_ONCE) return;
  }
}

/** A day as it was read: one JSON text for each part. A day that is rolled up keeps only the first part. */
export interface ReadDay extends StoredDay {
  parts: Iterable<string> | AsyncIterable<string>;
}

/** Returns the totals of a day. */
export async function firstPart({ parts }: ReadDay): Promise<string> {
  if (Symbol.iterator in parts) {
    const [first = ''] = parts;
    return first;
  }
  for await (const part of parts) return part;
  return '';
}

/** A day as the platform answered. */
export interface NewDay extends StoredDay {
  parts: DayParts;
}

/**
 * Stores days, some per transaction. Of two readings of a day the later one is kept, whichever is written last; a
 * difference from the stored facts marks the day as changed. If days cannot be stored, this answer still succeeds and
 * the next one reads them again.
 *
 * @returns the days that are stored, by this reading or a later one
 */
export async function storeDays(
  { db, log }: { db: Database; log: Logger },
  resource: Resource,
  days: readonly NewDay[],
): Promise<ReadonlySet<Day>> {
  const stored = new Set<Day>();
  const sizeOf = ({ parts }: NewDay) => parts.size;
  // A fixed order prevents a deadlock of two replicas that store the same days.
  const inOrder = days.toSorted((one, other) => (one.day < other.day ? -1 : 1));
  for await (const some of eachInTurns(batchesOf(inOrder, { ...BATCH, sizeOf }))) {
    try {
      const changed = await confirmUnchanged(db, resource, some);
      if (changed.length > 0) await db.transaction().execute((trx) => writeDays(trx, resource, changed));
      for (const { day } of some) stored.add(day);
    } catch (error) {
      log.error({ err: error, resource, days: some.map(({ day }) => day) }, 'The facts of days could not be kept');
    }
  }
  return stored;
}

/**
 * Most days that may still change have not: then only the time of the reading is written, without a transaction.
 * @returns the other days
 */
async function confirmUnchanged(db: Database, resource: Resource, days: readonly NewDay[]): Promise<NewDay[]> {
  const ofDays = days.map(({ day }) => day);
  const rows = await db
    .selectFrom('analyticsDays')
    .select(['day', 'fingerprint', 'state'])
    .where('resource', '=', resource)
    .where('day', 'in', ofDays)
    .where('part', '=', 0)
    .execute();
  const storedRows = new Map(rows.map((row) => [row.day, row]));
  const isUnchanged = ({ day, state, parts }: NewDay) => {
    const row = storedRows.get(day);
    return row?.state === state && row.fingerprint === parts.fingerprint();
  };
  // A statement for each day: one for all could lock them in another order than a replica that writes the same ones.
  await Promise.all(
    days.filter(isUnchanged).map(({ day, readAt }) =>
      db
        .updateTable('analyticsDays')
        .set({ readAt: readAt.toISOString() })
        .where((where) => where.and({ resource, day, part: 0 }))
        .where('readAt', '<', readAt.toISOString())
        .execute(),
    ),
  );
  return days.filter((each) => !isUnchanged(each));
}

async function writeDays(trx: DatabaseTransaction, resource: Resource, read: readonly NewDay[]): Promise<void> {
  const days = await withPseudonyms(trx, read);
  const ofDays = days.map(({ day }) => day);
  const rows = await trx
    .selectFrom('analyticsDays')
    .select(['day', 'fingerprint', 'readAt', 'changedAt'])
    .where('resource', '=', resource)
    .where('day', 'in', ofDays)
    .where('part', '=', 0)
    .execute();
  const storedRows = new Map(rows.map((row) => [row.day, row]));
  const later = days.filter(({ day, readAt }) => (storedRows.get(day)?.readAt ?? '') <= readAt.toISOString());
  if (later.length === 0) return;
  const ofLater = later.map(({ day }) => day);
  await trx.deleteFrom('analyticsDays').where('resource', '=', resource).where('day', 'in', ofLater).execute();
  const parts = later.values().flatMap((one) => rowsOf(resource, one, storedRows.get(one.day)));
  for (const values of eachBatch(parts, { ...BATCH, sizeOf: ({ facts }) => facts.length })) {
    // Another replica may have written the same day since the select.
    const inserted = trx.insertInto('analyticsDays').values(values);
    await inserted.onConflict((conflict) => conflict.columns(['resource', 'day', 'part']).doNothing()).execute();
  }
}

function* rowsOf(
  resource: Resource,
  { day, state, parts, readAt: readTime }: NewDay,
  storedRow: { fingerprint: string; changedAt: string } | undefined,
): Generator<AnalyticsDayTable> {
  const fingerprint = parts.fingerprint();
  const readAt = readTime.toISOString();
  const changedAt = storedRow?.fingerprint === fingerprint ? storedRow.changedAt : readAt;
  let part = 0;
  for (const facts of parts) {
    yield { resource, day, part, state, readAt, changedAt, fingerprint, facts };
    if (state === 'rolled_up') return;
    part += 1;
  }
}

/** The size of one statement or transaction: a few milliseconds of work, however large the days are. */
const BATCH = { maxItems: 31, maxSize: 200_000 };

/** Whether facts of a period appeared or changed after `since`. Rows of people do not count: totals show them too. */
export async function hasChangedSince(db: Database, period: Period, since: Date): Promise<boolean> {
  return (await findChange(db, { ...period, since: since.toISOString() })).length > 0;
}

const findChange = prepareQuery(['first', 'last', 'since'], (db, parameter) =>
  changesSince(db, {
    first: parameter<Day>('first'),
    last: parameter<Day>('last'),
    since: parameter<string>('since'),
  }).limit(1),
);

type TextInQuery = string | RawBuilder<string>;

/** @param since in ISO 8601 */
export function changesSince(db: Database, { first, last, since }: Record<'first' | 'last' | 'since', TextInQuery>) {
  return (
    db
      .selectFrom('analyticsDays')
      .select('day')
      .where('part', '=', 0)
      // An index finds days of named resources. “All but users” would be searched in all rows of people.
      .where('resource', 'in', TOTALS)
      .where('day', '>=', first)
      .where('day', '<=', last)
      .where('changedAt', '>', since)
  );
}
