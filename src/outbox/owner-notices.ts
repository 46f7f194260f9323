import type { Clock } from '../base/time/clock.ts';
import type { Database, DatabaseTransaction } from '../store/tables.ts';
import type { DeliveryKind, Preparation } from './attempt.ts';
import { enqueue } from './deliveries.ts';
import type { Delivery } from './delivery-table.ts';

export interface OwnerNotice {
  key: string;
  /** The name that `ownerNoticeDeliveries` got. */
  name: string;
  payload: unknown;
}

/** A direct message to the owner of something; where it has none, to the admins. In the transaction of its cause. */
export async function notifyOwner(
  trx: DatabaseTransaction,
  owner: string | null,
  notice: OwnerNotice,
  now: Date,
): Promise<void> {
  if (owner === null) return notifyAdmins(trx, notice, now);
  const { key, name, payload } = notice;
  await enqueue(trx, { key, kind: `${name}-notice`, channel: owner, payload, dueAt: now }, now);
}

/** Who the admins are is asked of Slack, which has no place in a transaction: so one delivery makes one for each of them. */
export async function notifyAdmins(
  trx: DatabaseTransaction,
  { key, name, payload }: OwnerNotice,
  now: Date,
): Promise<void> {
  const delivery = { key: `${key}:admins`, kind: `${name}-admin-notice`, channel: 'admins', payload, dueAt: now };
  await enqueue(trx, delivery, now);
}

/** The kinds of delivery that `notifyOwner` and `notifyAdmins` need. Where an owner cannot be reached, the admins are. */
export function ownerNoticeDeliveries(
  deps: { db: Database; clock: Clock; people: { admins(): Promise<string[]> } },
  name: string,
  prepare: (delivery: Delivery) => Promise<Preparation>,
): Record<string, DeliveryKind> {
  return {
    [`${name}-notice`]: {
      prepare,
      onSettled: async (trx, { key, channel, payload }, settlement, now) => {
        if (settlement.state !== 'failed' || key.endsWith(`:admins:${channel}`)) return;
        await notifyAdmins(trx, { key, name, payload: JSON.parse(payload) }, now);
      },
    },
    [`${name}-admin-notice`]: {
      prepare: async ({ key, payload }) => {
        const admins = await deps.people.admins();
        const now = deps.clock.now();
        await deps.db.transaction().execute(async (trx) => {
          for (const channel of admins) {
            const notice = { key: `${key}:${channel}`, kind: `${name}-notice`, channel, payload: JSON.parse(payload) };
            await enqueue(trx, { ...notice, dueAt: now }, now);
          }
        });
        return { kind: 'skip', reason: `Sent to ${admins.length} admins, each by direct message.` };
      },
    },
  };
}
