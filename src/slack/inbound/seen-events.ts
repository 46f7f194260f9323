import type { PoliciesOf } from '../../store/policies/table-policy.ts';
import type { Database, Tables } from '../../store/tables.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    seenEvents: { key: string; seenAt: string };
  }
}

export const seenEventPolicies: PoliciesOf<Pick<Tables, 'seenEvents'>> = {
  seenEvents: { what: 'clicks and commands that arrived' },
};

/** How long Slack may repeat a delivery. It stops after an hour (a day with "Delayed Events"). */
const MEMORY_MS = 2 * 24 * 60 * 60 * 1000;

/** Asks for all replicas together. @returns `true` the first time, `false` ever after */
export async function isFirstTime(db: Database, key: string, now: Date): Promise<boolean> {
  const inserted = await db
    .insertInto('seenEvents')
    .values({ key, seenAt: now.toISOString() })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirst();
  return Boolean(inserted.numInsertedOrUpdatedRows);
}

/** Removes an event whose handling failed, so that it can be handled again. */
export async function forgetEvent(db: Database, key: string): Promise<void> {
  await db.deleteFrom('seenEvents').where('key', '=', key).execute();
}

export async function forgetOldEvents(db: Database, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - MEMORY_MS).toISOString();
  await db.deleteFrom('seenEvents').where('seenAt', '<', oldest).execute();
}
