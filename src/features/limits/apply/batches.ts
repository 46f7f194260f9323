import { BOT_ACTOR } from '../../../core/store/audit.ts';
import { leaseHolds } from '../../../core/store/lease.ts';
import { effectiveLimit, shownOfText } from '../../../core/platform/capabilities/shown-limit.ts';
import { entryWords } from '../core/person-text.ts';
import { renewLease, auditSending } from './leases.ts';
import { askForLimitPeriod } from '../../../core/figures/limit-period.ts';
import type { LimitDeps } from '../core/limits-deps.ts';
import { laterValues, newestEntries } from '../core/ledger.ts';
import type { LedgerEntry, LimitDatabase, LimitPerson, LimitRequest, LimitTransaction } from '../core/limit-tables.ts';
import type { Outcome, LimitChange } from './outcomes.ts';
import type { PersonState } from '../core/person-states.ts';

/** Limits the names in an audit entry, which people read; the request itself has all names. */
const MAX_NAMED = 5;

/** States of people who are still to be sent or whose outcome is unknown. */
const OPEN: readonly PersonState[] = ['queued', 'sending', 'unknown'];

export async function openBatches(db: LimitDatabase, id: string): Promise<number[]> {
  const rows = await db
    .selectFrom('limitRequestPeople')
    .select('batch')
    .distinct()
    .where('requestId', '=', id)
    .where('state', 'in', OPEN)
    .where('batch', 'is not', null)
    .orderBy('batch')
    .execute();
  return rows.flatMap(({ batch }) => (batch === null ? [] : [batch]));
}

/** A limit about to be sent. `isUnsure`: an earlier sending has no known outcome. */
export interface BatchEntry extends LimitChange {
  isUnsure: boolean;
  /** What the platform showed to the person who approved it; null if it showed none. */
  shownBefore: string | null;
}

export type MarkedBatch =
  | { kind: 'lost' }
  /** Another request is sending a limit for one of these people right now. */
  | { kind: 'busy' }
  | { kind: 'marked'; people: BatchEntry[] };

/** Marks the people of a batch as being sent, and takes out those who must no longer be sent. */
export async function markBatch(
  db: LimitDatabase,
  request: LimitRequest,
  batch: number,
  now: Date,
): Promise<MarkedBatch> {
  return db.transaction().execute(async (trx): Promise<MarkedBatch> => {
    if (!(await renewLease(trx, request))) return { kind: 'lost' };
    const people = await peopleIn(trx, request.id, batch);
    const emails = people.map(({ email }) => email);
    if (emails.length === 0) return { kind: 'marked', people: [] };
    if (await isSentElsewhere(trx, request.id, emails)) return { kind: 'busy' };
    const superseded = await findSuperseded(trx, request, emails, now);
    for (const { email, state } of people) {
      const reason = superseded.get(email);
      if (reason === undefined) continue;
      const wasSent = state !== 'queued';
      const error = `${wasSent ? 'Not sent again' : 'Not sent'}: ${reason}`;
      const mayBeSet = wasSent && isOver(request, now) ? 1 : null;
      await setState(trx, request.id, [email], { state: 'superseded', error, mayBeSet });
    }
    const remaining = people.filter(({ email }) => !superseded.has(email));
    if (remaining.length > 0) {
      const sentEmails = remaining.map(({ email }) => email);
      await setState(trx, request.id, sentEmails, { state: 'sending', error: null });
      await auditSending(
        trx,
        request.id,
        'sending',
        `Batch ${batch + 1}: ${sentEmails.length <= MAX_NAMED ? sentEmails.join(', ') : `${sentEmails.length} people`}`,
        now,
      );
    }
    return { kind: 'marked', people: remaining.flatMap((person) => preparedOf(person)) };
  });
}

/** Only approved values are ever sent; no row in these states lacks one. */
function preparedOf({ email, approvedValue: value, removes, shownBefore, state }: LimitPerson): BatchEntry[] {
  return value === null ? [] : [{ email, value, removes: removes === 1, isUnsure: state !== 'queued', shownBefore }];
}

