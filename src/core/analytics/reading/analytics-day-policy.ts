import { sql } from 'kysely';
import { z } from 'zod';
import type { Identifiers } from '../../base/privacy/pseudonyms.ts';
import { eachInTurns, eachWhileFree } from '../../base/time/turns.ts';
import type { PersonInRow, PoliciesOf } from '../../store/table-policy.ts';
import type { Database, Tables } from '../../store/tables.ts';
import { decodeColumns, rowsOf } from '../columns/column-codec.ts';
import { type PeopleColumns, creditsOf, numberIn, toColumns, usersOf } from '../columns/people-columns.ts';
import { createPeopleDictionary } from '../columns/people-dictionary.ts';
import type { Resource } from './analytics-day-table.ts';
import { peopleRetention } from './roll-up.ts';
import { valuesOf } from './user-codec.ts';

export const analyticsPolicies: PoliciesOf<
  Pick<
    Tables,
    | 'analyticsDays'
    | 'analyticsColumns'
    | 'analyticsPeople'
    | 'analyticsPeopleIds'
    | 'analyticsReadings'
    | 'toldCredits'
  >
> = {
  analyticsDays: {
    what: 'daily figures',
    reasonToKeep: 'sums over people stay those of the organization',
    content: 'platform',
    people: {
      where: (email) => sql<boolean>`part > 0 and lower(facts) like ${`%"${email}"%`}`,
      read: ({ facts }) => peopleIn(String(facts)),
    },
    ownParts: ownDays,
    retention: [peopleRetention],
  },
  analyticsColumns: {
    what: 'daily figures of people, by a number for each person',
    content: 'platform',
  },
  analyticsPeople: {
    what: 'ids and e-mails of the people in daily figures',
    reasonToKeep: 'sums over people stay those of the organization',
    content: 'platform',
    people: {
      where: (email) => sql<boolean>`lower(person) like ${`%"${email}"%`}`,
      read: ({ person }) => peopleIn(`[${String(person)}]`),
    },
  },
  analyticsPeopleIds: { what: 'how often people were added to daily figures' },
  analyticsReadings: { what: 'which process reads a day' },
  toldCredits: { what: 'the credits of days as they were told first' },
};

const rowsSchema = z.array(z.unknown()).catch([]);
/** The beginning of a person's row; the rest is ignored. */
const personRow = z
  .array(z.unknown())
  .pipe(z.tuple([z.string(), z.string().nullable()]).rest(z.unknown()))
  .transform(([userId, email]) => ({ userId, email }));

const peopleIn = (facts: string): PersonInRow[] =>
  rowsSchema.parse(JSON.parse(facts)).flatMap((row) => personRow.safeParse(row).data ?? []);

const peopleSchema = z.array(z.array(z.unknown()));

async function* ownDays(db: Database, identifiers: Identifiers) {
  yield* ownColumns(db, identifiers);
  yield* ownRows(db, identifiers);
}

const isAmong = ({ email, userId }: Identifiers) => {
  const ownIdentifiers = new Set([...email, ...userId]);
  return (id: string, address: string | null) =>
    ownIdentifiers.has(id) || (address !== null && ownIdentifiers.has(address.toLowerCase()));
};

async function* ownColumns(db: Database, identifiers: Identifiers) {
  const isOwn = isAmong(identifiers);
  const people = createPeopleDictionary();
  const own = new Map<number, number>();
  for await (const { id, person } of eachWhileFree(await db.selectFrom('analyticsPeople').selectAll().execute())) {
    const [entry] = rowsSchema.parse([JSON.parse(person)]).flatMap((row) => personRow.safeParse(row).data ?? []);
    if (entry && isOwn(entry.userId, entry.email)) own.set(id, people.placeOf(entry.userId, entry.email));
  }
  if (own.size === 0) return;
  const columns = db.selectFrom('analyticsColumns');
  const days = await columns.select(['resource', 'day']).orderBy('day').orderBy('resource').execute();
  for await (const { resource, day } of eachInTurns(days)) {
    const row = await columns
      .select('bytes')
      .where((where) => where.and({ resource, day }))
      .executeTakeFirst();
    if (!row) continue;
    const { keys, columns: values } = decodeColumns(row.bytes);
    const rows = Uint32Array.from(keys.keys()).filter((at) => own.has(keys[at] ?? 0));
    const ownColumns = toColumns(
      day,
      people,
      rows.map((at) => own.get(keys[at] ?? 0) ?? 0),
      values.map((column) => rowsOf(column, rows)),
    );
    for (const each of rowsOfPeople(resource, ownColumns)) yield { resource, day, values: each };
  }
}

/** In the order in which they are stored as JSON. */
function* rowsOfPeople(resource: Resource, columns: PeopleColumns): Generator<unknown[]> {
  if (resource === 'users') {
    for (const row of usersOf(columns)) yield valuesOf(row);
    return;
  }
  const { people, places } = columns;
  const credits = creditsOf(columns);
  for (const [row, place] of places.entries())
    yield [people.userIdAt(place), people.spellingAt(place), numberIn(credits, row)];
}

async function* ownRows(db: Database, identifiers: Identifiers) {
  const isOwn = isAmong(identifiers);
  const ofPeople = db.selectFrom('analyticsDays').where('part', '>', 0);
  const days = await ofPeople.select(['resource', 'day']).distinct().orderBy('day').orderBy('resource').execute();
  for (const { resource, day } of days) {
    const parts = await ofPeople.select('facts').where('resource', '=', resource).where('day', '=', day).execute();
    for (const values of parts.flatMap(({ facts }) => peopleSchema.parse(JSON.parse(facts)))) {
      const [id, address] = values;
      if (isOwn(String(id), typeof address === 'string' ? address : null)) yield { resource, day, values };
    }
  }
}
