import type { JobName } from './job-times.ts';

/** Work that every replica starts at the times of `JOB_TIMES`: the database must decide which replica does it. */
export interface Job {
  name: JobName;
  run(): Promise<void>;
}
