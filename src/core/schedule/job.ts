/**
 * Work that runs without a request. A feature declares its jobs beside what they do. Every replica runs each job: the
 * database must decide which replica does the work. A job reads from the store what is due, so an extra run does nothing
 * twice.
 *
 * @example { name: 'forget-old-drafts', cron: '7 * * * *', purpose: 'deletes drafts of forms', run: () => forget(db) }
 */
export interface Job {
  name: string;
  /**
   * Five fields in the zone of `TIMEZONE`. They are the only rhythm of the job. It also runs at the start of the process
   * and after a jump of the clock. At a clock change, an hour of the night is missing or comes twice.
   */
  cron: string;
  /** What it does, for admins and operators. */
  purpose: string;
  run(): Promise<void>;
}

/** What a job is, without what it does. */
export type JobPlan = Omit<Job, 'run'>;

/** The last run of a job. */
export interface JobRun {
  job: JobPlan;
  at: Date;
  hasFailed: boolean;
}
