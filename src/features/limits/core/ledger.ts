import { batchesOf } from '../../../core/base/time/turns.ts';
import { instantsOf, type Period } from '../../../core/base/time/calendar.ts';
import {
  type LedgerEntry,
  type LimitDatabase,
  type LimitPerson,
  type LimitRequest,
  type RequestKind,
  withLimits,
} from './limit-tables.ts';
import { UNFINISHED } from './states.ts';
import type { KnownLimit, SetLimit } from '../../../core/figures/known-limit.ts';
import { readShownLimits, type LastShownLimits } from '../../../core/platform/capabilities/shown-limit-store.ts';
import { effectiveLimit, type ShownLimit } from '../../../core/platform/capabilities/shown-limit.ts';
import type { Services } from '../../../core/services.ts';
import type { LimitDeps } from './limits-deps.ts';
import type { BlockedRequest, LimitKnowledge } from '../../../core/feature.ts';
import { findBySession } from './requests.ts';
import { blockedButton, requestLowerButton, requestMoreButtons } from './limit-buttons.ts';

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

export type Setting = Pick<LedgerEntry, 'email' | 'value' | 'removed' | 'setAt' | 'approvedAt'>;

/** Returns when each person got which limit here, oldest first. */
export async function settingsOf(db: LimitDatabase, emails: readonly string[]): Promise<Map<string, Setting[]>> {
  const rows = await inPieces(emails, (piece) =>
    db
      .selectFrom('limitLedger')
      .select(['email', 'value', 'removed', 'setAt', 'approvedAt'])
      .where('email', 'in', piece)
      .orderBy('setAt')
      .execute(),
  );
  return Map.groupBy(rows, ({ email }) => email);
}

