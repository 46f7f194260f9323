import { deliveriesThere, until } from '../../support/digests.ts';
import type { HooksScene } from '../../support/hooks/hooks.ts';

/** Waits until some deliveries of a kind are in a state, and stay there until something happens. */
export async function settled(
  { databaseUrl, clock }: Pick<HooksScene, 'databaseUrl' | 'clock'>,
  kind: string,
  state: 'waiting' | 'skipped' | 'sent' | 'failed',
  most = 1,
): Promise<void> {
  await until(
    { databaseUrl, clock },
    async (db) => {
      const query = db.selectFrom('deliveries').select('key').where('kind', '=', kind).where('state', '=', state);
      const rows = await query.where('attempts', '>', 0).execute();
      return rows.length >= most ? rows : undefined;
    },
    async (db) => `${most} of ${kind} to be ${state}. ${await deliveriesThere(db)}`,
  );
}
