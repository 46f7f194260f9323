import { createHash } from 'node:crypto';
import { enqueue } from '../outbox/deliveries.ts';
import { notifyOwner } from '../outbox/owner-notices.ts';
import { audit, BOT_ACTOR } from '../store/audit.ts';
import type { Database, DatabaseTransaction } from '../store/tables.ts';
import type { ChannelSubscription, ChannelSubscriptionKey } from './channel-subscription-table.ts';
import { MAX_FAILURES } from '../schedule/failures.ts';

export interface NewChannelSubscription extends ChannelSubscriptionKey {
  filter: unknown;
  owner: string | null;
  /** The last one that is known now. */
  since: number | null;
  /** For the audit: what it is about. */
  detail: string | null;
}

/** The names of what belongs to a kind of subscription. */
export const introductionKind = (kind: string) => `${kind}-introduction`;
export const pauseNoticeName = (kind: string) => `${kind}-watch`;
const auditName = ({ kind, channel }: Pick<ChannelSubscription, 'kind' | 'channel'>) => `${kind}-watch:${channel}`;

const ofKey =
  ({ kind, channel, subject }: ChannelSubscriptionKey) =>
  <Query extends { where(column: 'kind' | 'channel' | 'subject', is: '=', value: string): Query }>(query: Query) =>
    query.where('kind', '=', kind).where('channel', '=', channel).where('subject', '=', subject);

/**
 * Starts a subscription, or resumes a paused or removed one, and puts its introduction into the outbox. One that is active
 * goes on, with the filter and the owner that are named now.
 *
 * @returns `false` when it was active already
 */
export async function startChannelSubscription(
  trx: DatabaseTransaction,
  { kind, channel, subject, filter, owner, since, detail }: NewChannelSubscription,
  now: Date,
): Promise<boolean> {
  const at = now.toISOString();
  const named = { filter: JSON.stringify(filter), owner, updated_at: at };
  const fresh = { ...named, state: 'active' as const, since, recent: null, failures: 0, last_error: null };
  const started = await trx
    .insertInto('channel_subscriptions')
    .values({ kind, channel, subject, created_at: at, ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'channel', 'subject'])
        .doUpdateSet(fresh)
        .where('channel_subscriptions.state', '!=', 'active'),
    )
    .executeTakeFirst();
  const isNew = Boolean(started.numInsertedOrUpdatedRows);
  if (!isNew) {
    await trx.updateTable('channel_subscriptions').set(named).$call(ofKey({ kind, channel, subject })).execute();
  }
  const entry = { about: auditName({ kind, channel }), actor: owner ?? 'settings', action: 'watched', detail };
  await audit(trx, entry, now);
  if (!isNew) return false;
  const introduction = introductionKind(kind);
  const key = [introduction, channel, at, ...(subject === '' ? [] : [shortDigest(subject)])].join(':');
  await enqueue(trx, { key, kind: introduction, channel, payload: { subject }, dueAt: now }, now);
  return true;
}

/** A key stands in the metadata of its message, and the name of a repository may be long. */
function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/**
 * Ends a subscription.
 *
 * @param actor a Slack id, or `settings`
 * @returns `false` when there was none
 */
export async function stopChannelSubscription(
  trx: DatabaseTransaction,
  key: ChannelSubscriptionKey,
  actor: string,
  now: Date,
): Promise<boolean> {
  const updated = await trx
    .updateTable('channel_subscriptions')
    .set({ state: 'removed', updated_at: now.toISOString() })
    .$call(ofKey(key))
    .where('state', '!=', 'removed')
    .executeTakeFirst();
  if (updated.numUpdatedRows === 0n) return false;
  await audit(trx, { about: auditName(key), actor, action: 'unwatched', detail: key.subject || null }, now);
  return true;
}

/**
 * Ends the subscriptions of a channel.
 *
 * @param subject missing: all of the kind
 * @returns those that were ended
 */
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

/** Those of a kind that were not removed, oldest first. */
export async function listChannelSubscriptions(db: Database, kind: string): Promise<ChannelSubscription[]> {
  return db
    .selectFrom('channel_subscriptions')
    .selectAll()
    .where('kind', '=', kind)
    .where('state', '!=', 'removed')
    .orderBy('created_at')
    .orderBy('channel')
    .orderBy('subject')
    .execute();
}

