import { createHash } from 'node:crypto';
import type { ExpressionBuilder, JoinBuilder, RawBuilder } from 'kysely';
import { type Day, type Period, plusDays } from '../../base/time/calendar.ts';
import { batchesOf, eachInTurns } from '../../base/time/turns.ts';
import type { Logger } from '../../base/log.ts';
import type { Database, DatabaseTransaction, Tables } from '../../store/tables.ts';
import { withoutWaitingForDisk } from '../../store/unhurried-writes.ts';
import { prepareQuery } from '../../store/prepared-query.ts';
import { type Resource, type RowsResource, TOTALS } from './analytics-day-table.ts';
import { type Pseudonyms, createPseudonyms } from '../../base/privacy/pseudonyms.ts';
import { HOUR_MS } from '../../base/time/durations.ts';
import type { PeopleColumns } from '../columns/people-columns.ts';
import { pseudonymsColumn } from '../../store/erased-people.ts';
import { type Linking, type StoredPeople, writeColumns } from './stored-people.ts';

export interface StoreDeps {
  db: Database;
  log: Logger;
  storedPeople: StoredPeople;
}

/** The facts of a day as the platform answered. */
export interface DayFacts {
  /** JSON in the shape of the resource. */
  totals: string;
  /** The rows of its people, for resources that have them. */
  people?: PeopleColumns | undefined;
  /** A hash of the totals and of all rows. */
  fingerprint: string;
}

/** Hashes the texts of a day: first its totals, then its rows. */
export function createFingerprint(totals: string) {
  const hash = createHash('sha256').update(totals).update('\n');
  return {
    add: (part: string): void => void hash.update(part).update('\n'),
    finish: (): string => hash.digest('hex'),
  };
}

export const totalsAlone = (totals: string): DayFacts => ({ totals, fingerprint: createFingerprint(totals).finish() });

export interface StoredDay {
  day: Day;
  state: 'fresh' | 'settled' | 'rolled_up';
  readAt: Date;
}

/** A stored day, and the version of its texts. */
export interface FoundDay extends StoredDay {
  /** See `DayFacts`. */
  fingerprint: string;
  /** The number of erasures that were finished when it was found: each may have changed what is stored. */
  erasures: number;
}

/** Columns of another version of the day do not count: a process of an earlier version may have replaced it. */
const joinsColumns = (join: JoinBuilder<Tables, 'analyticsDays' | 'analyticsColumns'>) =>
  join
    .onRef('analyticsColumns.resource', '=', 'analyticsDays.resource')
    .onRef('analyticsColumns.day', '=', 'analyticsDays.day')
    .onRef('analyticsColumns.fingerprint', '=', 'analyticsDays.fingerprint');

const trueState = (select: ExpressionBuilder<Tables, 'analyticsDays' | 'analyticsColumns'>) =>
  select.fn.coalesce('analyticsColumns.state', 'analyticsDays.state');

