import { randomUUID } from 'node:crypto';
import { StoreError } from './engines/store-error.ts';
import type { Store } from './store.ts';
import type { Database } from './tables.ts';

/** The first process that opens a store chooses its random name. */
export async function readIdentity(db: Database): Promise<string> {
  const stored = await db.selectFrom('storeIdentity').select('id').executeTakeFirst();
  if (stored) return stored.id;
  await db
    .insertInto('storeIdentity')
    .values({ place: 'here', id: randomUUID(), teamId: null })
    .onConflict((conflict) => conflict.column('place').doNothing())
    .execute();
  const { id } = await db.selectFrom('storeIdentity').select('id').executeTakeFirstOrThrow();
  return id;
}

/**
 * Two installations on one store would post each other’s messages.
 *
 * @throws StoreError if the store belongs to another workspace
 * @example await requireTeam(store, 'T0123')
 */
export async function requireTeam({ db, location }: Pick<Store, 'db' | 'location'>, teamId: string): Promise<void> {
  await db.updateTable('storeIdentity').set({ teamId }).where('teamId', 'is', null).execute();
  const { teamId: owner } = await db.selectFrom('storeIdentity').select('teamId').executeTakeFirstOrThrow();
  if (owner === teamId) return;
  throw new StoreError(
    `${location} belongs to the Slack workspace ${owner}, and SLACK_BOT_TOKEN to ${teamId}: give this installation a database of its own.`,
  );
}
