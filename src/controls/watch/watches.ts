import { z } from 'zod';
import type { ChannelSubscription, ChannelSubscriptionKey } from '../../schedule/channel-subscription-table.ts';
import { findChannelSubscription, listChannelSubscriptions } from '../../schedule/channel-subscriptions.ts';
import type { Database } from '../../store/tables.ts';
import { NOTHING_RECENT, recentSchema, type Recent } from '../core/bursts.ts';
import { isBelow } from '../diff/paths.ts';
import { membersOf, type RevisionOutline } from '../core/revisions.ts';

export const CONTROLS_KIND = 'controls';
export type Watch = ChannelSubscription;

const namesSchema = z.array(z.string());

/** The members that a watch gets; none: all. */
export function namesOf({ filter }: Pick<Watch, 'filter'>): string[] {
  return namesSchema.parse(JSON.parse(filter));
}

/** Whether a watch gets a change of this member. */
export function matchesWatch(names: readonly string[], member: string): boolean {
  return names.length === 0 || names.some((name) => isBelow(member, name));
}

/** A watch of everything gets a revision in which nothing can be seen to change, too. */
export function isRelevant(row: Pick<RevisionOutline, 'members'>, names: readonly string[]): boolean {
  return names.length === 0 || membersOf(row).some((member) => matchesWatch(names, member));
}

/** What it got lately; what nobody can read counts as nothing. */
export function recentOf({ recent }: Pick<Watch, 'recent'>): Recent {
  return recent === null ? NOTHING_RECENT : (recentSchema.safeParse(JSON.parse(recent)).data ?? NOTHING_RECENT);
}

/** A channel has one watch of the controls. */
export const watchKey = (channel: string): ChannelSubscriptionKey => ({ kind: CONTROLS_KIND, channel, subject: '' });

export async function listWatches(db: Database): Promise<Watch[]> {
  return listChannelSubscriptions(db, CONTROLS_KIND);
}

export async function findWatch(db: Database, channel: string): Promise<Watch | undefined> {
  return findChannelSubscription(db, watchKey(channel));
}
