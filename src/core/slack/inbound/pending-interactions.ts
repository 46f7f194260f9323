import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import { batched } from '../../base/batched.ts';
import { oncePerTurn } from '../../base/time/turns.ts';
import type { Logger } from '../../base/log.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Database, Tables } from '../../store/tables.ts';
import { isLikeAny, type PoliciesOf } from '../../store/table-policy.ts';
import { isCarriedOut } from './seen-events.ts';

/** An arrival of an interaction that waits for its acknowledgement, or was acknowledged and is not finished. */
interface PendingInteractionTable {
  /** Unique to this arrival. Slack may send the same interaction again, also to another process. */
  key: string;
  /** The same for all arrivals of the interaction. Null if version 0.2.0 stored it: there, `key` is. */
  interaction: string | null;
  kind: 'click' | 'form';
  /** JSON: the parts of Slack's payload that are needed to resume. */
  payload: string;
  receivedAt: string;
  leasedUntil: string;
  /** 0 until it is acknowledged: it may have been refused because this row was written too late. */
  attempts: number;
}

declare module '../../store/tables.ts' {
  interface Tables {
    pendingInteractions: PendingInteractionTable;
  }
}

export const pendingInteractionPolicies: PoliciesOf<Pick<Tables, 'pendingInteractions'>> = {
  pendingInteractions: {
    what: 'clicks and forms under way',
    isPassing: true,
    deleted: ({ slackId }) =>
      isLikeAny(
        'payload',
        slackId.map((id) => `%"user":{"id":"${id}"%`),
      ),
    reasonToKeep: 'they are others’',
  },
};

/** A working process renews its lease. After the lease ends, another process or the next start takes the work over. */
const LEASE_MS = 2 * 60_000;
const RENEW_MS = 30_000;
/** Slack shows an error three seconds after a click that is not acknowledged. */
const KEEP_TIMEOUT_MS = 2_000;
/** People no longer expect an answer after this time, and Slack's response addresses soon expire. */
const MAX_AGE_MS = 15 * 60_000;
const MAX_ATTEMPTS = 3;
const MAX_BATCH = 64;
/** Clicks of a burst share a few statements. A batch does not wait for the one that a slow disk still writes. */
const STORING = { maxItems: MAX_BATCH, quietMs: 0.05, maxWaitMs: 2, maxAtOnce: 4 };
/** It is awaited for one turn only. */
const ACCEPTING = { maxItems: MAX_BATCH, quietMs: 0, maxWaitMs: 0, maxAtOnce: 4 };
/** It is not going to be acknowledged yet. The first attempt, which comes with the acknowledgement, makes it 1. */
const OFFERED = 0;
/** Deletions of what is finished are not urgent, and must not delay the next click. */
const FINISHING = { maxItems: MAX_BATCH, quietMs: 50, maxWaitMs: 200 };

export interface AbandonedInteraction extends Interaction {
  key: string;
  receivedAt: Date;
  /** It is too old, was tried too often, or was perhaps refused: the person gets a message instead. */
  isExpired: boolean;
}

export interface Interaction {
  /** The same each time that Slack sends it. */
  interaction: string;
  kind: 'click' | 'form';
  payload: unknown;
}

export interface Acceptance {
  /** Await it before the work: from then on, the next start would carry it out. Never throws. */
  written: Promise<unknown>;
}

/** Clicks and forms that change something, from before their acknowledgement until they are finished. */
export interface PendingInteractions {
  /**
   * Await it before the acknowledgement. Another process does not carry it out before it is accepted.
   *
   * @returns the key of this arrival; undefined if the store did not take it in time
   */
  store(interaction: Interaction): Promise<string | undefined>;
  /** Await it before the acknowledgement: the store has been handed the change, which survives a kill. Never throws. */
  accept(key: string): Promise<Acceptance>;
  /** It could not be acknowledged: deletes it at once. Other arrivals of the interaction do not depend on it. */
  refuse(key: string): Promise<void>;
  finish(key: string): Promise<void>;
  /** Call it when interactions stop arriving. */
  flushNow(): void;
  claimAbandoned(): Promise<AbandonedInteraction[]>;
  start(): void;
  stop(): void;
}

