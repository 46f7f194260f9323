import type { JobName } from './job-times.ts';

/** Work that every replica starts at the times of `JOB_TIMES`: it must let the database decide who does it. */
export interface Job {
  name: JobName;
  run(): Promise<void>;
}
