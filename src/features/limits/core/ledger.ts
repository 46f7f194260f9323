import { batchesOf } from '../../../core/base/batches.ts';
import type { Period } from '../../../core/base/time/calendar.ts';
import type { LedgerEntry, LimitDatabase, LimitPerson, LimitRequest, RequestKind } from './limit-tables.ts';
import { UNFINISHED } from './states.ts';

export const emailsOf = (people: readonly { email: string }[]): string[] => people.map(({ email }) => email);

/** The database binds a limited number of values, and a long query would block the process. */
const EMAILS_A_QUERY = 1_000;

export async function inPieces<Row>(
  emails: readonly string[],
  read: (piece: readonly string[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const piece of batchesOf(emails, { maxItems: EMAILS_A_QUERY })) rows.push(...(await read(piece)));
  return rows;
}

/** Returns which request set the newest value of each person. `limitOf` says what is known of a limit. */
export async function newestEntries(db: LimitDatabase, emails: readonly string[]): Promise<Map<string, LedgerEntry>> {
  const rows = await inPieces(emails, (piece) =>
    db
      .selectFrom('limitLedger')
      .selectAll()
      .where('email', 'in', piece)
      .orderBy('setAt')
      .orderBy('approvedAt')
      .execute(),
  );
  return new Map(rows.map((row) => [row.email, row]));
}

/** `until`: when the request that set it ends. */
export type DatedEntry = Pick<LedgerEntry, 'requestId' | 'value'> & { until: string | null };

const datedEntries = (db: LimitDatabase, emails: readonly string[]) =>
  db
    .selectFrom('limitLedger as entry')
    .innerJoin('limitRequests as request', 'request.id', 'entry.requestId')
    .where('entry.email', 'in', emails)
    .orderBy('entry.setAt')
    .orderBy('entry.approvedAt');

/** Returns all known values of each person, oldest first. */
export async function entriesOf(db: LimitDatabase, emails: readonly string[]): Promise<Map<string, DatedEntry[]>> {
  const rows = await inPieces(emails, (piece) =>
    datedEntries(db, piece).select(['entry.email', 'entry.requestId', 'entry.value', 'request.until']).execute(),
  );
  return Map.groupBy(rows, ({ email }) => email);
}

/** Whether another approved request may still set a limit of one of these people, or has done so unconfirmed. */
export async function isInFlightElsewhere(db: LimitDatabase, id: string, emails: readonly string[]): Promise<boolean> {
  const rows = await inPieces(emails, (piece) =>
    db
      .selectFrom('limitRequestPeople as person')
      .innerJoin('limitRequests as request', 'request.id', 'person.requestId')
      .select('person.requestId')
      .where('person.email', 'in', piece)
      .where('person.requestId', '!=', id)
      .where('request.state', 'in', UNFINISHED)
      .where('person.state', 'in', ['queued', 'sending', 'unknown'])
      .limit(1)
      .execute(),
  );
  return rows.length > 0;
}

/** An entry with the kind of the request that set it; null if that was deleted. */
export type ExplainedEntry = LedgerEntry & { kind: RequestKind | null; parentId: string | null };

/** Newest first. */
export async function ledgerOf(db: LimitDatabase, email: string, most: number): Promise<ExplainedEntry[]> {
  return db
    .selectFrom('limitLedger as entry')
    .leftJoin('limitRequests as request', 'request.id', 'entry.requestId')
    .selectAll('entry')
    .select(['request.kind', 'request.parentId'])
    .where('entry.email', '=', email)
    .orderBy('entry.setAt', 'desc')
    .orderBy('entry.approvedAt', 'desc')
    .limit(most)
    .execute();
}

export async function emailsInLedger(db: LimitDatabase): Promise<string[]> {
  const rows = await db.selectFrom('limitLedger').select('email').distinct().orderBy('email').execute();
  return rows.map(({ email }) => email);
}

/** Returns the values set on the UTC days of a period, oldest first. */
export async function ledgerIn(db: LimitDatabase, { first, last }: Period): Promise<LedgerEntry[]> {
  return db
    .selectFrom('limitLedger')
    .selectAll()
    .where('setAt', '>=', first)
    .where('setAt', '<', `${last}T24`)
    .orderBy('setAt')
    .orderBy('email')
    .execute();
}

export type OpenElsewhere = Pick<LimitPerson, 'email' | 'requestId' | 'toValue'> & Pick<LimitRequest, 'requester'>;

/** Returns the people who are in a request that can still change their limit. */
export async function openElsewhere(db: LimitDatabase, emails: readonly string[]): Promise<OpenElsewhere[]> {
  return inPieces(emails, (piece) =>
    db
      .selectFrom('limitRequestPeople as person')
      .innerJoin('limitRequests as request', 'request.id', 'person.requestId')
      .select(['person.email', 'person.requestId', 'request.requester', 'person.toValue'])
      .where('person.email', 'in', piece)
      .where('request.state', 'in', UNFINISHED)
      .where('person.state', 'in', ['asked', 'queued', 'sending', 'unknown'])
      .orderBy('request.createdAt')
      .execute(),
  );
}

/** Returns the ledger entry of each person whose limit another request, decided later, has set. */
export async function laterValues(
  db: LimitDatabase,
  emails: readonly string[],
  { decidedAt, except }: { decidedAt: string; except: readonly string[] },
): Promise<Map<string, LedgerEntry>> {
  const rows = await db
    .selectFrom('limitLedger')
    .selectAll()
    .where('email', 'in', emails)
    .where('approvedAt', '>', decidedAt)
    .where('requestId', 'not in', except)
    .orderBy('setAt')
    .execute();
  return new Map(rows.map((row) => [row.email, row]));
}