async function peopleIn(trx: LimitTransaction, id: string, batch: number): Promise<LimitPerson[]> {
  return trx
    .selectFrom('limitRequestPeople')
    .selectAll()
    .where((where) => where.and({ requestId: id, batch }))
    .where('state', 'in', OPEN)
    .orderBy('position')
    .execute();
}

async function isSentElsewhere(trx: LimitTransaction, id: string, emails: readonly string[]): Promise<boolean> {
  const other = await trx
    .selectFrom('limitRequestPeople as person')
    .innerJoin('limitRequests as request', 'request.id', 'person.requestId')
    .select('request.id')
    .where('person.email', 'in', emails)
    .where('person.state', '=', 'sending')
    .where('person.requestId', '!=', id)
    .where(leaseHolds(trx, 'request.leasedUntil'))
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

const isOver = ({ kind, until }: LimitRequest, now: Date): boolean =>
  kind !== 'return' && until !== null && until <= now.toISOString();

/** Returns the people not to be sent, with the reason: a later decision wins, and a raise ends with its period. */
async function findSuperseded(
  trx: LimitTransaction,
  request: LimitRequest,
  emails: readonly string[],
  now: Date,
): Promise<Map<string, string>> {
  if (isOver(request, now)) return new Map(emails.map((email) => [email, 'its end date has passed.']));
  if (request.kind === 'undo') return findChangedSince(trx, request, emails);
  const since = { decidedAt: request.decidedAt ?? '', except: [request.id, request.parentId ?? request.id] };
  const later = await laterValues(trx, emails, since);
  return new Map(
    [...later].map(([email, entry]) => [
      email,
      `request ${entry.requestId}, which was decided later, has set ${entryWords(entry)}.`,
    ]),
  );
}

/** An undo is sent only while the limit that it undoes is the newest one. */
async function findChangedSince(
  trx: LimitTransaction,
  { id, parentId }: LimitRequest,
  emails: readonly string[],
): Promise<Map<string, string>> {
  const newest = await newestEntries(trx, emails);
  return new Map(
    emails.flatMap((email) => {
      const entry = newest.get(email);
      if (entry?.requestId === parentId || entry?.requestId === id) return [];
      const other = entry ? `request ${entry.requestId} has set ${entryWords(entry)} since` : 'it is too old';
      return [[email, `${other}.`]];
    }),
  );
}

async function setState(
  trx: LimitTransaction,
  id: string,
  emails: readonly string[],
  values: { state: PersonState; error: string | null; mayBeSet?: number | null },
): Promise<void> {
  if (emails.length === 0) return;
  await trx
    .updateTable('limitRequestPeople')
    .set(values)
    .where('requestId', '=', id)
    .where('email', 'in', emails)
    .execute();
}

/** Records the answer to a batch. Returns `false` if the lease was lost; another replica then sends the batch again. */
export async function recordAnswer(
  deps: Pick<LimitDeps, 'db' | 'config'>,
  request: LimitRequest,
  batch: number,
  { part, outcomes }: { part: readonly BatchEntry[]; outcomes: ReadonlyMap<string, Outcome> },
  now: Date,
): Promise<boolean> {
  return deps.db.transaction().execute(async (trx) => {
    if (!(await renewLease(trx, request))) return false;
    const confirmedValues: ConfirmedValue[] = [];
    for (const entry of part) {
      const { email } = entry;
      const outcome = outcomes.get(email);
      if (outcome?.state === 'set')
        confirmedValues.push({ ...entry, value: outcome.value ?? entry.value, removes: outcome.value === null });
      else if (outcome) await setState(trx, request.id, [email], afterEarlier(request, entry, outcome));
    }
    await recordValues(trx, request, confirmedValues, now);
    if (confirmedValues.length > 0) await askForLimitPeriod(trx, deps, now);
    const detail = `Batch ${batch + 1}: ${confirmedValues.length} of ${outcomes.size} set`;
    await auditSending(trx, request.id, 'answered', detail, now);
    return true;
  });
}

/**
 * A refusal settles a lost answer for the person who approved it. What policies and leads granted counts in caps and pools,
 * and the first sending may still be in effect, so an admin looks.
 */
const afterEarlier = <Refused extends Exclude<Outcome, { state: 'set' }>>(
  { policyId }: LimitRequest,
  { isUnsure }: BatchEntry,
  outcome: Refused,
) => (isUnsure && policyId !== null ? { ...outcome, state: 'unknown' as const } : outcome);

type ConfirmedValue = Pick<BatchEntry, 'email' | 'value' | 'removes' | 'shownBefore'>;

/** What the platform showed before counts more than what was set here last. */
function valueBefore(shown: string | null, newest: LedgerEntry | undefined): number | null {
  const inForce = shown === null ? undefined : effectiveLimit(shownOfText(shown));
  return inForce === undefined || inForce === Infinity ? (newest?.value ?? null) : inForce;
}

async function recordValues(
  trx: LimitTransaction,
  request: LimitRequest,
  confirmedValues: readonly ConfirmedValue[],
  now: Date,
): Promise<void> {
  if (confirmedValues.length === 0) return;
  const byValue = Map.groupBy(confirmedValues, ({ value, removes }) => (removes ? null : value));
  for (const [value, people] of byValue) {
    await trx
      .updateTable('limitRequestPeople')
      .set({ state: 'set', error: null, setValue: value })
      .where('requestId', '=', request.id)
      .where(
        'email',
        'in',
        people.map(({ email }) => email),
      )
      .execute();
  }
  const before = await newestEntries(
    trx,
    confirmedValues.map(({ email }) => email),
  );
  await trx
    .insertInto('limitLedger')
    .values(
      confirmedValues.map(({ email, value, removes, shownBefore }) => ({
        requestId: request.id,
        email,
        value,
        removed: removes ? 1 : null,
        valueBefore: valueBefore(shownBefore, before.get(email)),
        setAt: setAfter(before.get(email), now),
        askedBy: request.requester,
        approvedBy: request.decidedBy ?? BOT_ACTOR,
        approvedAt: request.decidedAt ?? now.toISOString(),
      })),
    )
    .onConflict((conflict) => conflict.columns(['requestId', 'email']).doNothing())
    .execute();
}

/** The newest entry of a person is their limit, also if the clocks of replicas differ or a clock went back. */
function setAfter(newest: LedgerEntry | undefined, now: Date): string {
  const afterMs = newest ? Date.parse(newest.setAt) + 1 : 0;
  return new Date(Math.max(now.getTime(), afterMs)).toISOString();
}

export interface BatchFault {
  /** The state of people without an earlier unknown outcome. */
  state: Extract<PersonState, 'queued' | 'failed' | 'unknown'>;
  sentence: string;
}

/** Records that a batch got no usable answer. People whose outcome was unknown before remain unknown. */
export async function recordFault(
  db: LimitDatabase,
  request: LimitRequest,
  batch: number,
  people: readonly BatchEntry[],
  { state, sentence }: BatchFault,
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (!(await renewLease(trx, request))) return false;
    const sure = people.filter(({ isUnsure }) => !isUnsure).map(({ email }) => email);
    const unsure = people.filter(({ isUnsure }) => isUnsure).map(({ email }) => email);
    await setState(trx, request.id, sure, { state, error: sentence });
    await setState(trx, request.id, unsure, { state: 'unknown', error: sentence });
    await auditSending(trx, request.id, 'not answered', `Batch ${batch + 1}: ${sentence}`, now);
    return true;
  });
}

/** Records people whom a person has to decide about again, with what the platform shows: a retry then replaces that. */
export async function recordHeld(
  db: LimitDatabase,
  request: LimitRequest,
  batch: number,
  held: readonly { email: string; sentence: string; shown: string }[],
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (!(await renewLease(trx, request))) return false;
    for (const { email, sentence, shown } of held)
      await trx
        .updateTable('limitRequestPeople')
        .set({ state: 'failed', error: sentence, shownBefore: shown })
        .where((where) => where.and({ requestId: request.id, email }))
        .execute();
    const detail = `Batch ${batch + 1}: ${held.length} not sent, because the platform shows other limits`;
    await auditSending(trx, request.id, 'withheld', detail, now);
    return true;
  });
}
