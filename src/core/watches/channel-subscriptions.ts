import { createHash } from 'node:crypto';
import { isPersonAddress } from '../outbox/reader.ts';
import { introductionMessage, pauseNotice } from './watch-texts.ts';
import { audit, BOT_ACTOR } from '../store/audit.ts';
import type { Database, DatabaseTransaction } from '../store/tables.ts';
import type { ChannelSubscription, ChannelSubscriptionKey } from './channel-subscription-table.ts';
import { isFailingForGood, oneMoreFailure } from '../schedule/subscriptions.ts';
import type { FailureReport, StoppedSubscription } from '../outbox/message-duties.ts';

export interface NewChannelSubscription extends ChannelSubscriptionKey {
  filter: unknown;
  owner: string | null;
  /** The last event number that is known now. */
  since: number | null;
  /** The subject of the subscription, for the audit. */
  detail: string | null;
}

export const auditName = ({ kind, channel }: Pick<ChannelSubscription, 'kind' | 'channel'>) =>
  `${kind}-watch:${channel}`;

const ofKey =
  ({ kind, channel, subject }: ChannelSubscriptionKey) =>
  <Query extends { where(column: 'kind' | 'channel' | 'subject', is: '=', value: string): Query }>(query: Query) =>
    query.where('kind', '=', kind).where('channel', '=', channel).where('subject', '=', subject);

/**
 * Starts a subscription, or resumes a paused or removed one, and enqueues its introduction. An active one gets the new filter
 * and owner.
 *
 * @returns `false` if it was already active
 */
export async function startChannelSubscription(
  trx: DatabaseTransaction,
  { kind, channel, subject, filter, owner, since, detail }: NewChannelSubscription,
  now: Date,
): Promise<boolean> {
  const at = now.toISOString();
  const named = { filter: JSON.stringify(filter), owner, updatedAt: at };
  const contents = { since, recent: null, failures: 0, lastError: null };
  const fresh = { ...named, ...contents, state: 'active' as const, changedBy: owner };
  const started = await trx
    .insertInto('channelSubscriptions')
    .values({ kind, channel, subject, createdAt: at, ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'channel', 'subject'])
        .doUpdateSet(fresh)
        .where('channelSubscriptions.state', '!=', 'active'),
    )
    .executeTakeFirst();
  const isNew = Boolean(started.numInsertedOrUpdatedRows);
  if (!isNew) {
    await trx.updateTable('channelSubscriptions').set(named).$call(ofKey({ kind, channel, subject })).execute();
  }
  const entry = { about: auditName({ kind, channel }), actor: owner ?? 'settings', action: 'watched', detail };
  await audit(trx, entry, now);
  if (!isNew) return false;
  const key = [introductionMessage(kind).name, channel, at, ...(subject === '' ? [] : [shortDigest(subject)])].join(
    ':',
  );
  await introductionMessage(kind).enqueue(trx, { key, to: channel, payload: { subject } }, now);
  return true;
}

/** A key is part of its message's metadata, and the name of a repository may be long. */
const shortDigest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** Ends a subscription. @param actor a Slack id, or `settings` @returns `false` if there was none */
export async function stopChannelSubscription(
  trx: DatabaseTransaction,
  key: ChannelSubscriptionKey,
  actor: string,
  now: Date,
): Promise<boolean> {
  const changedBy = isPersonAddress(actor) ? actor : null;
  if (!(await changeState(trx, key, { state: 'removed', changedBy }, ['active', 'paused'], now))) return false;
  await audit(trx, { about: auditName(key), actor, action: 'unwatched', detail: key.subject || null }, now);
  return true;
}

