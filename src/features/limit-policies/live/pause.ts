import { audit, BOT_ACTOR } from '../../../core/store/audit.ts';
import { policyNotice } from '../messages/policy-notices.ts';
import type { StoredPolicy } from '../store/policy-store.ts';
import { pausePolicies, type Pause } from '../store/policy-transitions.ts';
import type { PolicyTransaction } from '../store/policy-tables.ts';

export const policySubject = (id: string) => `limits:policy-${id}`;

/** Pauses these policies if they are active, and notifies the admins once. @returns how many were active */
export async function pauseAll(
  trx: PolicyTransaction,
  policies: readonly Pick<StoredPolicy, 'id'>[],
  pause: Pause,
  now: Date,
): Promise<number> {
  const paused = await pausePolicies(
    trx,
    policies.map(({ id }) => id),
    pause,
    now,
  );
  if (paused.length === 0) return 0;
  const { by, reason } = pause;
  for (const { id, name, version } of paused) {
    const detail = `Policy “${name}”, version ${version}: ${PAUSE_DETAILS[reason]}`;
    await audit(trx, { about: policySubject(id), actor: by ?? BOT_ACTOR, action: 'paused', detail }, now);
  }
  const names = paused.map(({ name }) => name).toSorted();
  const key = `limit-policy:${reason}:${paused
    .map(({ id, version }) => `${id}.${version}`)
    .toSorted()
    .join(',')}:${now.toISOString()}`;
  await policyNotice.notify(trx, null, { key, payload: { event: 'paused', reason, by, names } }, now);
  return paused.length;
}

const PAUSE_DETAILS: Readonly<Record<Pause['reason'], string>> = {
  admin: 'paused by an admin',
  stopped: 'all policies were stopped',
  grants_a_day: 'the cap of grants a day was reached',
  credits_a_period: 'the cap of credits a period was reached',
  gap: 'the store may lack data',
};
