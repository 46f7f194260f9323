import { listBudgets } from '../alerts/budgets/core/budget-store.ts';
import type { Services } from '../../core/services.ts';

/** Whether something comes to a channel by itself, or came. */
export async function isSetUp(
  { db, config, channels }: Pick<Services, 'db' | 'config' | 'channels'>,
  channel: string,
): Promise<boolean> {
  const named = [config.limitsChannel, config.digestChannel, config.budget?.channel].filter((one) => one !== undefined);
  const fixed = await Promise.all(named.map((reference) => channels.find(reference)));
  if (fixed.includes(channel)) return true;
  const rows = await Promise.all([
    db.selectFrom('subscriptions').select('id').where('channel', '=', channel).limit(1).execute(),
    db.selectFrom('channelSubscriptions').select('kind').where('channel', '=', channel).limit(1).execute(),
    listBudgets(db).then((budgets) => budgets.filter((budget) => budget.channel === channel)),
  ]);
  return rows.some(({ length }) => length > 0);
}
