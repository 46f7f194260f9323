import type { Applier } from '../../limits/apply/applier.ts';
import type { CardTarget } from '../../limits/core/notify.ts';
import type { PolicyDeps } from '../policy-deps.ts';
import { readStoreNow } from '../../../core/store/lease.ts';
import { announceGrants } from '../messages/daily-line.ts';
import { pauseAll } from './pause.ts';
import { listActive } from '../store/policy-store.ts';
import { readLimitPeriod } from '../../../core/figures/limit-period.ts';
import { recordMissingPeriods } from '../store/agreements.ts';
import { takeTurn } from '../store/turn.ts';
import { createFirstLimits } from './first-limits.ts';
import { showUnsetGrants } from './withhold.ts';

/** The job of limit policies, each minute. */
export function runPolicies(
  deps: PolicyDeps,
  { apply, cardTarget }: { apply: Applier['apply']; cardTarget: () => Promise<CardTarget> },
): () => Promise<void> {
  const setFirstLimits = createFirstLimits(deps, { apply, cardTarget });
  return async () => {
    await recordMissingPeriods(deps.db, await readLimitPeriod(deps));
    await pauseAfterGap(deps);
    await setFirstLimits();
    await showUnsetGrants(deps, cardTarget);
    await announceGrants(deps, cardTarget);
  };
}

/** A restored store may lack limits and pauses, so an admin resumes the policies. */
export async function pauseAfterGap({ db, readDataGap }: Pick<PolicyDeps, 'db' | 'readDataGap'>): Promise<void> {
  const gap = await readDataGap();
  if (!gap) return;
  const isBefore = ({ confirmedAt }: { confirmedAt: Date | undefined }) => !confirmedAt || confirmedAt <= gap.until;
  if (!(await listActive(db)).some((policy) => isBefore(policy))) return;
  await db.transaction().execute(async (trx) => {
    await takeTurn(trx);
    const policies = (await listActive(trx)).filter((policy) => isBefore(policy));
    await pauseAll(trx, policies, { by: null, reason: 'gap' }, await readStoreNow(trx));
  });
}
