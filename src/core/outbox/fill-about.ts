import type { Job } from '../schedule/job-times.ts';
import { fillAbout } from '../store/migrations/0009-delivery-about.ts';
import type { Database } from '../store/tables.ts';

/** Fills in `about` for messages that an older version wrote while it still ran beside this one. */
export const fillAboutJob = (db: Database): Job => ({
  name: 'fill-about-of-deliveries',
  run: async () => {
    while ((await fillAbout(db)) > 0);
  },
});