/** @param isAlone no other process uses this store, so anything in it at the start was left behind */
export function createPendingInteractions(deps: {
  db: Database;
  clock: Clock;
  log: Logger;
  isAlone: boolean;
}): PendingInteractions {
  const { db, clock, log } = deps;
  const own = new Set<string>();
  let hasClaimed = false;
  let timer: NodeJS.Timeout | undefined;
  const flushing = new AbortController();
  const leaseEnd = () => new Date(clock.now().getTime() + LEASE_MS).toISOString();

  const insertAll = (rows: readonly PendingInteractionTable[]) => db.insertInto('pendingInteractions').values(rows);
  const insertStatement = cachedStatements(
    (rows: readonly PendingInteractionTable[]) => insertAll(rows).compile(),
    (rows) => rows.flatMap((row) => Object.values(row)),
  );
  const acceptStatement = cachedStatements(
    (keys: readonly string[]) =>
      db
        .updateTable('pendingInteractions')
        .set({ attempts: 1 })
        .where('attempts', '=', OFFERED)
        .where('key', 'in', keys)
        .compile(),
    (keys) => [1, OFFERED, ...keys],
  );
  const untilTooLate = oncePerTurn(() => delay(KEEP_TIMEOUT_MS, false, { ref: false }));
  const insert = batched(async (arrivals: readonly (Interaction & { key: string })[]): Promise<readonly true[]> => {
    const receivedAt = clock.now().toISOString();
    const leasedUntil = leaseEnd();
    const rows = arrivals.map(({ key, interaction, kind, payload: sent }) => {
      const payload = JSON.stringify(sent);
      return { key, interaction, kind, payload, receivedAt, leasedUntil, attempts: OFFERED };
    });
    await db.executeQuery(insertStatement(rows));
    return rows.map(() => true);
  }, STORING);
  /** All clicks of a batch are acknowledged in one turn, so that their acknowledgements are sent together. */
  const accept = batched(async (keys: readonly string[]): Promise<readonly Acceptance[]> => {
    const written = db.executeQuery(acceptStatement(keys)).catch((error: unknown) => {
      log.error({ err: error, keys }, 'Interactions that were acknowledged would not be resumed after a crash');
    });
    await nextTurn();
    return keys.map(() => ({ written }));
  }, ACCEPTING);
  const deleteRows = async (keys: readonly string[]): Promise<readonly string[]> => {
    await db.deleteFrom('pendingInteractions').where('key', 'in', keys).execute();
    return keys;
  };
  const finish = batched(deleteRows, { ...FINISHING, flushNow: flushing.signal });
  const renew = async () => {
    if (own.size === 0) return;
    const update = db.updateTable('pendingInteractions').set({ leasedUntil: leaseEnd() });
    await update.where('key', 'in', [...own]).execute();
  };

  /** Their rows are to be deleted, because the person saw a failure. */
  const refused = new Set<string>();
  const deleteRefused = async () => {
    const keys = [...refused];
    if (keys.length === 0) return;
    await deleteRows(keys);
    for (const key of keys) {
      refused.delete(key);
      own.delete(key);
    }
  };
  const refuse = async (key: string) => {
    refused.add(key);
    await deleteRefused().catch((error: unknown) =>
      log.error({ err: error, key }, 'Deleting the row of a refused click failed; it is tried again'),
    );
  };
  /** The store may take it later, or has taken it although the insert failed. */
  const refuseOnceInserted = (inserting: Promise<true>, key: string) => {
    void inserting.catch(() => undefined).then(() => refuse(key));
  };

  return {
    store: async (interaction) => {
      const key = randomUUID();
      // Before the row exists: a row that belongs to no process would be claimed as left behind.
      own.add(key);
      const inserting = insert({ ...interaction, key });
      try {
        if (await Promise.race([inserting, untilTooLate()])) return key;
      } catch (error) {
        log.error({ err: error }, 'Storing a click failed');
      }
      refuseOnceInserted(inserting, key);
      return undefined;
    },
    accept,
    refuse,
    finish: async (key) => {
      await finish(key);
      // Not earlier: a stored row that belongs to no process counts as left behind.
      own.delete(key);
    },
    flushNow: () => flushing.abort(),
    claimAbandoned: async () => {
      const isFirstClaim = !hasClaimed;
      hasClaimed = true;
      const now = clock.now();
      const rows = await db
        .selectFrom('pendingInteractions')
        .selectAll()
        .orderBy('attempts', 'desc')
        .orderBy('receivedAt')
        .execute();
      const abandoned: AbandonedInteraction[] = [];
      for (const row of rows) {
        const isAbandoned = row.leasedUntil <= now.toISOString() || (isFirstClaim && deps.isAlone);
        if (!isAbandoned || own.has(row.key) || !(await claim(db, row, leaseEnd()))) continue;
        const found = describe(row, now);
        // Of several arrivals of an interaction, one is carried out: an accepted one, if there is any.
        if (!(await isCarriedOut(db, { interaction: found.interaction, arrival: row.key }, now))) {
          await deleteRows([row.key]);
          continue;
        }
        own.add(row.key);
        abandoned.push(found);
      }
      return abandoned;
    },
    start: () => {
      timer = setInterval(() => {
        deleteRefused()
          .then(renew)
          .catch((error: unknown) => log.warn({ err: error }, 'Extending the lease on a click failed'));
      }, RENEW_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * Builds the text of a statement once for each number of items, since building it takes as long as running it. It keeps
 * no values.
 *
 * @param parametersOf returns them in the order in which the statement of these items has them
 */
function cachedStatements<Item>(
  build: (items: readonly Item[]) => CompiledQuery,
  parametersOf: (items: readonly Item[]) => readonly unknown[],
): (items: readonly Item[]) => CompiledQuery {
  const statements = new Map<number, string>();
  return (items) => {
    const statement = statements.get(items.length) ?? build(items).sql;
    statements.set(items.length, statement);
    return CompiledQuery.raw(statement, [...parametersOf(items)]);
  };
}

/** If several processes try, one succeeds. */
async function claim(db: Database, row: PendingInteractionTable, leasedUntil: string): Promise<boolean> {
  const updated = await db
    .updateTable('pendingInteractions')
    .set({ leasedUntil, attempts: row.attempts === OFFERED ? MAX_ATTEMPTS : row.attempts + 1 })
    .where((where) => where.and({ key: row.key, attempts: row.attempts }))
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

function describe(
  { key, interaction, kind, payload: sent, ...row }: PendingInteractionTable,
  now: Date,
): AbandonedInteraction {
  const receivedAt = new Date(row.receivedAt);
  const isTooOld = now.getTime() - receivedAt.getTime() > MAX_AGE_MS;
  const isExpired = isTooOld || row.attempts === OFFERED || row.attempts >= MAX_ATTEMPTS;
  return { key, interaction: interaction ?? key, kind, payload: JSON.parse(sent), receivedAt, isExpired };
}