export async function listActiveChannelSubscriptions(
  db: Database | DatabaseTransaction,
  kind: string,
): Promise<ChannelSubscription[]> {
  return db
    .selectFrom('channel_subscriptions')
    .selectAll()
    .where('kind', '=', kind)
    .where('state', '=', 'active')
    .orderBy('channel')
    .orderBy('subject')
    .execute();
}

/** Nothing when there was none, or it was removed. A paused one still gets what was in the outbox before. */
export async function findChannelSubscription(
  db: Database,
  key: ChannelSubscriptionKey,
): Promise<ChannelSubscription | undefined> {
  return db
    .selectFrom('channel_subscriptions')
    .selectAll()
    .$call(ofKey(key))
    .where('state', '!=', 'removed')
    .executeTakeFirst();
}

export async function noteRecent(
  trx: DatabaseTransaction,
  key: ChannelSubscriptionKey,
  recent: unknown,
): Promise<void> {
  await trx
    .updateTable('channel_subscriptions')
    .set({ recent: JSON.stringify(recent) })
    .$call(ofKey(key))
    .execute();
}

/** Has all of a kind go on from another number, as if nothing had been posted. */
export async function restartAllFrom(trx: DatabaseTransaction, kind: string, since: number | null): Promise<void> {
  await trx.updateTable('channel_subscriptions').set({ since, recent: null }).where('kind', '=', kind).execute();
}

/** The subscriptions of a channel that a message was posted for. */
export interface Subscribed extends Pick<ChannelSubscription, 'kind' | 'channel'> {
  subjects: readonly string[];
}

/**
 * Counts a message that could not be posted. The third in a row pauses its subscriptions, and each owner gets one direct
 * message.
 *
 * @param failure the key of the delivery, and why, in a sentence
 */
export async function countChannelFailure(
  trx: DatabaseTransaction,
  { kind, channel, subjects }: Subscribed,
  failure: { key: string; reason: string },
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  const counted = await trx
    .updateTable('channel_subscriptions')
    .set((set) => ({ failures: set('failures', '+', 1), last_error: failure.reason, updated_at: at }))
    .where('kind', '=', kind)
    .where('channel', '=', channel)
    .where('subject', 'in', subjects)
    .returning(['subject', 'failures', 'owner'])
    .execute();
  const paused: typeof counted = [];
  for (const one of counted.filter(({ failures }) => failures >= MAX_FAILURES)) {
    const key = { kind, channel, subject: one.subject };
    if (await pauseChannelSubscription(trx, key, failure.reason, now)) paused.push(one);
  }
  for (const [owner, rows] of Map.groupBy(paused, (row) => row.owner)) {
    const notice = {
      key: `${kind}-watch-paused:${failure.key}:${owner ?? 'settings'}`,
      name: pauseNoticeName(kind),
      payload: { channel, subjects: rows.map(({ subject }) => subject), reason: failure.reason },
    };
    await notifyOwner(trx, owner, notice, now);
  }
}

async function pauseChannelSubscription(
  trx: DatabaseTransaction,
  key: ChannelSubscriptionKey,
  reason: string,
  now: Date,
): Promise<boolean> {
  const updated = await trx
    .updateTable('channel_subscriptions')
    .set({ state: 'paused' })
    .$call(ofKey(key))
    .where('state', '=', 'active')
    .executeTakeFirst();
  if (updated.numUpdatedRows === 0n) return false;
  await audit(trx, { about: auditName(key), actor: BOT_ACTOR, action: 'paused', detail: reason }, now);
  return true;
}

/** A message that was posted ends the row of failures. */
export async function forgetChannelFailures(
  trx: DatabaseTransaction,
  { kind, channel, subjects }: Subscribed,
): Promise<void> {
  await trx
    .updateTable('channel_subscriptions')
    .set({ failures: 0, last_error: null })
    .where('kind', '=', kind)
    .where('channel', '=', channel)
    .where('subject', 'in', subjects)
    .where('failures', '>', 0)
    .execute();
}
