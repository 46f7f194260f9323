import { createHash } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { RawBuilder } from 'kysely';
import { type Day, type Period, plusDays } from '../../base/time/calendar.ts';
import { batchesOf, eachBatch, eachInTurns } from '../../base/time/turns.ts';
import type { Logger } from '../../base/log.ts';
import type { Database, DatabaseTransaction } from '../../store/tables.ts';
import { withoutWaitingForDisk } from '../../store/unhurried-writes.ts';
import { prepareQuery } from '../../store/prepared-query.ts';
import { type AnalyticsDayTable, type Resource, TOTALS } from './analytics-day-table.ts';
import { z } from 'zod';
import { type Pseudonyms, createPseudonyms } from '../../base/privacy/pseudonyms.ts';
import { HOUR_MS } from '../../base/time/durations.ts';
import type { CreditsColumns } from '../columns/credits-columns.ts';
import { pseudonymsColumn } from '../../store/erased-people.ts';

/** Parts beyond this many characters are compressed: a day of 70,000 people takes 2 instead of 7 MB. */
const UNCOMPRESSED = 250_000;

/** The fastest level, with a small window: a part of 250 people takes 0.2 ms and becomes a fourth. */
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 16 } };

/** Compressed parts lie side by side in blocks of this size: alone, each would keep the 16 KB in which it was compressed. */
const BLOCK_BYTES = 256 * 1024;

/**
 * The facts of a day on their way to the store: one JSON text for each part. The first has the totals, the others people.
 *
 * @example
 * const parts = DayParts.of('{}');
 * const bytes = parts.push('[["u1",null,12]]');
 * for (const part of parts) console.log(part);
 */
export class DayParts implements Iterable<string> {
  readonly #parts: (string | Buffer)[] = [];
  readonly #hash = createHash('sha256');
  #size = 0;
  #block = Buffer.alloc(0);

  static of(...parts: readonly string[]): DayParts {
    const day = new DayParts();
    for (const part of parts) day.push(part);
    return day;
  }

  get length(): number {
    return this.#parts.length;
  }

  /** The characters of all parts. */
  get size(): number {
    return this.#size;
  }

  /** @returns the bytes that the part takes in memory, about */
  push(part: string): number {
    this.#hash.update(part).update('\n');
    this.#size += part.length;
    const kept = this.#size > UNCOMPRESSED ? this.#compress(part) : part;
    this.#parts.push(kept);
    return kept.length;
  }

  #compress(part: string): Buffer {
    const compressed = brotliCompressSync(part, FAST);
    if (compressed.length > this.#block.length)
      this.#block = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, compressed.length));
    compressed.copy(this.#block);
    const kept = this.#block.subarray(0, compressed.length);
    this.#block = this.#block.subarray(compressed.length);
    return kept;
  }

  /** Decompresses one part at a time. */
  *[Symbol.iterator](): Generator<string, void, undefined> {
    for (const part of this.#parts) yield typeof part === 'string' ? part : brotliDecompressSync(part).toString();
  }

  /** A hash of all parts. */
  fingerprint(): string {
    return this.#hash.copy().digest('hex');
  }
}

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

const finishedErasures = prepareQuery([], (db) =>
  db
    .selectFrom('erasures')
    .where('state', '=', 'done')
    .select(({ fn }) => fn.countAll().as('count')),
);

export async function countErasures(db: Database): Promise<number> {
  const [row] = await finishedErasures(db, {});
  return Number(row?.count ?? 0);
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

/** A day of the store: one JSON text for each part. A day that is rolled up keeps only the first part. */
export interface LoadedDay extends FoundDay {
  parts: Iterable<string> | AsyncIterable<string>;
  /** Its people, if they are in memory: then it has no parts. */
  columns?: CreditsColumns | undefined;
}

export type ReadDay = LoadedDay | NewDay;

/** The same for the same facts of people, whether the platform answered or they are stored, until somebody is erased. */
export const versionOfPeople = (day: FoundDay | NewDay): string =>
  `${'fingerprint' in day ? day.fingerprint : day.parts.fingerprint()} ${day.state}`;

/** Returns the totals of a day. */
export async function firstPart({ parts }: Pick<ReadDay, 'parts'>): Promise<string> {
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
      await withoutWaitingForDisk(() => storeSome(db, resource, some));
      for (const { day } of some) stored.add(day);
    } catch (error) {
      log.error({ err: error, resource, days: some.map(({ day }) => day) }, 'The facts of days could not be kept');
    }
  }
  return stored;
}

async function storeSome(db: Database, resource: Resource, days: readonly NewDay[]): Promise<void> {
  const changed = await confirmUnchanged(db, resource, days);
  if (changed.length > 0) await db.transaction().execute((trx) => writeDays(trx, resource, changed));
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

/** `open`: today. `unpublished`: past, but not in the batch yet. `fresh`: published, may still change. `settled`. */
export type DayState = 'open' | 'unpublished' | 'fresh' | 'settled';

/** The platform’s document says nothing about late changes; a late or repeated batch runs within a day or two. */
const SETTLED_AFTER_DAYS = 2;

export function dayStateOf(day: Day, isPublished: boolean, today: Day): DayState {
  if (day >= today) return 'open';
  if (!isPublished) return 'unpublished';
  return day < plusDays(today, -SETTLED_AFTER_DAYS) ? 'settled' : 'fresh';
}

// A day’s row may lack a breakdown: its figures are then read again with grouping, documented as separate rows.

const CLOCKS_DIFFER_MS = HOUR_MS;

/** Renames people who were erased during the reading, perhaps by another process: use it before storing or showing. */
export async function withPseudonyms<Read extends { readAt: Date; parts: DayParts }>(
  db: Database | DatabaseTransaction,
  days: readonly Read[],
): Promise<readonly Read[]> {
  const ofPeople = days.filter(({ parts }) => parts.length > 1);
  if (ofPeople.length === 0) return days;
  const since = Math.min(...ofPeople.map(({ readAt }) => readAt.getTime())) - CLOCKS_DIFFER_MS;
  const rows = await db
    .selectFrom('erasures')
    .select('pseudonyms')
    .where('askedAt', '>=', new Date(since).toISOString())
    .execute();
  if (rows.length === 0) return days;
  const stored = rows.flatMap((row) => Object.entries(pseudonymsColumn.read(row.pseudonyms)));
  const pseudonyms = createPseudonyms(new Map(stored));
  return days.map((day) => {
    if (day.parts.length <= 1) return day;
    const parts = new DayParts();
    for (const part of day.parts) parts.push(parts.length === 0 ? part : rename(part, pseudonyms));
    return { ...day, parts };
  });
}

/** The beginning of a person’s row, whatever else it holds. */
const personRow = z.array(z.unknown()).pipe(z.tuple([z.string(), z.string().nullable()]).rest(z.unknown()));

function rename(part: string, pseudonyms: Pseudonyms): string {
  let isChanged = false;
  const rows = z
    .array(z.unknown())
    .parse(JSON.parse(part))
    .map((row) => {
      const person = personRow.safeParse(row).data;
      if (!person) return row;
      const [userId, email, ...rest] = person;
      const byId = pseudonyms.find({ kind: 'userId', value: userId });
      const byEmail = email === null ? undefined : pseudonyms.find({ kind: 'email', value: email });
      const id = byId ?? byEmail;
      if (id === undefined) return row;
      isChanged = true;
      return [id, email === null ? null : (byEmail ?? `${id}@erased.invalid`), ...rest];
    });
  return isChanged ? JSON.stringify(rows) : part;
}
