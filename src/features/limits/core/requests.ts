import { batchesOf } from '../../../core/base/time/turns.ts';
import type { ExpressionBuilder } from 'kysely';
import { z } from 'zod';
import { instantsOf, type Period } from '../../../core/base/time/calendar.ts';
import { audit } from '../../../core/store/audit.ts';
import type { Tables } from '../../../core/store/tables.ts';
import { auditSubject } from './ids.ts';
import type { LimitDatabase, LimitPerson, LimitRequest, LimitTables, LimitTransaction } from './limit-tables.ts';
import type { PersonState } from './person-states.ts';
import { emailsOfActor, type Actor } from './access.ts';
import { WAITING, type RequestFacts, type RequestState } from './states.ts';

const newPersonSchema = z.object({
  /** Lower case. */
  email: z.string(),
  slackId: z.string().optional(),
  /** The limit in effect that was set here, or that the platform shows. */
  from: z.number().optional(),
  /** The declared limit, if none was set here. */
  declared: z.number().optional(),
  /** What the platform showed, if it shows limits. */
  shown: z.string().max(100).optional(),
  to: z.number(),
  /** Their own limit is removed; `to` is then 0. */
  removes: z.boolean().optional(),
  returnTo: z.number().optional(),
  /** Afterwards, the person has no limit of their own again. */
  returnsToNone: z.boolean().optional(),
});
export type NewPerson = z.infer<typeof newPersonSchema>;

/** The validated contents of a request, also the format of a draft. */
export const contentsSchema = z.object({
  kind: z.enum(['ask', 'import', 'policy']),
  reason: z.string(),
  until: z.iso
    .datetime()
    .transform((at) => new Date(at))
    .optional(),
  people: z.array(newPersonSchema).min(1).readonly(),
  /** The requester cannot work until it is decided. */
  isBlocked: z.boolean().optional(),
  /** The session of their agent that ended, if they asked from its card. */
  sessionKey: z.string().max(100).optional(),
});
export type RequestContents = z.infer<typeof contentsSchema>;

export interface NewRequest extends RequestContents {
  id: string;
  requester: string;
  requesterEmail: string | undefined;
}

const ROWS_AN_INSERT = 250;
const UNDECIDED = {
  approvedValue: null,
  setValue: null,
  state: 'asked',
  error: null,
  mayBeSet: null,
  batch: null,
} as const;

