import { randomUUID } from 'node:crypto';
import { StoreError } from './engines/store-error.ts';
import type { Store } from './store.ts';
import type { Database } from './tables.ts';

/** The random name of a store; the first process that opens it gives it one. */
export async function readIdentity(db: Database): Promise<string> {
  const known = await db.selectFrom('store_identity').select('id').executeTakeFirst();
  if (known) return known.id;
  await db
    .insertInto('store_identity')
    .values({ place: 'here', id: randomUUID(), team_id: null })
    .onConflict((conflict) => conflict.column('place').doNothing())
    .execute();
  const { id } = await db.selectFrom('store_identity').select('id').executeTakeFirstOrThrow();
  return id;
}

/**
 * Keeps the Slack workspace of the first start. Two installations on one database would post each other’s messages.
 *
 * @throws StoreError if the store belongs to another workspace
 * @example await requireTeam(store, 'T0123')
 */
export async function requireTeam({ db, place }: Pick<Store, 'db' | 'place'>, teamId: string): Promise<void> {
  await db.updateTable('store_identity').set({ team_id: teamId }).where('team_id', 'is', null).execute();
  const { team_id: owner } = await db.selectFrom('store_identity').select('team_id').executeTakeFirstOrThrow();
  if (owner === teamId) return;
  throw new StoreError(
    `${place} belongs to the Slack workspace ${owner}, and SLACK_BOT_TOKEN to ${teamId}: give this installation a database of its own.`,
  );
}
