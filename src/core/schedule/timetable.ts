import { createTask } from 'node-cron';
import type { PassedMinutes } from '../base/time/calendar.ts';
import type { Job } from './job.ts';

export interface Timetable {
  /** Those that start in one of the minutes, in their order; after a jump of the clock all, because any may be late. */
  dueIn(passed: PassedMinutes): readonly Job[];
  close(): void;
}

/**
 * node-cron reads the expressions of the jobs. Its own timer is not used: if the wall clock is set forward just before a
 * minute, it walks through every minute that was missed. A month takes seconds and a hundred megabytes.
 *
 * @throws if an expression is not valid
 */
export function createTimetable(jobs: readonly Job[], timeZone: string): Timetable {
  const crons = new Set(jobs.map(({ cron }) => cron));
  const tasks = [...crons].map((cron) => createTask(cron, () => undefined, { timezone: timeZone }));
  return {
    dueIn: (passed) => {
      if (passed === 'jumped') return jobs;
      const due = tasks.filter((task) => passed.some((minute) => task.match(minute)));
      const dueCrons = new Set(due.map((task) => task.getPattern()));
      return jobs.filter(({ cron }) => dueCrons.has(cron));
    },
    close: () => {
      for (const task of tasks) void task.destroy();
    },
  };
}
