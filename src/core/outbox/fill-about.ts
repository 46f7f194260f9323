import type { Job } from '../schedule/job.ts';
import { fillAbout } from '../store/migrations/0009-delivery-about.ts';
import type { Database } from '../store/tables.ts';

/** Fills in `about` for messages that an older version wrote while it still ran beside this one. */
export const fillAboutJob = (db: Database): Job => ({
  name: 'fill-about-of-deliveries',
  cron: '* * * * *',
  purpose: 'completes messages that a version before 0.3.0 stored',
  run: async () => {
    while ((await fillAbout(db)) > 0);
  },
});