const findDays = prepareQuery(['resource', 'first', 'last'], (db, parameter) =>
  db
    .selectFrom('analyticsDays')
    .leftJoin('analyticsColumns', joinsColumns)
    .select((select) => [
      'analyticsDays.day',
      trueState(select).as('state'),
      'readAt',
      'analyticsDays.fingerprint',
      select
        .selectFrom('erasures')
        .where('state', '=', 'done')
        .select(({ fn }) => fn.countAll().as('count'))
        .as('erasures'),
    ])
    .where('analyticsDays.resource', '=', parameter<Resource>('resource'))
    .where('part', '=', 0)
    .where('analyticsDays.day', '>=', parameter<Day>('first'))
    .where('analyticsDays.day', '<=', parameter<Day>('last')),
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

export async function allTotals(db: Database, resource: Resource): Promise<string[]> {
  const rows = await db
    .selectFrom('analyticsDays')
    .select('facts')
    .where((where) => where.and({ resource, part: 0 }))
    .execute();
  return rows.map(({ facts }) => facts);
}

/** Returns the stored totals of days. */
export async function loadTotals(db: Database, resource: Resource, days: readonly Day[]): Promise<Map<Day, string>> {
  const rows = await db
    .selectFrom('analyticsDays')
    .select(['day', 'facts'])
    .where('resource', '=', resource)
    .where('day', 'in', days)
    .where('part', '=', 0)
    .execute();
  return new Map(rows.map(({ day, facts }) => [day, facts]));
}

/** A day of the store, with the facts that were needed. */
export interface LoadedDay extends FoundDay {
  totals?: string | undefined;
  people?: PeopleColumns | undefined;
}

export type ReadDay = LoadedDay | NewDay;

/** The same for the same facts of people, whether the platform answered or they are stored, until somebody is erased. */
export const versionOfPeople = (resource: RowsResource, day: FoundDay | NewDay): string =>
  `${resource} ${day.day} ${fingerprintOf(day)} ${day.state}`;

const fingerprintOf = (day: FoundDay | NewDay) => ('facts' in day ? day.facts.fingerprint : day.fingerprint);

export const totalsOf = (day: ReadDay): string => ('facts' in day ? day.facts.totals : (day.totals ?? ''));

export const peopleOf = (day: ReadDay): PeopleColumns | undefined => ('facts' in day ? day.facts.people : day.people);

/** A day as the platform answered. */
export interface NewDay extends StoredDay {
  facts: DayFacts;
}

/**
 * Stores days, some per transaction. Of two readings of a day the later one is kept, whichever is written last; a
 * difference from the stored facts marks the day as changed. If days cannot be stored, this answer still succeeds and
 * the next one reads them again.
 *
 * @returns the days that are stored, by this reading or a later one
 */
export async function storeDays(
  deps: StoreDeps,
  resource: Resource,
  days: readonly NewDay[],
): Promise<ReadonlySet<Day>> {
  const stored = new Set<Day>();
  const { log } = deps;
  // A fixed order prevents a deadlock of two replicas that store the same days.
  const inOrder = days.toSorted((one, other) => (one.day < other.day ? -1 : 1));
  for await (const some of eachInTurns(batchesOf(inOrder, { ...BATCH, sizeOf }))) {
    try {
      await withoutWaitingForDisk(() => storeSome(deps, resource, some));
      for (const { day } of some) stored.add(day);
    } catch (error) {
      log.error({ err: error, resource, days: some.map(({ day }) => day) }, 'The facts of days could not be kept');
    }
  }
  return stored;
}

async function storeSome(deps: StoreDeps, resource: Resource, days: readonly NewDay[]): Promise<void> {
  const { db, storedPeople } = deps;
  const changed = await confirmUnchanged(db, resource, days);
  if (changed.length === 0) return;
  await storedPeople.write(
    changed.flatMap(({ facts }) => facts.people?.people ?? []),
    (linking) => db.transaction().execute((trx) => writeDays(trx, resource, changed, linking)),
  );
}

/** How days are stored, by day. */
async function rowsOf(db: Database | DatabaseTransaction, resource: Resource, days: readonly NewDay[]) {
  const rows = await db
    .selectFrom('analyticsDays')
    .leftJoin('analyticsColumns', joinsColumns)
    .select((select) => [
      'analyticsDays.day',
      'analyticsDays.fingerprint',
      trueState(select).as('state'),
      'readAt',
      'changedAt',
    ])
    .where('analyticsDays.resource', '=', resource)
    .where(
      'analyticsDays.day',
      'in',
      days.map(({ day }) => day),
    )
    .where('part', '=', 0)
    .execute();
  return new Map(rows.map((row) => [row.day, row]));
}

/**
 * Most days that may still change have not: then only the time of the reading is written, without a transaction.
 * @returns the other days
 */
async function confirmUnchanged(db: Database, resource: Resource, days: readonly NewDay[]): Promise<NewDay[]> {
  const storedRows = await rowsOf(db, resource, days);
  const isUnchanged = ({ day, state, facts }: NewDay) => {
    const row = storedRows.get(day);
    return row?.state === state && row.fingerprint === facts.fingerprint;
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

async function writeDays(
  trx: DatabaseTransaction,
  resource: Resource,
  read: readonly NewDay[],
  linking: Linking,
): Promise<void> {
  const days = await withPseudonyms(trx, read);
  const storedRows = await rowsOf(trx, resource, days);
  const later = days.filter(({ day, readAt }) => (storedRows.get(day)?.readAt ?? '') <= readAt.toISOString());
  if (later.length === 0) return;
  const columns = later.flatMap(({ day, state, facts: { people, fingerprint } }) =>
    people && state !== 'rolled_up' ? [{ day, state, fingerprint, people }] : [],
  );
  const withColumns = new Set(columns.map(({ day }) => day));
  const ofLater = later.map(({ day }) => day);
  for (const table of ['analyticsDays', 'analyticsColumns'] as const)
    await trx.deleteFrom(table).where('resource', '=', resource).where('day', 'in', ofLater).execute();
  for (const { day, state, facts, readAt: readTime } of later) {
    const { fingerprint, totals } = facts;
    const readAt = readTime.toISOString();
    const before = storedRows.get(day);
    const changedAt = before?.fingerprint === fingerprint ? before.changedAt : readAt;
    const row = { resource, day, part: 0, readAt, changedAt, fingerprint, facts: totals };
    // Another replica may have written the same day since the select.
    await trx
      .insertInto('analyticsDays')
      .values({ ...row, state: withColumns.has(day) ? 'rolled_up' : state })
      .onConflict((conflict) => conflict.columns(['resource', 'day', 'part']).doNothing())
      .execute();
  }
  await writeColumns(trx, resource, columns, linking);
}

/** About the size of a row of people beside the totals, in characters. */
const SIZE_OF_ROW = 20;

const sizeOf = ({ facts: { totals, people } }: NewDay) => totals.length + SIZE_OF_ROW * (people?.places.length ?? 0);

/** The size of one transaction: a few milliseconds of work, however large the days are. */
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
export async function withPseudonyms<Read extends { readAt: Date; facts: DayFacts }>(
  db: Database | DatabaseTransaction,
  days: readonly Read[],
): Promise<readonly Read[]> {
  const ofPeople = days.filter(({ facts }) => facts.people !== undefined);
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
  return days.map((day) =>
    day.facts.people ? { ...day, facts: { ...day.facts, people: rename(day.facts.people, pseudonyms) } } : day,
  );
}

function rename(columns: PeopleColumns, pseudonyms: Pseudonyms): PeopleColumns {
  const { people } = columns;
  const places = columns.places.map((place) => {
    const email = people.emailAt(place);
    const byId = pseudonyms.find({ kind: 'userId', value: people.userIdAt(place) });
    const byEmail = email === undefined ? undefined : pseudonyms.find({ kind: 'email', value: email });
    const id = byId ?? byEmail;
    if (id === undefined) return place;
    return people.placeOf(id, email === undefined ? null : (byEmail ?? `${id}@erased.invalid`));
  });
  return { ...columns, places };
}
