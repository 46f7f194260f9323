import { z } from 'zod';
import type { Day } from '../../base/time/calendar.ts';
import { eachInTurns, isTurnDue, nextTurn } from '../../base/time/turns.ts';
import type { Database } from '../../store/tables.ts';
import { withoutWaitingForDisk } from '../../store/unhurried-writes.ts';
import { decodeColumns } from '../columns/column-codec.ts';
import {
  type ColumnsBuilder,
  type PeopleColumns,
  createCreditsBuilder,
  createUsersBuilder,
  toColumns,
} from '../columns/people-columns.ts';
import type { PeopleDictionary } from '../columns/people-dictionary.ts';
import type { Resource, RowsResource } from './analytics-day-table.ts';
import type { FoundDay, StoreDeps } from './day-store.ts';
import { type StoredPeople, writeColumns } from './stored-people.ts';
import { decodeUsers } from './user-codec.ts';

/** Returns the people of stored days. Those that a version before 0.4.0 stored are stored as columns then. */
export async function loadPeople(
  deps: StoreDeps,
  resource: RowsResource,
  days: readonly FoundDay[],
  people: PeopleDictionary,
): Promise<Map<Day, PeopleColumns>> {
  const { db, storedPeople } = deps;
  const names = days.map(({ day }) => day);
  const rows = await db
    .selectFrom('analyticsColumns')
    .select(['day', 'fingerprint', 'bytes'])
    .where('resource', '=', resource)
    .where('day', 'in', names)
    .execute();
  const bytesOf = new Map(rows.map((row) => [`${row.day} ${row.fingerprint}`, row.bytes]));
  const loaded = new Map<Day, PeopleColumns>();
  for (const found of days) {
    const bytes = bytesOf.get(`${found.day} ${found.fingerprint}`);
    loaded.set(
      found.day,
      bytes ? await decode(storedPeople, found.day, bytes, people) : await loadEarlier(deps, resource, found, people),
    );
    if (isTurnDue()) await nextTurn();
  }
  return loaded;
}

async function decode(storedPeople: StoredPeople, day: Day, bytes: Uint8Array, people: PeopleDictionary) {
  const { keys, columns } = decodeColumns(bytes);
  return toColumns(day, people, await storedPeople.placesOf(people, keys), columns);
}

/** Reads the rows of a day as a version before 0.4.0 stored them: JSON in parts. A day without any had no use. */
async function loadEarlier(
  deps: StoreDeps,
  resource: RowsResource,
  found: FoundDay,
  people: PeopleDictionary,
): Promise<PeopleColumns> {
  const { db, log, storedPeople } = deps;
  const { day, state, fingerprint } = found;
  const parts = await partsOf(db, resource, day);
  const read = EARLIER_ROWS[resource](people);
  for await (const part of eachInTurns(parts)) read.add(part);
  const columns = read.builder.finish(day);
  if (parts.length === 0 || state === 'rolled_up') return columns;
  try {
    await withoutWaitingForDisk(() =>
      storedPeople.write([people], (linking) =>
        db.transaction().execute(async (trx) => {
          const { numUpdatedRows } = await trx
            .updateTable('analyticsDays')
            .set({ state: 'rolled_up' })
            .where((where) => where.and({ resource, day, part: 0, state, fingerprint }))
            .executeTakeFirst();
          if (numUpdatedRows === 0n) return;
          // Columns of a day that a process of the earlier version replaced.
          await trx
            .deleteFrom('analyticsColumns')
            .where((where) => where.and({ resource, day }))
            .execute();
          await writeColumns(trx, resource, [{ day, state, fingerprint, people: columns }], linking);
          await trx
            .deleteFrom('analyticsDays')
            .where((where) => where.and({ resource, day }))
            .where('part', '>', 0)
            .execute();
        }),
      ),
    );
  } catch (error) {
    log.error({ err: error, resource, day }, 'The rows of a day could not be stored as columns');
  }
  return columns;
}

async function partsOf(db: Database, resource: Resource, day: Day): Promise<string[]> {
  const rows = await db
    .selectFrom('analyticsDays')
    .select('facts')
    .where((where) => where.and({ resource, day }))
    .where('part', '>', 0)
    .orderBy('part')
    .execute();
  return rows.map(({ facts }) => facts);
}

const creditsPart = z.array(z.tuple([z.string(), z.string().nullable(), z.number().nullable()]));

const EARLIER_ROWS: Record<
  RowsResource,
  (people: PeopleDictionary) => { builder: ColumnsBuilder<never>; add: (part: string) => void }
> = {
  tokens: (people) => {
    const builder = createCreditsBuilder(people);
    return { builder, add: (part) => creditsPart.parse(JSON.parse(part)).forEach((row) => builder.add(row)) };
  },
  users: (people) => {
    const builder = createUsersBuilder(people);
    return { builder, add: (part) => decodeUsers(part).forEach((row) => builder.add(row)) };
  },
};
