import type { JobName } from './job-times.ts';

/** Every replica starts each job: the database must decide which replica does the work. */
export interface Job {
  name: JobName;
  run(): Promise<void>;
}