/** @returns `false` if the id is taken, or if there is a request for its session */
export async function insertRequest(
  trx: LimitTransaction,
  request: NewRequest,
  now: Date,
  expiresAt: Date,
): Promise<boolean> {
  const { id, kind, requester, requesterEmail = null, reason, people } = request;
  const times = { createdAt: now.toISOString(), expiresAt: expiresAt.toISOString() };
  const until = request.until?.toISOString() ?? null;
  const inserted = await trx
    .insertInto('limitRequests')
    .values({
      id,
      kind,
      state: 'pending',
      requester,
      requesterEmail,
      reason,
      until,
      people: people.length,
      ...times,
      isBlocked: request.isBlocked ? 1 : null,
      sessionKey: request.sessionKey ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (!inserted.numInsertedOrUpdatedRows) return false;
  await insertPeople(
    trx,
    people.map((person, position) => ({
      requestId: id,
      email: person.email,
      position,
      slackId: person.slackId ?? null,
      fromValue: person.from ?? null,
      fromDeclared: person.declared ?? null,
      shownBefore: person.shown ?? null,
      toValue: person.to,
      removes: person.removes ? 1 : null,
      returnValue: person.returnTo ?? null,
      returnsToNone: person.returnsToNone ? 1 : null,
      ...UNDECIDED,
    })),
  );
  const detail = `${people.length === 1 ? '1 person' : `${people.length} people`}: ${reason}`;
  const isOwn = people.every(({ slackId, email }) => slackId === requester || email === requesterEmail?.toLowerCase());
  const action = isOwn ? 'asked' : 'asked for others';
  await audit(trx, { about: auditSubject(id), actor: requester, action, detail }, now);
  return true;
}

export async function insertPeople(trx: LimitTransaction, rows: readonly LimitPerson[]): Promise<void> {
  for (const some of batchesOf(rows, { maxItems: ROWS_AN_INSERT })) {
    await trx.insertInto('limitRequestPeople').values(some).execute();
  }
}

export async function findRequest(db: LimitDatabase, id: string): Promise<LimitRequest | undefined> {
  return db.selectFrom('limitRequests').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findBySession(db: LimitDatabase, sessionKey: string): Promise<LimitRequest | undefined> {
  return db.selectFrom('limitRequests').selectAll().where('sessionKey', '=', sessionKey).executeTakeFirst();
}

const rowsOf = (db: LimitDatabase, id: string) =>
  db.selectFrom('limitRequestPeople').selectAll().where('requestId', '=', id).orderBy('position');

export async function peopleOf(db: LimitDatabase, id: string, most?: number): Promise<LimitPerson[]> {
  return rowsOf(db, id)
    .$if(most !== undefined, (query) => query.limit(most ?? 0))
    .execute();
}

/** Returns the people who have their own field in the review, and others by e-mail. */
export async function peopleToReview(
  db: LimitDatabase,
  id: string,
  most: number,
  emails: readonly string[],
): Promise<LimitPerson[]> {
  return rowsOf(db, id)
    .where((where) =>
      where.or([where('position', '<', most), ...(emails.length > 0 ? [where('email', 'in', emails)] : [])]),
    )
    .execute();
}

export async function ownRowsOf(db: LimitDatabase, id: string, actor: Omit<Actor, 'role'>): Promise<LimitPerson[]> {
  const emails = emailsOfActor(actor);
  return rowsOf(db, id)
    .where((where) =>
      where.or([where('slackId', '=', actor.slackId), ...(emails.length === 0 ? [] : [where('email', 'in', emails)])]),
    )
    .execute();
}

export interface RequestTotals {
  requested: number;
  /** Undefined before a decision. */
  approved: number | undefined;
  /** How many own limits are removed. */
  removals: number;
}

export async function sumAmounts(db: LimitDatabase, id: string): Promise<RequestTotals> {
  const {
    asked: requested,
    approved,
    removals,
  } = await db
    .selectFrom('limitRequestPeople')
    .select((select) => [select.fn.sum('toValue').as('asked'), select.fn.sum('approvedValue').as('approved')])
    .select((select) => select.fn.count('removes').as('removals'))
    .where('requestId', '=', id)
    .executeTakeFirstOrThrow();
  return {
    requested: Number(requested ?? 0),
    approved: approved === null ? undefined : Number(approved),
    removals: Number(removals),
  };
}

export type PeopleCounts = Partial<Record<PersonState, number>>;

export async function countPeople(db: LimitDatabase, id: string): Promise<PeopleCounts> {
  const rows = await db
    .selectFrom('limitRequestPeople')
    .select((select) => ['state', select.fn.countAll().as('count')] as const)
    .where('requestId', '=', id)
    .groupBy('state')
    .execute();
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
}

export interface FaultGroup {
  state: PersonState;
  error: string | null;
  count: number;
}

export async function groupFaults(db: LimitDatabase, id: string, most: number): Promise<FaultGroup[]> {
  const rows = await db
    .selectFrom('limitRequestPeople')
    .select((select) => ['state', 'error', select.fn.countAll().as('count')] as const)
    .where('requestId', '=', id)
    .where('state', 'in', FAULTY)
    .groupBy(['state', 'error'])
    .orderBy('count', 'desc')
    .orderBy('error')
    .limit(most)
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

const FAULTY: readonly PersonState[] = ['refused', 'failed', 'unknown', 'superseded'];

/** Returns at most `most` people whose approved limit the platform did not set. */
export async function peopleWithFaults(db: LimitDatabase, id: string, most: number): Promise<LimitPerson[]> {
  return rowsOf(db, id).where('state', 'in', FAULTY).limit(most).execute();
}

const requestsOf = (db: LimitDatabase, requester?: string) =>
  db
    .selectFrom('limitRequests')
    .selectAll()
    .$if(requester !== undefined, (query) => query.where('requester', '=', requester ?? ''));

const newestFirst = (db: LimitDatabase, requester?: string) =>
  requestsOf(db, requester).orderBy('createdAt', 'desc').orderBy('id', 'desc');

/** Those of people who cannot work come first, then the oldest. */
export async function listRequests(
  db: LimitDatabase,
  states: readonly RequestState[],
  requester?: string,
): Promise<LimitRequest[]> {
  return requestsOf(db, requester)
    .where('state', 'in', states)
    .orderBy((order) => order.fn.coalesce('isBlocked', order.lit(0)), 'desc')
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

export async function listMadeOn(
  db: LimitDatabase,
  days: Period,
  most: number,
  requester?: string,
): Promise<LimitRequest[]> {
  const { from, before } = instantsOf(days);
  return newestFirst(db, requester)
    .where('createdAt', '>=', from)
    .where('createdAt', '<', before)
    .limit(most)
    .execute();
}

export async function listNewest(db: LimitDatabase, most: number, requester?: string): Promise<LimitRequest[]> {
  return newestFirst(db, requester).where('state', 'not in', WAITING).limit(most).execute();
}

export async function keepEvidence(db: LimitDatabase, id: string, evidence: string): Promise<void> {
  await db.updateTable('limitRequests').set({ evidence }).where('id', '=', id).where('evidence', 'is', null).execute();
}

export type OfRequest = ExpressionBuilder<Tables & LimitTables, 'limitRequests'>;

/** Whether a value that returns later may be set on the platform. */
export function isRaise(where: OfRequest) {
  const raised = where
    .selectFrom('limitRequestPeople as person')
    .select('person.email')
    .whereRef('person.requestId', '=', 'limitRequests.id')
    .where((person) =>
      person.or([
        person('person.state', 'in', ['set', 'unknown']),
        person.and({ 'person.state': 'superseded', 'person.mayBeSet': 1 }),
      ]),
    )
    .where('person.returnValue', 'is not', null);
  return where.exists(raised);
}

export function returnsOf(where: OfRequest) {
  return where
    .selectFrom('limitRequests as back')
    .select('back.id')
    .whereRef('back.parentId', '=', 'limitRequests.id')
    .where('back.kind', '=', 'return');
}

export function undosOf(where: OfRequest) {
  return where
    .selectFrom('limitRequests as undo')
    .select('undo.id')
    .whereRef('undo.parentId', '=', 'limitRequests.id')
    .where('undo.kind', '=', 'undo');
}

export function factsOf(request: Omit<LimitRequest, 'reason' | 'evidence'>): RequestFacts {
  const { kind, state, requester, expiresAt, until, finishedAt, undoneAt, undoUntil } = request;
  return {
    state,
    requester,
    expiresAt: new Date(expiresAt),
    until: kind === 'return' || until === null ? undefined : new Date(until),
    finishedAt: finishedAt === null ? undefined : new Date(finishedAt),
    isUndone: undoneAt !== null,
    ...(undoUntil === null ? {} : { undoUntil: new Date(undoUntil) }),
  };
}
