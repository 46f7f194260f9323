import { z } from 'zod';
import type { ChannelSubscription, ChannelSubscriptionKey } from '../../watches/channel-subscription-table.ts';
import { findChannelSubscription, listChannelSubscriptions } from '../../watches/channel-subscriptions.ts';
import type { Database } from '../../store/tables.ts';
import { NOTHING_RECENT, recentSchema, type Recent } from '../core/bursts.ts';
import { isBelow } from '../diff/paths.ts';
import { membersOf, type RevisionOutline } from '../core/revisions.ts';
import { jsonColumn } from '../../store/json-column.ts';

export const CONTROLS_KIND = 'controls';
export type Watch = ChannelSubscription;

export interface WatchFilter {
  /** The watched settings; empty: all. */
  names: readonly string[];
  onlyWeaker: boolean;
}

export const EVERYTHING: WatchFilter = { names: [], onlyWeaker: false };

/** A plain list of names is a filter for all of their changes. */
const filterColumn = jsonColumn<WatchFilter>(
  z.union([
    z.array(z.string()).transform((names): WatchFilter => ({ names, onlyWeaker: false })),
    z.object({ names: z.array(z.string()), onlyWeaker: z.boolean() }),
  ]),
);
const recentColumn = jsonColumn(recentSchema);

export const filterOf = ({ filter }: Pick<Watch, 'filter'>): WatchFilter => filterColumn.read(filter);

export function matchesWatch({ names }: WatchFilter, member: string): boolean {
  return names.length === 0 || names.some((name) => isBelow(member, name));
}

/** A watch of everything also gets revisions without visible changes. */
export function isRelevant(row: Pick<RevisionOutline, 'members' | 'weaker'>, filter: WatchFilter): boolean {
  if (filter.onlyWeaker && (row.weaker ?? 0) === 0) return false;
  return filter.names.length === 0 || membersOf(row).some((member) => matchesWatch(filter, member));
}

/** Returns the latest messages of a watch; unreadable ones count as none. */
export const recentOf = ({ recent }: Pick<Watch, 'recent'>): Recent =>
  recentColumn.readIfKnown(recent) ?? NOTHING_RECENT;

/** A channel has one watch of the controls. */
export const watchKey = (channel: string): ChannelSubscriptionKey => ({ kind: CONTROLS_KIND, channel, subject: '' });

export async function listWatches(db: Database): Promise<Watch[]> {
  return listChannelSubscriptions(db, CONTROLS_KIND);
}

export async function findWatch(db: Database, channel: string): Promise<Watch | undefined> {
  return findChannelSubscription(db, watchKey(channel));
}
