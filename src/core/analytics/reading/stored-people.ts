import { z } from 'zod';
import { batchesOf, eachInTurns, eachWhileFree } from '../../base/time/turns.ts';
import { ROWS_A_TRANSACTION } from '../../store/row-retention.ts';
import type { Database, DatabaseTransaction } from '../../store/tables.ts';
import { decodeColumns, encodeRows } from '../columns/column-codec.ts';
import type { PeopleColumns } from '../columns/people-columns.ts';
import type { PeopleDictionary } from '../columns/people-dictionary.ts';
import type { AnalyticsColumnsTable, Resource } from './analytics-day-table.ts';

/** A few milliseconds of work. */
const PEOPLE_AT_ONCE = 1_000;
/** Below the number of parameters that SQLite allows. */
const PEOPLE_A_STATEMENT = 500;

const personSchema = z.tuple([z.string(), z.string().nullable()]);

/** People were deleted since they were loaded: their ids may be gone. */
class StalePeopleError extends Error {
  override readonly name = 'StalePeopleError';
}

/** What a transaction that writes columns needs of each dictionary, and the ids that it gave to its places. */
export type Linking = ReadonlyMap<PeopleDictionary, { prunings: number; ids: Map<number, number> }>;

/** The numbers under which the store knows the places of dictionaries. */
export interface StoredPeople {
  /** @param ids ascending. @throws RangeError for an id that the store does not have */
  placesOf(people: PeopleDictionary, ids: Uint32Array): Promise<Uint32Array>;
  /** Runs a transaction that writes columns of these dictionaries; a second time if people were deleted meanwhile. */
  write(dictionaries: readonly PeopleDictionary[], transaction: (linking: Linking) => Promise<void>): Promise<void>;
}

export function createStoredPeople(db: Database): StoredPeople {
  /** The number of deletions before a dictionary was loaded. */
  const loads = new WeakMap<PeopleDictionary, Promise<number>>();
  const load = (people: PeopleDictionary): Promise<number> => {
    const known = loads.get(people);
    if (known) return known;
    const loading = loadAll(db, people);
    loads.set(people, loading);
    loading.catch(() => loads.delete(people));
    return loading;
  };
  const writeOnce = async (
    dictionaries: ReadonlySet<PeopleDictionary>,
    transaction: (linking: Linking) => Promise<void>,
  ) => {
    const linking = new Map<PeopleDictionary, { prunings: number; ids: Map<number, number> }>();
    for (const people of dictionaries) linking.set(people, { prunings: await load(people), ids: new Map() });
    await transaction(linking);
    for (const [people, { ids }] of linking) for (const [place, id] of ids) people.link(place, id);
  };
  return {
    placesOf: async (people, ids) => {
      await load(people);
      const known = people.placesOf(ids);
      if (known.unknown === undefined) return known.places;
      // Another process may have added people since.
      await loadFrom(db, people, known.unknown);
      const { places, unknown } = people.placesOf(ids);
      if (unknown !== undefined) throw new RangeError(`The store has nobody with the id ${unknown}`);
      return places;
    },
    write: async (dictionaries, transaction) => {
      const distinct = new Set(dictionaries);
      try {
        await writeOnce(distinct, transaction);
      } catch (error) {
        if (!(error instanceof StalePeopleError)) throw error;
        for (const people of distinct) {
          people.unlink();
          loads.delete(people);
        }
        await writeOnce(distinct, transaction);
      }
    },
  };
}

async function loadAll(db: Database, people: PeopleDictionary): Promise<number> {
  const row = await db.selectFrom('analyticsPeopleIds').select('prunings').executeTakeFirst();
  await loadFrom(db, people, 0);
  return row?.prunings ?? 0;
}

async function loadFrom(db: Database, people: PeopleDictionary, first: number): Promise<void> {
  for (let from = first; ;) {
    const rows = await db
      .selectFrom('analyticsPeople')
      .selectAll()
      .where('id', '>=', from)
      .orderBy('id')
      .limit(PEOPLE_AT_ONCE)
      .execute();
    for await (const { id, person } of eachWhileFree(rows)) {
      const [userId, email] = personSchema.parse(JSON.parse(person));
      people.link(people.placeOf(userId, email), id);
      from = id + 1;
    }
    if (rows.length < PEOPLE_AT_ONCE) return;
  }
}