/** @returns `false` if it was in none of these states */
async function changeState(
  trx: DatabaseTransaction,
  key: ChannelSubscriptionKey,
  change: Partial<ChannelSubscription> & Pick<ChannelSubscription, 'state' | 'changedBy'>,
  from: ChannelSubscription['state'][],
  now: Date,
): Promise<boolean> {
  const updated = await trx
    .updateTable('channelSubscriptions')
    .set({ ...change, updatedAt: now.toISOString() })
    .$call(ofKey(key))
    .where('state', 'in', from)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/** Ends the subscriptions of a channel. @param subject missing: all of the kind @returns the ended subscriptions */
export async function stopChannelSubscriptions(
  db: Database,
  { kind, channel, subject }: Omit<ChannelSubscriptionKey, 'subject'> & { subject: string | undefined },
  actor: string,
  now: Date,
): Promise<ChannelSubscription[]> {
  const theirs = (await listChannelSubscriptions(db, kind)).filter(
    (one) => one.channel === channel && (subject === undefined || one.subject === subject),
  );
  return db.transaction().execute(async (trx) => {
    const stopped: ChannelSubscription[] = [];
    for (const one of theirs) if (await stopChannelSubscription(trx, one, actor, now)) stopped.push(one);
    return stopped;
  });
}

export const ofKind = (db: Database | DatabaseTransaction, kind: string) =>
  db.selectFrom('channelSubscriptions').selectAll().where('kind', '=', kind).where('state', '!=', 'removed');

/** Lists the subscriptions of a kind that were not removed, oldest first. */
export async function listChannelSubscriptions(db: Database, kind: string): Promise<ChannelSubscription[]> {
  return ofKind(db, kind).orderBy('createdAt').orderBy('channel').orderBy('subject').execute();
}

export async function listActiveChannelSubscriptions(
  db: Database | DatabaseTransaction,
  kind: string,
): Promise<ChannelSubscription[]> {
  return ofKind(db, kind).where('state', '=', 'active').orderBy('channel').orderBy('subject').execute();
}

/** Returns undefined if there was none or it was removed. A paused one still gets the messages enqueued before. */
export async function findChannelSubscription(
  db: Database | DatabaseTransaction,
  key: ChannelSubscriptionKey,
): Promise<ChannelSubscription | undefined> {
  return ofKind(db, key.kind).$call(ofKey(key)).executeTakeFirst();
}

export async function storeRecent(
  trx: DatabaseTransaction,
  key: ChannelSubscriptionKey,
  recent: unknown,
): Promise<void> {
  await trx
    .updateTable('channelSubscriptions')
    .set({ recent: JSON.stringify(recent) })
    .$call(ofKey(key))
    .execute();
}

/** Restarts all of a kind from another event number, as if nothing had been posted. */
export async function restartAllFrom(trx: DatabaseTransaction, kind: string, since: number | null): Promise<void> {
  await trx.updateTable('channelSubscriptions').set({ since, recent: null }).where('kind', '=', kind).execute();
}

/** The subscriptions of a channel to which a posted message belongs. */
export interface ChannelSubjects extends Pick<ChannelSubscription, 'kind' | 'channel'> {
  subjects: readonly string[];
}

/**
 * Counts a message that could not be posted, and pauses its subscriptions after the third in a row over a day.
 *
 * @param what the message, at the start of a sentence: `A message about unusual days`
 * @returns one report for each owner
 */
export async function reportChannelFailure(
  trx: DatabaseTransaction,
  { kind, channel, subjects }: ChannelSubjects,
  { reason }: { reason: string },
  what: string,
  now: Date,
): Promise<FailureReport[]> {
  const counted = await trx
    .updateTable('channelSubscriptions')
    .set({ ...oneMoreFailure(now), lastError: reason, updatedAt: now.toISOString() })
    .where((where) => where.and({ kind, channel }))
    .where('subject', 'in', subjects)
    .where('state', '!=', 'removed')
    .returning(['subject', 'failures', 'failingSince', 'owner'])
    .execute();
  const reports: FailureReport[] = [];
  for (const [owner, rows] of Map.groupBy(counted, (row) => row.owner)) {
    const paused: string[] = [];
    for (const { subject, ...counts } of rows) {
      const isPaused =
        isFailingForGood(counts, now) && (await pauseChannelSubscription(trx, { kind, channel, subject }, reason, now));
      if (isPaused) paused.push(subject);
    }
    const notice = pauseNotice(kind).about({ channel, subjects: paused, reason });
    reports.push(paused.length > 0 ? { owner, notice } : { owner, what });
  }
  return reports;
}

async function pauseChannelSubscription(
  trx: DatabaseTransaction,
  key: ChannelSubscriptionKey,
  reason: string,
  now: Date,
): Promise<boolean> {
  if (!(await changeState(trx, key, { state: 'paused', changedBy: null }, ['active'], now))) return false;
  await audit(trx, { about: auditName(key), actor: BOT_ACTOR, action: 'paused', detail: reason }, now);
  return true;
}

/** Resets the failures after a successful post. */
export async function forgetChannelFailures(
  trx: DatabaseTransaction,
  { kind, channel, subjects }: ChannelSubjects,
): Promise<void> {
  await trx
    .updateTable('channelSubscriptions')
    .set({ failures: 0, lastError: null })
    .where((where) => where.and({ kind, channel }))
    .where('subject', 'in', subjects)
    .where('failures', '>', 0)
    .execute();
}

/**
 * Ends all watches of a kind that a person has for themselves.
 *
 * @param person their Slack id, which is the channel of the watches
 * @param why a sentence; null: the person stopped them
 * @param what names them: `Messages about unusual days`
 * @returns undefined if they had ended before
 */
export async function stopForPerson(
  trx: DatabaseTransaction,
  { kind, person }: { kind: string; person: string },
  why: string | null,
  what: string,
  now: Date,
): Promise<StoppedSubscription | undefined> {
  if (!isPersonAddress(person)) return undefined;
  const theirs = await ofKind(trx, kind).where('channel', '=', person).execute();
  const actor = why === null ? person : BOT_ACTOR;
  const owners: (string | null)[] = [];
  for (const watch of theirs) if (await stopChannelSubscription(trx, watch, actor, now)) owners.push(watch.owner);
  const [owner = null] = owners;
  return owners.length === 0 ? undefined : { owner, what };
}
