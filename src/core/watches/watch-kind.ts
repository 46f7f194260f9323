import type { z } from 'zod';
import { jsonColumn } from '../store/json-column.ts';
import type { Database, DatabaseTransaction } from '../store/tables.ts';
import type { ChannelSubscription, ChannelSubscriptionKey } from './channel-subscription-table.ts';
import {
  findChannelSubscription,
  listActiveChannelSubscriptions,
  listChannelSubscriptions,
  storeRecent,
} from './channel-subscriptions.ts';
import { listResumable } from './paused-subscriptions.ts';

/** The typed contents of the columns whose shape only one feature knows. */
interface WatchContents<Options, Stored, Recent> {
  /** Stored in the column `kind`. */
  kind: string;
  /** The column `filter`: the events that a channel gets. Released shapes stay readable. */
  options: z.ZodType<Options, Stored>;
  /** The column `recent`. */
  recent: z.ZodType<Recent>;
}

/**
 * Declares the watches of a feature.
 *
 * @example const readinessWatches = declareWatches({ kind: 'readiness', options: z.object({ label: z.string() }), recent: z.never() });
 */
export function declareWatches<Options, Stored, Recent>({
  kind,
  options,
  recent,
}: WatchContents<Options, Stored, Recent>) {
  const [filterColumn, recentColumn] = [jsonColumn(options), jsonColumn(recent)];
  /** @param subject empty for the only watch of a channel */
  const keyOf = (channel: string, subject = ''): ChannelSubscriptionKey => ({ kind, channel, subject });
  return {
    kind,
    keyOf,
    options,
    optionsOf: ({ filter }: Pick<ChannelSubscription, 'filter'>): Options => filterColumn.read(filter),
    /** Unreadable contents count as none. */
    recentOf: ({ recent: stored }: Pick<ChannelSubscription, 'recent'>): Recent | undefined =>
      recentColumn.readIfKnown(stored),
    storeRecent: (trx: DatabaseTransaction, channel: string, contents: Recent, subject = '') =>
      storeRecent(trx, keyOf(channel, subject), contents),
    list: (db: Database) => listChannelSubscriptions(db, kind),
    listActive: (db: Database | DatabaseTransaction) => listActiveChannelSubscriptions(db, kind),
    listResumable: (db: Database | DatabaseTransaction) => listResumable(db, kind),
    find: (db: Database | DatabaseTransaction, channel: string, subject = '') =>
      findChannelSubscription(db, keyOf(channel, subject)),
  };
}

/** The declared watches of a feature, as far as commands, App Home and messages use them. */
export type DeclaredWatches<Options, Stored> = Pick<
  ReturnType<typeof declareWatches<Options, Stored, never>>,
  'kind' | 'keyOf' | 'options' | 'optionsOf' | 'list' | 'find'
>;