export interface DayOfColumns extends Pick<AnalyticsColumnsTable, 'day' | 'state' | 'fingerprint'> {
  people: PeopleColumns;
}

/** Writes the columns of days that have none, inside the transaction that `write` runs. */
export async function writeColumns(
  trx: DatabaseTransaction,
  resource: Resource,
  days: readonly DayOfColumns[],
  linking: Linking,
): Promise<void> {
  for (const [people, theirs] of Map.groupBy(days, (each) => each.people.people)) {
    const link = linking.get(people);
    if (!link) throw new TypeError('The dictionary was not loaded');
    await assignIds(trx, people, theirs, link);
    for (const { day, state, fingerprint, people: columns } of theirs) {
      const ids = columns.places.map((place) => link.ids.get(place) ?? people.storedIdAt(place) ?? 0);
      await trx
        .insertInto('analyticsColumns')
        .values({ resource, day, state, fingerprint, bytes: encodeRows(ids, columns.values) })
        .onConflict((conflict) => conflict.columns(['resource', 'day']).doNothing())
        .execute();
    }
  }
}

/** Gives ids to places that have none. Its lock makes writing columns and deleting people follow each other. */
async function assignIds(
  trx: DatabaseTransaction,
  people: PeopleDictionary,
  days: readonly DayOfColumns[],
  { prunings, ids }: { prunings: number; ids: Map<number, number> },
): Promise<void> {
  const missing = new Set<number>();
  for (const { people: columns } of days)
    for (const place of columns.places) if (people.storedIdAt(place) === undefined) missing.add(place);
  await trx
    .insertInto('analyticsPeopleIds')
    .values({ place: 'here', nextId: 1, prunings: 0, writings: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await trx
    .updateTable('analyticsPeopleIds')
    .set((set) => ({ writings: set('writings', '+', 1), nextId: set('nextId', '+', missing.size) }))
    .where('prunings', '=', prunings)
    .returning('nextId')
    .executeTakeFirst();
  if (!row) throw new StalePeopleError('People were deleted since they were loaded');
  const first = row.nextId - missing.size;
  const entries = [...missing].map((place, index) => {
    ids.set(place, first + index);
    return { id: first + index, person: JSON.stringify([people.userIdAt(place), people.spellingAt(place)]) };
  });
  for (const values of batchesOf(entries, { maxItems: PEOPLE_A_STATEMENT }))
    await trx.insertInto('analyticsPeople').values(values).execute();
}

/** Deletes people whom no columns name any more. It stops if columns are written meanwhile: the next run goes on. */
export async function* pruneStoredPeople(db: Database): AsyncGenerator<number> {
  const counts = await db.selectFrom('analyticsPeopleIds').selectAll().executeTakeFirst();
  if (!counts) return;
  const named = new Uint8Array(counts.nextId);
  const rows = await db.selectFrom('analyticsColumns').select(['resource', 'day']).execute();
  for await (const { resource, day } of eachInTurns(rows)) {
    const row = await db
      .selectFrom('analyticsColumns')
      .select('bytes')
      .where((where) => where.and({ resource, day }))
      .executeTakeFirst();
    if (row) for (const id of decodeColumns(row.bytes).keys) named[id] = 1;
  }
  const people = await db.selectFrom('analyticsPeople').select('id').execute();
  const unnamed = people.flatMap(({ id }) => (named[id] === 1 ? [] : [id]));
  let { prunings } = counts;
  for (const ids of batchesOf(unnamed, { maxItems: ROWS_A_TRANSACTION })) {
    const isStill = await db.transaction().execute(async (trx) => {
      const locked = await trx
        .updateTable('analyticsPeopleIds')
        .set({ prunings: prunings + 1 })
        .where((where) => where.and({ prunings, writings: counts.writings }))
        .returning('place')
        .executeTakeFirst();
      if (locked) await trx.deleteFrom('analyticsPeople').where('id', 'in', ids).execute();
      return locked !== undefined;
    });
    if (!isStill) return;
    prunings += 1;
    yield ids.length;
  }
}
