import type { PoliciesOf } from '../store/policies/table-policy.ts';
import type { Database, Tables } from '../store/tables.ts';
import type { JobName } from './job-times.ts';

interface JobTurnTable {
  job: JobName;
  beganAt: string;
}

declare module '../store/tables.ts' {
  interface Tables {
    jobTurns: JobTurnTable;
  }
}

export const jobTurnPolicies: PoliciesOf<Pick<Tables, 'jobTurns'>> = {
  jobTurns: { what: 'when a process last began each job' },
};

/**
 * Of all processes, one does a job in each period: for work that is costly, and right however often it is done. If the
 * process that began it ends, the job is done in the next period.
 *
 * @returns whether this process does it now
 * @example if (await takeTurn(db, 'correct-digests', clock.now(), 10 * MINUTE_MS)) await correctAll();
 */
export async function takeTurn(db: Database, job: JobName, now: Date, everyMs: number): Promise<boolean> {
  const beganAt = now.toISOString();
  const earlier = new Date(now.getTime() - everyMs).toISOString();
  // A beginning that is a whole period in the future was written while a clock was wrong.
  const later = new Date(now.getTime() + everyMs).toISOString();
  const taken = await db
    .insertInto('jobTurns')
    .values({ job, beganAt })
    .onConflict((conflict) =>
      conflict
        .column('job')
        .doUpdateSet({ beganAt })
        .where((where) => where.or([where('jobTurns.beganAt', '<=', earlier), where('jobTurns.beganAt', '>', later)])),
    )
    .returning('job')
    .executeTakeFirst();
  return taken !== undefined;
}