/** Returns the id of the request that set the newest value of each person. */
export async function newestRequestsOf(db: LimitDatabase, emails: readonly string[]): Promise<Map<string, string>> {
  const newest = await newestEntries(db, emails);
  return new Map(Iterator.from(newest).map(([email, { requestId }]) => [email, requestId]));
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

/** The requests of people whose first limit was set on these days, and when. */
export async function firstSettingsIn(db: LimitDatabase, days: Period) {
  const { from, before } = instantsOf(days);
  return db
    .selectFrom('limitRequests as request')
    .innerJoin('limitLedger as entry', 'entry.requestId', 'request.id')
    .select(['request.createdAt', 'request.isBlocked'])
    .select((select) => select.fn.min('entry.setAt').as('setAt'))
    .where('request.kind', 'in', ['ask', 'import'])
    .groupBy(['request.id', 'request.createdAt', 'request.isBlocked'])
    .having((having) => having.fn.min('entry.setAt'), '>=', from)
    .having((having) => having.fn.min('entry.setAt'), '<', before)
    .execute();
}

/** Returns the undone request of each undo among these. */
export async function undoneBy(db: LimitDatabase, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const undos = await inPieces(ids, (piece) =>
    db
      .selectFrom('limitRequests')
      .select(['id', 'parentId'])
      .where('id', 'in', piece)
      .where('kind', '=', 'undo')
      .execute(),
  );
  return new Map(undos.flatMap(({ id, parentId }) => (parentId === null ? [] : [[id, parentId] as const])));
}

export type OpenElsewhere = Pick<LimitPerson, 'email' | 'requestId' | 'toValue' | 'removes'> &
  Pick<LimitRequest, 'requester'>;

/** Returns the people who are in a request that can still change their limit. */
export async function openElsewhere(db: LimitDatabase, emails: readonly string[]): Promise<OpenElsewhere[]> {
  return inPieces(emails, (piece) =>
    db
      .selectFrom('limitRequestPeople as person')
      .innerJoin('limitRequests as request', 'request.id', 'person.requestId')
      .select(['person.email', 'person.requestId', 'request.requester', 'person.toValue', 'person.removes'])
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

/** The key of the declared limit that counts for everybody without another one. */
export const EVERYBODY = '*';

/** The only place that decides what is known of the limit of a person. */
export async function limitOf(db: LimitDatabase, email: string): Promise<KnownLimit> {
  return (await limitsOf(db, [email]))(email);
}

/** The same for views, which also read what the platform shows now. */
export async function readLimitsOf(
  { db, capabilities }: Pick<LimitDeps, 'db' | 'capabilities'>,
  emails: readonly string[],
): Promise<(email: string) => KnownLimit> {
  await capabilities.refreshLimits();
  return limitsOf(db, emails);
}

/**
 * Returns what is known of each limit: what the platform showed last, unless it was set here since; else what was set
 * here; else what was declared. Reads only the store, so that transactions can use it.
 */
export async function limitsOf(db: LimitDatabase, emails: readonly string[]): Promise<(email: string) => KnownLimit> {
  const set = await readSetLimits(db, emails);
  const shown = await readShownLimits(db, emails);
  if (shown) return (email) => shownLimitOf(shown, email, set.get(email));
  const declared = await readDeclaredLimits(db, emails);
  const withdrawn = await readWithdrawals(db, emails);
  return (email) =>
    set.get(email)?.limit ??
    declared.get(email) ??
    declared.get(EVERYBODY) ?? { kind: 'none', withdrawnAt: withdrawn.get(email) ?? withdrawn.get(EVERYBODY) };
}

/** What the platform confirmed after the last reading counts like a reading. */
function shownLimitOf(last: LastShownLimits, email: string, set: NewestSetting | undefined): KnownLimit {
  const { isCurrent, forEverybody } = last;
  const isNewer = set !== undefined && set.at > last.at;
  const at = isNewer ? set.at : last.at;
  const shown = isNewer ? shownOfSetting(set, forEverybody) : last.of(email);
  switch (shown.kind) {
    case 'unlimited':
    case 'unclear':
      return { kind: shown.kind, at, isCurrent };
    case 'everybody':
    case 'own': {
      const { value } = shown;
      const isForEverybody = shown.kind === 'everybody';
      const limit = { kind: 'shown', value, at, isForEverybody, isCurrent } as const;
      const raise = isForEverybody || set?.limit?.value !== value ? undefined : set;
      if (raise?.returnsToNone) {
        const permanent = effectiveLimit(forEverybody) ?? value;
        return { ...limit, permanent: Math.min(value, permanent), until: raise.until, isWithoutOwn: true };
      }
      const { permanent = value, until } = raise?.limit ?? {};
      return { ...limit, permanent, until, isWithoutOwn: isForEverybody };
    }
    default:
      return shown satisfies never;
  }
}

const shownOfSetting = ({ limit }: NewestSetting, forEverybody: ShownLimit): ShownLimit =>
  limit ? { kind: 'own', value: limit.value } : forEverybody;

const hasNoOwn = (limit: KnownLimit) => limit.kind === 'unlimited' || (limit.kind === 'shown' && limit.isForEverybody);

/** Of several e-mails of one person, a limit of their own counts most, then one that is or was declared. */
export async function anyLimitOf(db: LimitDatabase, emails: readonly string[]): Promise<KnownLimit> {
  const known = await limitsOf(db, emails);
  const limits = emails.map((email) => known(email));
  return (
    limits.find(({ kind }) => kind === 'unclear') ??
    limits.find((limit) => limit.kind === 'set' || (limit.kind === 'shown' && !limit.isForEverybody)) ??
    limits.find(({ kind }) => kind === 'shown' || kind === 'unlimited') ??
    limits.find(({ kind }) => kind === 'declared') ??
    limits.find((limit) => limit.kind === 'none' && limit.withdrawnAt !== undefined) ?? { kind: 'none' }
  );
}

/** The newest change of a limit that was made here. */
interface NewestSetting {
  at: Date;
  /** Undefined: their own limit was removed. */
  limit: SetLimit | undefined;
  /** When it ends, and whether the person then has no limit of their own. */
  until: Date | undefined;
  returnsToNone: boolean;
}

async function readSetLimits(db: LimitDatabase, emails: readonly string[]): Promise<Map<string, NewestSetting>> {
  const rows = await inPieces(emails, (piece) =>
    db
      .selectFrom('limitLedger as entry')
      .leftJoin('limitRequests as request', 'request.id', 'entry.requestId')
      .leftJoin('limitRequestPeople as person', (join) =>
        join.onRef('person.requestId', '=', 'entry.requestId').onRef('person.email', '=', 'entry.email'),
      )
      .select(['entry.email', 'entry.requestId', 'entry.value', 'entry.setAt', 'entry.removed'])
      .select(['request.until', 'person.returnValue', 'person.returnsToNone'])
      .where('entry.email', 'in', piece)
      .orderBy('entry.setAt')
      .orderBy('entry.approvedAt')
      .execute(),
  );
  return new Map(rows.map((row) => [row.email, settingOf(row)]));
}

function settingOf({
  value,
  until,
  removed,
  ...row
}: Pick<LedgerEntry, 'requestId' | 'value' | 'setAt' | 'removed'> & {
  until: string | null;
  returnValue: number | null;
  returnsToNone: number | null;
}): NewestSetting {
  const at = new Date(row.setAt);
  const end = until === null ? undefined : new Date(until);
  const setting = { at, until: end, returnsToNone: end !== undefined && row.returnsToNone === 1 };
  if (removed === 1) return { ...setting, limit: undefined };
  const back = end === undefined ? null : row.returnValue;
  const permanent = back === null ? value : Math.min(value, back);
  const { requestId } = row;
  return {
    ...setting,
    limit: { kind: 'set', value, permanent, until: back === null ? undefined : end, at, requestId },
  };
}

async function readDeclaredLimits(db: LimitDatabase, emails: readonly string[]): Promise<Map<string, KnownLimit>> {
  const rows = await inPieces([...emails, EVERYBODY], (piece) =>
    db.selectFrom('declaredLimits').selectAll().where('email', 'in', piece).execute(),
  );
  return new Map(
    rows.map(({ email, value, declaredBy: by, declaredAt }) => {
      const limit = { value, by, at: new Date(declaredAt), isForEverybody: email === EVERYBODY };
      return [email, { kind: 'declared', ...limit }];
    }),
  );
}

/** Returns when the last declared limit of each was withdrawn. Declared limits themselves count more. */
async function readWithdrawals(db: LimitDatabase, emails: readonly string[]): Promise<Map<string, Date>> {
  const rows = await inPieces([...emails, EVERYBODY], (piece) =>
    db
      .selectFrom('limitDeclarations')
      .select(['email', 'declaredAt'])
      .where('email', 'in', piece)
      .where('value', 'is', null)
      .orderBy('declaredAt')
      .execute(),
  );
  return new Map(rows.map(({ email, declaredAt }) => [email, new Date(declaredAt)]));
}

async function readBlockedRequest(db: LimitDatabase, sessionKey: string): Promise<BlockedRequest | undefined> {
  const request = await findBySession(db, sessionKey);
  if (!request) return undefined;
  const { id, state, finishedAt } = request;
  const isSet = state === 'applied';
  const isOpen = UNFINISHED.includes(state);
  return {
    id,
    state: isSet ? 'set' : isOpen ? 'waiting' : 'over',
    setAt: isSet && finishedAt !== null ? new Date(finishedAt) : undefined,
  };
}

/** What is known of limits, for other features. */
export function createLimitKnowledge({
  db: database,
  capabilities,
}: Pick<Services, 'db' | 'capabilities'>): LimitKnowledge {
  const db = withLimits(database);
  return {
    limitOf: async (email) => {
      await capabilities.refreshLimits();
      return limitOf(db, email);
    },
    emailsWithLimit: () => emailsInLedger(db),
    countWithoutOwn: async (emails) => {
      const known = await readLimitsOf({ db, capabilities }, emails);
      const limits = emails.map((email) => known(email));
      const count = limits.filter((limit) => limit.kind === 'none' || hasNoOwn(limit)).length;
      return { count, areShown: (await readShownLimits(db, [])) !== undefined };
    },
    requestMoreButtons,
    requestLowerButton,
    blockedButton,
    blockedRequestOf: (sessionKey) => readBlockedRequest(db, sessionKey),
  };
}

export interface LimitChange {
  requestId: string;
  /** The request whose limit it took back, at the end of a raise or by an undo. */
  parentId: string | null;
  setAt: string;
  /** It set a limit without an end, and nobody undid it. The end of a raise and an undo set the limit from before. */
  isPermanent: boolean;
}

/** The confirmed changes of limits by e-mail, oldest first. @param emails in lower case */
export async function readLimitChanges(
  db: LimitDatabase,
  emails: readonly string[],
): Promise<Map<string, LimitChange[]>> {
  const rows = await inPieces([...new Set(emails)], (piece) =>
    db
      .selectFrom('limitLedger as entry')
      .leftJoin('limitRequests as request', 'request.id', 'entry.requestId')
      .select(['entry.requestId', 'entry.email', 'entry.setAt'])
      .select(['request.kind', 'request.until', 'request.parentId'])
      .where('entry.email', 'in', piece)
      .orderBy('entry.setAt')
      .execute(),
  );
  const undone = new Set(rows.flatMap(({ kind, parentId, email }) => (kind === 'undo' ? `${parentId} ${email}` : [])));
  const changes = rows.map(({ kind, until, ...row }) => ({
    ...row,
    isPermanent:
      kind !== null && row.parentId === null && until === null && !undone.has(`${row.requestId} ${row.email}`),
  }));
  return Map.groupBy(changes, ({ email }) => email);
}
